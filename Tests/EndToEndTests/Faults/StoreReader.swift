import ChildFixture
import Foundation

/// Another process that reads a store and observes a query of it, as long as nobody ends it.
final class StoreReader {
    private let process: ChildProcess

    init(_ store: KilledStore) throws {
        process = try ChildProcess(
            Child.killChild, ["watch", store.path, store.key ?? "-"], input: .pipe, output: .pipe,
            errors: .same)
        guard try process.line() == "ready" else { throw KillLoss("the reader does not begin") }
    }

    /// How many reads and updates there were.
    ///
    /// - Throws: ``KillLoss`` with what it saw and should not have.
    func check() throws -> String {
        try process.send(line: "")
        let line = try process.line()
        guard line.split(separator: " ").allSatisfy({ Int($0) != nil }), !line.isEmpty else {
            throw KillLoss("another process saw \(line.isEmpty ? "its end" : line)")
        }
        return line
    }

    func end() throws {
        try process.endInput()
        let end = try process.wait()
        guard end == .exit(0) else { throw KillLoss("the reader ended with \(end)") }
    }
}
