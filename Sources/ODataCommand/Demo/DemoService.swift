import GRDB
import ODataServer
import ODataText

/// The service of the demo: started and stopped as a whole, always on the same port over the same file.
final class DemoService {
    let databasePath: String
    private let scale: Int
    private let seed: UInt64
    private var port = 0
    private var running: ODataService?

    init(databasePath: String, scale: Int, seed: UInt64) {
        self.databasePath = databasePath
        self.scale = scale
        self.seed = seed
    }

    /// Opens the file (making the sample the first time) and listens; returns the service root.
    func start() throws -> String {
        var configuration = ServiceConfiguration(
            databasePath: databasePath,
            sample: ServiceConfiguration.Sample(scale: scale, seed: seed))
        if port == 0 { port = try LoopbackPort.find() }
        configuration.port = port
        let service = try ODataService(configuration)
        try service.start()
        running = service
        guard let url = service.url else { throw CommandError.failed("the service has no port.") }
        return url
    }

    /// Closes port and file.
    func stop() throws {
        try running?.close()
        running = nil
    }

    /// Runs statements on the file in one transaction, as any other program could; returns how many rows changed.
    func execute(_ statements: [(sql: String, arguments: StatementArguments)]) throws -> Int {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: databasePath, configuration: configuration)
        defer { try? queue.close() }
        return try queue.write { database in
            var changed = 0
            for statement in statements {
                try database.execute(sql: statement.sql, arguments: statement.arguments)
                changed += database.changesCount
            }
            return changed
        }
    }

    /// One value read from the file.
    func value(_ sql: String, _ arguments: StatementArguments) throws -> DatabaseValue? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: databasePath, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            try DatabaseValue.fetchOne(database, sql: sql, arguments: arguments)
        }
    }
}
