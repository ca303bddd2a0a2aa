import ChildFixture
import Foundation
import ODataText
import Synchronization

/// A server that `Scripts/postgres` starts once for a test process, and that ends with it: the script stops it when the
/// pipe to its input is closed, however that comes about.
package enum PostgreSQLServer {
    private struct State {
        var folder: String?
        var databases = 0
        // The script waits for the end of its input.
        var script: ChildProcess?
    }

    private static let state = Mutex(State())

    /// A connection to an empty database of its own, ordered by the rules of English unless a statement says otherwise.
    package static func makeDatabase() throws -> PostgreSQLConnection {
        let (folder, number) = try state.withLock { state in
            let folder = try state.folder ?? start(&state)
            state.folder = folder
            state.databases += 1
            return (folder, state.databases)
        }
        let server = try PostgreSQLConnection("host=\(folder) user=odata dbname=postgres")
        try server.run("CREATE DATABASE test\(number)")
        return try PostgreSQLConnection("host=\(folder) user=odata dbname=test\(number)")
    }

    private static func start(_ state: inout State) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let script = try ChildProcess(
            root.appending(path: "Scripts/postgres").path, [], input: .pipe, output: .pipe,
            errors: .same)
        state.script = script
        let folder = try script.line()
        guard !folder.isEmpty else {
            throw ODataError(
                .storage, "Expected Scripts/postgres to start a server; it says above why not.")
        }
        return folder
    }
}
