import Foundation
import GRDB
import ODataClasses
import ODataProviders
import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Offline clients of a proxy that takes changes.
@Suite struct PassedSyncTests {
    private final class Client {
        let sync: CloudSyncProvider
        private let file: String

        init(_ name: String, _ place: PassPlace) throws {
            file = place.folder.appendingPathComponent("\(name).db").path
            sync = CloudSyncProvider(
                onlineProvider: OnlineODataProvider(
                    serviceName: name, serviceRoot: place.proxy.service.url ?? ""),
                offlineStore: SQLDatabaseProvider(
                    serviceName: name, databaseURL: "sqlite:\(file)"))
            try sync.open()
            try sync.download()
        }

        func tool(_ id: Int) throws -> EntityValue {
            let set = sync.metadata.entitySet(withName: "Tools")
            return try sync.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(id))),
                headers: .empty, options: .none
            ).requiredEntity()
        }

        func rename(_ id: Int, _ title: String) throws {
            let tool = try tool(id)
            tool.entityType.property(withName: "Title").setStringValue(in: tool, to: title)
            try sync.updateEntity(tool, headers: .empty, options: .none)
        }

        func create(_ title: String) throws {
            let set = sync.metadata.entitySet(withName: "Tools")
            let new = EntityValue.ofType(set.entityType).inSet(set)
            new.entityType.property(withName: "Title").setStringValue(in: new, to: title)
            try sync.createEntity(new, headers: .empty, options: .none)
        }

        /// What the store holds, read beside the product.
        func rows(_ sql: String) throws -> [String] {
            var configuration = Configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: file, configuration: configuration).read {
                try String.fetchAll($0, sql: sql)
            }
        }

        static let all = "SELECT Id || ' ' || ifnull(Title, 'null') FROM Tools ORDER BY Id"
    }

    /// One answer of the service behind the proxy is lost; that one knows no repeated requests.
    @Test(arguments: [false, true])
    func whatWasChangedOfflineArrivesOnceAndAtOthers(_ losesAnswer: Bool) async throws {
        try await PassPlace.run { place in
            let (writer, follower) = (try Client("a", place), try Client("b", place))
            defer {
                try? writer.sync.close()
                try? follower.sync.close()
            }
            try writer.rename(1, "Bow saw")
            try writer.sync.deleteEntity(writer.tool(3), headers: .empty, options: .none)
            try writer.create("Plane")
            if losesAnswer { place.front.failNextChange(.loseAnswer) }
            for _ in 0..<3 { try? writer.sync.upload() }
            #expect(
                place.effects.sorted() == [
                    "create Tools(101)", "delete Tools(3)", "update Tools(1)",
                ])
            #expect(try writer.rows("SELECT state FROM _odata_request").isEmpty)
            try follower.sync.download()
            #expect(try follower.rows(Client.all) == ["1 Bow saw", "2 null", "101 Plane"])
            try writer.sync.download()
            #expect(try writer.rows(Client.all) == ["1 Bow saw", "2 null", "101 Plane"])
        }
    }

    @Test func aConflictIsListedAndNothingIsOverwritten() async throws {
        try await PassPlace.run { place in
            let client = try Client("a", place)
            defer { try? client.sync.close() }
            try client.rename(1, "mine")
            place.strict.rename(1, "theirs")
            for _ in 0..<2 {
                try? client.sync.upload()
                try client.sync.download()
            }
            #expect(place.strict.title(1) == "theirs")
            #expect(place.effects.isEmpty)
            #expect(try client.rows("SELECT state FROM _odata_request") == ["failed"])
        }
    }
}
