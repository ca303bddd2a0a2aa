import ChildFixture
import Foundation

/// Runs programs as children and waits for them; blocks the calling thread.
enum Child {
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The built command beside the tests.
    static let command: String = {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("odata").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(".build/debug/odata").path
    }()

    /// The built child of the tests that kill, beside the tests.
    static let killChild =
        ProcessInfo.processInfo.environment["ODATA_KILL_CHILD"]
        ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("KillChild").path

    static func odata(_ arguments: String..., input: String = "") throws -> Result {
        try run(command, arguments, input: input)
    }

    static func run(
        _ path: String, _ arguments: [String], input: String = "",
        atMost patience: Duration = ChildProcess.patience
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-child-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files.dropFirst() {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let process = try ChildProcess(
            path, arguments, input: .file(files[0]), output: .file(files[1]),
            errors: .file(files[2]))
        let end = try process.wait(atMost: patience)
        return Result(
            status: end.number,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
}
