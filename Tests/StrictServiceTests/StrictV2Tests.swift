import Foundation
import ODataClasses
import ODataProviders
import ODataSync
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Synchronising with a V2 service that answers in Atom where Atom is asked for first, and has tombstones there only.
@Suite struct StrictV2Tests {
    private func tools(_ place: StrictPlace) throws -> [String] {
        try place.rows("SELECT Id || ' ' || ifnull(Title, 'null') FROM Tools ORDER BY Id")
    }

    @Test func pagesNullsTypesAndTombstonesReachTheStore() async throws {
        try await StrictPlace.run(.v2) { place in
            try place.sync.open()
            try place.sync.download()
            #expect(try tools(place) == ["1 Saw", "2 null", "3 Drill & <bit>"])
            #expect(
                try place.rows(
                    "SELECT Id || ' ' || _odata_type FROM Tools WHERE _odata_type IS NOT NULL"
                )
                .contains { $0.hasPrefix("3 ") && $0.hasSuffix("PowerTool") })
            #expect(try place.rows("SELECT Name FROM Members ORDER BY Id") == ["Mia", "Noah ☃"])
            place.service.rename(2, "Plane & square")
            place.service.rename(1, nil)
            place.service.remove(3)
            try place.sync.download()
            #expect(try tools(place) == ["1 null", "2 Plane & square"])
            let last = place.service.lines.last { $0.contains("deltatoken") }
            #expect(last != nil)
            #expect(unexpected(place).isEmpty, "\(unexpected(place))")
        }
    }

    @Test func changesAreMergesWithTheTagThatAtomTold() async throws {
        try await StrictPlace.run(.v2) { place in
            try place.sync.open()
            try place.sync.download()
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let tool = try place.sync.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(1))),
                headers: .empty, options: .none
            ).requiredEntity()
            tool.entityType.property(withName: "Title").setStringValue(in: tool, to: "Bow saw")
            try place.sync.updateEntity(tool, headers: .empty, options: .none)
            try place.sync.upload()
            #expect(place.service.title(1) == "Bow saw")
            #expect(place.service.effects == ["update Tools(1)"])
            let sent = try #require(place.service.requests.last { $0.method == "MERGE" })
            #expect(sent["If-Match"] == "W/\"1\"")
            #expect(try place.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(unexpected(place).isEmpty, "\(unexpected(place))")
        }
    }

    @Test func noContentIsNull() async throws {
        try await StrictPlace.run(.v2) { place in
            let data = try place.data()
            let (owned, free) = (try place.entity("Tools", 1), try place.entity("Tools", 2))
            let owner = owned.entityType.property(withName: "Owner")
            try data.loadProperty(owner, into: owned)
            #expect(place.text(owner.entityValue(from: owned), "Name") == "Mia")
            try data.loadProperty(owner, into: free)
            #expect(free.optionalValue(for: owner) == nil)
            let title = DataQuery()
            title.url = "Tools(2)/Title"
            #expect(try place.online.executeQuery(title).optionalBasic() == nil)
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func linksAreReadByTheirNames() async throws {
        try await StrictPlace.run(.v2) { place in
            try place.online.loadMetadata()
            let query = DataQuery()
            query.url = "Tools(3)/$links/Helpers"
            let found = try place.online.executeQuery(query).entityList()
            #expect(found.isReference)
            #expect(found.toArray().map { place.text($0, "Id") } == ["1", "2"])
            #expect(found[0].entitySet.localName == "Members")
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    /// Whether `$expand` is refused or has no effect: links that no property tells are unknown, never none.
    @Test(arguments: [true, false])
    func linksThatNoReadBringsAreUnknown(ignores: Bool) async throws {
        try await StrictPlace.run(.v2) { place in
            if ignores { place.service.ignoreExpand() }
            try place.sync.open()
            let result = try place.sync.downloadReporting(
                groups: [], SyncOptions(), loadsLinks: true)
            #expect(place.service.lines.contains { $0.contains("expand=Helpers") })
            #expect(
                result.unknownLinks["Tools/Helpers"]?.contains(
                    ignores ? "no download has brought them" : "refuses $expand") == true)
            #expect(try tools(place) == ["1 Saw", "2 null", "3 Drill & <bit>"])
            let data = DataService(provider: place.sync)
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let saw = try place.sync.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(1))),
                headers: .empty, options: .none
            ).requiredEntity()
            let (owner, helpers) = (
                set.entityType.property(withName: "Owner"),
                set.entityType.property(withName: "Helpers")
            )
            try data.loadProperty(owner, into: saw)
            #expect(place.text(owner.entityValue(from: saw), "Name") == "Mia")
            let error = #expect(throws: UndefinedError.self) {
                try data.loadProperty(helpers, into: saw)
            }
            #expect(error?.code == .notLoaded)
            let links = DataQuery()
            links.url = "Tools(1)/Helpers/$ref"
            #expect(throws: UndefinedError.self) {
                try place.sync.executeQuery(links, headers: .empty, options: .none)
            }
        }
    }

    /// All refusals but the one to `$batch`, which nothing in V2 metadata announces.
    private func unexpected(_ place: StrictPlace) -> [Refusal] {
        place.service.refusals.filter { $0.clause != "V2 Batch Processing" }
    }
}
