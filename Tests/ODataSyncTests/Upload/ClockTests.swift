import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataTransport
import ODataWire
import ODataWorld
import SAPOData
import Testing
import WorkplaceFixture

/// The clock of the device is not the service's.
@Suite struct ClockTests {
    /// The live world under a clock that is off.
    private final class ShiftedWorld: VariedWorld {
        let live = LiveWorld()
        private let seconds: Int64

        init(seconds: Int64) { self.seconds = seconds }

        func now() -> Instant {
            var now = live.now()
            now.seconds += seconds
            return now
        }
    }

    private static func provider(
        _ place: ServiceWorkplace, _ world: any World
    ) throws -> CloudSyncProvider {
        let provider = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(
                serviceName: "FieldService", serviceRoot: place.service.url ?? "",
                transport: StandardTransport.shared, world: world,
                folder: PrivateFolder(path: place.folder.path)),
            offlineStore: SQLDatabaseProvider(
                serviceName: "FieldService", databaseURL: "sqlite:" + place.storePath, world: world)
        )
        try provider.open()
        return provider
    }

    /// How far the time of the identity that the service saw is from its own, in seconds.
    private static func difference(_ place: ServiceWorkplace) throws -> Int64 {
        let sent = try #require(
            place.observer.requests.last { $0.headers["Repeatability-First-Sent"] != nil })
        let time = try #require(
            sent.headers["Repeatability-First-Sent"].flatMap { HTTPDate.secondsSince1970($0) })
        return abs(time - LiveWorld().now().seconds)
    }

    @Test(arguments: [-7_200, 7_200, 200])
    func identitiesAreOfTheServicesTime(seconds: Int64) async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            let world = ShiftedWorld(seconds: seconds)
            let provider = try Self.provider(place, world)
            try provider.download(groups: [], options: SyncOptions.none)
            try Self.change(provider, "one")
            try provider.upload(groups: [], options: SyncOptions.none)
            // What is less than five minutes off is left as it is.
            #expect(try Self.difference(place) < (abs(seconds) > 300 ? 60 : 260))
            try provider.close()
            // A process whose first request is an upload asks for the time before.
            let later = try Self.provider(place, world)
            try Self.change(later, "two")
            place.observer.forget()
            try later.upload(groups: [], options: SyncOptions.none)
            #expect(try Self.difference(place) < (abs(seconds) > 300 ? 60 : 260))
            #expect(try place.serviceText("SELECT Name FROM Sites WHERE Id = 1") == "two")
            try later.close()
        }
    }

    private static func change(_ provider: CloudSyncProvider, _ name: String) throws {
        let set = provider.metadata.entitySet(withName: "Sites")
        let id = set.entityType.property(withName: "Id")
        let site = try provider.executeQuery(
            DataQuery().from(set).filter(id.equal(IntValue.of(1))), headers: HTTPHeaders(),
            options: RequestOptions()
        ).entityList().item(at: 0)
        set.entityType.property(withName: "Name").setStringValue(in: site, to: name)
        try provider.updateEntity(site, headers: HTTPHeaders(), options: RequestOptions())
    }
}
