import ChildFixture
import Foundation

/// `odata serve` in a process of its own, on a free port.
final class ServeProcess {
    /// The service root.
    let url: String
    private let process: ChildProcess
    private let folder: URL

    struct NotListening: Error { var said: String }

    /// Waits until the service listens.
    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-serve-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appendingPathComponent("log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process = try ChildProcess(
            Child.command, ["serve", "--port", "0"] + arguments, output: .file(log),
            errors: .output)
        let start = Date()
        while true {
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            let line = said.split(separator: "\n").first { $0.hasPrefix("listening on ") }
            if let line, said.hasSuffix("\n") {
                url = String(line.dropFirst("listening on ".count))
                return
            }
            guard process.isRunning, Date().timeIntervalSince(start) < 60 else {
                process.send(signal: SIGKILL)
                throw NotListening(said: said)
            }
            usleep(20_000)
        }
    }

    /// Everything that the process has written so far.
    var said: String {
        (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
    }

    func send(signal: Int32) { process.send(signal: signal) }

    /// Ends the process by a signal; tells how it ended.
    func end(by signal: Int32) throws -> ChildProcess.End {
        process.send(signal: signal)
        return try process.wait()
    }

    /// Asks the process to end and waits for it.
    func end() {
        guard process.isRunning else { return }
        process.send(signal: SIGTERM)
        _ = try? process.wait(atMost: .seconds(60))
    }

    deinit {
        end()
        try? FileManager.default.removeItem(at: folder)
    }
}
