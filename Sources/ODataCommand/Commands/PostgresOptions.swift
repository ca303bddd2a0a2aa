import ArgumentParser
import ODataServer

#if PostgreSQL
    import ODataPostgres
    import ODataServerPostgres
#endif

/// What `odata serve` is told of a PostgreSQL database beside its address.
struct PostgresOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The schema of PostgreSQL to expose (public).", valueName: "name"))
    var schema: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the password for PostgreSQL, for its owner alone.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    /// True for the address of a PostgreSQL database, and no file.
    static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// - Throws: `ValidationError`, which repeats nothing of an address, as it may hold a password.
    func check(_ database: String?, isProxy: Bool) throws {
        guard let database, Self.isAddress(database) else {
            guard schema == nil, passwordFile == nil else {
                throw ValidationError(
                    "--schema, --password-file: expected --database postgres://….")
            }
            return
        }
        guard !isProxy else {
            throw ValidationError("--proxy: expected a SQLite file for --database.")
        }
        #if PostgreSQL
            do {
                _ = try PostgresAddress(database)
            } catch {
                throw ValidationError("--database: " + error.message)
            }
        #else
            throw ValidationError(
                "--database: expected a SQLite file; this program was built without libpq.")
        #endif
    }

    /// The service over the PostgreSQL database that a configuration names; nil where it names a file.
    func service(_ configuration: ServiceConfiguration) throws -> ODataService? {
        guard Self.isAddress(configuration.databasePath) else { return nil }
        #if PostgreSQL
            try ODataService.requireServed(configuration)
            var settings = PostgresConnection.Settings(
                try PostgresAddress(configuration.databasePath))
            settings.password = passwordFile.map { .file(path: $0) } ?? .standard
            let database = try PostgresDatabase(
                settings, schema: schema ?? "public", maximumCount: configuration.workerThreads,
                world: configuration.world)
            return try ODataService(configuration, reading: database)
        #else
            return nil
        #endif
    }
}
