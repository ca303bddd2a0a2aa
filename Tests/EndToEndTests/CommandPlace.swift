import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// A service in this process for commands in others.
final class CommandPlace {
    let folder: TemporaryFolder
    let service: ODataService
    let url: String
    var store: String { folder.file("store.sqlite") }
    var database: String { folder.file("service.sqlite") }

    init() throws {
        folder = try TemporaryFolder("odata-command")
        service = try ODataService(
            ServiceConfiguration(
                databasePath: folder.file("service.sqlite"),
                sample: ServiceConfiguration.Sample(scale: 400)))
        try service.start()
        url = service.url ?? ""
    }

    func close() {
        try? service.close()
        folder.remove()
    }

    /// Gives `body` a place whose store has been synchronised, on a thread of its own.
    static func synchronised(
        _ body: @escaping @Sendable (CommandPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let sync = try place.odata("sync", place.url)
            #expect(sync.status == 0, "\(sync.errors)")
            try body(place)
        }
    }

    /// Runs the command on the store, with JSON as result.
    func odata(_ arguments: String...) throws -> Child.Result { try odata(arguments) }

    func odata(_ arguments: [String]) throws -> Child.Result {
        try Child.run(
            Child.command,
            arguments.prefix(1) + ["--store", store, "--json"] + arguments.dropFirst())
    }

    /// Runs SQL on the service's file with the stock shell; returns what it prints.
    @discardableResult
    func execute(_ sql: String) throws -> String {
        let result = try Child.run(
            "/usr/bin/env", ["sqlite3", "-cmd", ".timeout 10000", database, sql])
        guard result.status == 0 else { throw SQLFailure(text: result.errors) }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    struct SQLFailure: Error { var text: String }
}
