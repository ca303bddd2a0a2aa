import ChildFixture
import Foundation
import ODataPostgres
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

    /// False where there is no PostgreSQL, and nobody may install it.
    package static let isThere: Bool = {
        let files = FileManager.default
        let paths = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let versions = (try? files.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = paths.map { String($0) } + versions.map { "/usr/lib/postgresql/\($0)/bin" }
        return folders.contains { files.isExecutableFile(atPath: $0 + "/initdb") }
            || geteuid() == 0 && files.isExecutableFile(atPath: "/usr/bin/apt-get")
    }()

    /// A connection to an empty database of its own, ordered by the rules of English unless a statement says otherwise.
    package static func makeDatabase() throws -> PostgresConnection {
        try connection(to: makeAddress())
    }

    /// The address of an empty database, for its owner or for a user of this name.
    ///
    /// - Parameter user: `guarded` is a user whom the server asks for a password.
    package static func makeAddress(user: String = "odata") throws -> String {
        let (folder, number) = try state.withLock { state in
            let folder = try state.folder ?? start(&state)
            state.folder = folder
            state.databases += 1
            return (folder, state.databases)
        }
        try connection(to: "host=\(folder) user=odata dbname=postgres")
            .run("CREATE DATABASE test\(number)")
        return "host=\(folder) user=\(user) dbname=test\(number)"
    }

    package static func connection(to address: String) throws -> PostgresConnection {
        try PostgresConnection(PostgresConnection.Settings(PostgresAddress(address)))
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
