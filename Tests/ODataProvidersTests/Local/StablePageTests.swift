import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Pages of a local read while rows come, change and go between them: what did not change comes once, in order.
@Suite struct StablePageTests {
    private static let schema = """
        <EnumType Name="Colour"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <ComplexType Name="Size"><Property Name="W" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Owner"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <NavigationProperty Name="Things" Type="Collection(Demo.Thing)" Partner="Owner"/></EntityType>
        <EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Text" Type="Edm.String"/>
          <Property Name="Rate" Type="Edm.Double"/>
          <Property Name="Amount" Type="Edm.Decimal" Scale="variable"/>
          <Property Name="At" Type="Edm.DateTimeOffset"/>
          <Property Name="Took" Type="Edm.Duration"/>
          <Property Name="Mark" Type="Edm.Guid"/>
          <Property Name="On" Type="Edm.Boolean"/>
          <Property Name="Colour" Type="Demo.Colour"/>
          <Property Name="Size" Type="Demo.Size"/>
          <Property Name="OwnerId" Type="Edm.Int32"/>
          <NavigationProperty Name="Owner" Type="Demo.Owner" Partner="Things">
            <ReferentialConstraint Property="OwnerId" ReferencedProperty="Id"/>
          </NavigationProperty></EntityType>
        <EntityType Name="Special" BaseType="Demo.Thing"><Property Name="Extra" Type="Edm.String"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Owners" EntityType="Demo.Owner">
          <NavigationPropertyBinding Path="Things" Target="Things"/></EntitySet>
          <EntitySet Name="Things" EntityType="Demo.Thing">
          <NavigationPropertyBinding Path="Owner" Target="Owners"/></EntitySet></EntityContainer>
        """

    private static let domains: [(String, [String?])] = [
        ("Text", [nil, "", "a", "a\u{0}b", "b\u{1F}c", "b\u{1E}", "\u{301}x", "Ä"]),
        ("Rate", [nil, "-INF", "-1.5", "0", "1e300", "INF", "NaN"]),
        ("Amount", [nil, "1.5", "1.50", "-3", "12345678901234567890.123"]),
        (
            "At",
            [nil, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2025-06-01T12:00:00.5Z"]
        ),
        ("Took", [nil, "PT1H", "PT60M", "-P1D"]),
        ("Mark", [nil, "00000000-0000-0000-0000-0000000000ff"]),
        ("On", [nil, "true", "false"]),
        ("Colour", [nil, "1", "2"]),
        ("OwnerId", [nil, "1", "2", "3"]),
    ]

    /// Rows, and who of them changed; the seed repeats a run.
    private final class Story {
        let place: LocalPlace
        var random: SeededGenerator
        /// Rows by id that are as they were when the reading began.
        var untouched: Set<Int> = []
        var owners: [Int: Int] = [:]
        var last = 0

        init(_ place: LocalPlace, seed: UInt64) throws {
            self.place = place
            random = SeededGenerator(seed: seed)
            for id in 1...3 { try place.create("Owners", ["Id": "\(id)", "Name": "o\(id % 2)"]) }
            for _ in 0..<24 { try insert() }
        }

        func pick<Item>(_ items: [Item]) -> Item {
            items[random.below(items.count)]
        }

        func values() -> [String: String?] {
            Dictionary(StablePageTests.domains.map { ($0, pick($1)) }) { $1 }
        }

        func insert() throws {
            last += 1
            var values = values()
            values["Id"] = "\(last)"
            let isSpecial = random.below(3) == 0
            if isSpecial { values["Extra"] = pick([nil, "x", "y"]) }
            owners[last] = values["OwnerId"].flatMap { $0 }.flatMap { Int($0) }
            try place.create("Things", values, type: isSpecial ? "Demo.Special" : nil)
        }

        func begin() throws {
            untouched = Set(try place.values("Things?$select=Id", "Id").compactMap { Int($0) })
        }

        /// Something happens between two pages.
        func disturb() throws {
            let ids = try place.values("Things?$select=Id", "Id").compactMap { Int($0) }
            let victim = pick(ids)
            switch random.below(8) {
            case 0, 1: try insert()
            case 2 where ids.count > 12:
                try place.service.deleteEntity(try place.entity("Things(\(victim))"))
                untouched.remove(victim)
            case 3:
                let owner = 1 + random.below(3)
                try place.update(
                    try place.entity("Owners(\(owner))"), ["Name": pick([nil, "o0", "o1", "zz"])])
                untouched.subtract(owners.filter { $0.value == owner }.keys)
            default:
                let values = values()
                try place.update(try place.entity("Things(\(victim))"), values)
                owners[victim] = values["OwnerId"].flatMap { $0 }.flatMap { Int($0) }
                untouched.remove(victim)
            }
        }
    }

    @Test(arguments: [
        "Things", "Things?$orderby=Text", "Things?$orderby=Text desc,On", "Things?$orderby=Rate",
        "Things?$orderby=Rate desc", "Things?$orderby=Amount desc,Text", "Things?$orderby=At,Rate",
        "Things?$orderby=Took desc", "Things?$orderby=Mark desc,Id desc",
        "Things?$orderby=Colour desc,On desc", "Things?$orderby=Owner/Name",
        "Things?$orderby=Owner/Name desc,Text", "Things?$orderby=length(Text) desc",
        "Things?$orderby=tolower(Text),Rate desc", "Things?$orderby=Rate mul 2 desc",
        "Things?$orderby=Demo.Special/Extra desc,Text", "Things/Demo.Special?$orderby=Extra",
        "Owners(1)/Things?$orderby=Text desc", "Things?$filter=Rate lt 5&$orderby=Owner/Id desc",
        "Things?$orderby=At desc&$select=Id&$expand=Owner($select=Name)",
        "Things?$compute=Rate add 1 as More&$orderby=More desc&$select=Id,More",
    ])
    func aRowThatDidNotChangeComesOnce(url: String) async throws {
        try await LocalPlace.run(Self.schema) { place in
            for seed in 1...3 as ClosedRange<UInt64> {
                if seed > 1 {
                    for name in ["Things", "Owners"] {
                        for entity in try place.entities(name) {
                            try place.service.deleteEntity(entity)
                        }
                    }
                }
                let story = try Story(place, seed: seed &* 7919 &+ UInt64(url.utf8.count))
                try story.begin()
                let size = 1 + story.random.below(5)
                var result = try place.result(url, page: size)
                var seen = try place.ids(result)
                while try result.entityList().nextLink != nil, seen.count < 500 {
                    #expect(try result.entityList().length == size)
                    for _ in 0..<story.random.below(3) { try story.disturb() }
                    result = try place.service.executeQuery(result.nextQuery())
                    seen += try place.ids(result)
                }
                let whole = try place.ids(try place.result(url))
                var expected = whole.filter { story.untouched.contains($0) }
                // Without an order of its own only pages have one.
                if !url.contains("$orderby") { expected.sort() }
                #expect(
                    seen.filter { story.untouched.contains($0) } == expected,
                    "\(url), seed \(seed), pages of \(size)")
            }
        }
    }

    @Test func theCountIsThatOfAllPagesAndTopEndsThem() async throws {
        try await LocalPlace.run(Self.schema) { place in
            let story = try Story(place, seed: 5)
            _ = story
            var result = try place.result(
                "Things?$count=true&$skip=2&$top=7&$orderby=Rate", page: 3)
            #expect(try result.inlineCount() == 24)
            var sizes = [try result.entityList().length]
            var ids = try place.ids(result)
            while try result.entityList().nextLink != nil {
                result = try place.service.executeQuery(result.nextQuery())
                sizes.append(try result.entityList().length)
                ids += try place.ids(result)
            }
            #expect(sizes == [3, 3, 1])
            #expect(ids == (try place.ids(place.result("Things?$skip=2&$top=7&$orderby=Rate"))))
        }
    }

    @Test func aTokenThatIsNoneOfTheQueryIsRefused() async throws {
        try await LocalPlace.run(Self.schema) { place in
            _ = try Story(place, seed: 9)
            let first = try place.result("Things?$orderby=Text", page: 4).entityList()
            let link = try #require(first.nextLink)
            let token = try #require(link.components(separatedBy: "$skiptoken=").last)
            #expect(try place.entities(link).count == 4)
            let flipped = (token.first == "A" ? "B" : "A") + token.dropFirst()
            for url in [
                "Things?$orderby=Rate&$skiptoken=\(token)", "Things?$skiptoken=\(token)",
                "Owners?$orderby=Name&$skiptoken=\(token)",
                "Things?$orderby=Text&$skiptoken=\(flipped)",
                "Things?$orderby=Text&$skiptoken=\(token.dropLast(3))",
                "Things?$orderby=Text&$skiptoken=5", "Things?$orderby=Text&$skiptoken=",
                "Things(1)?$skiptoken=\(token)", "Things/$count?$skiptoken=\(token)",
            ] {
                let error = #expect(throws: DataQueryError.self, "\(url)") {
                    _ = try place.entities(url)
                }
                #expect(error?.code == .invalidQuery)
                #expect(
                    error.map { "\($0)".contains("oken") } ?? false,
                    "\(url): \(String(describing: error))")
            }
        }
    }

    /// Groups have no key to go on from, and the preference binds nobody.
    @Test func groupsComeAtOnce() async throws {
        try await LocalPlace.run(Self.schema) { place in
            _ = try Story(place, seed: 4)
            let url = "Things?$apply=groupby((Colour),aggregate($count as N))"
            #expect(try place.result(url, page: 1).entityList().length == 3)
            #expect(try place.result(url, page: 1).entityList().nextLink == nil)
        }
    }
}

extension LocalPlace {
    fileprivate func ids(_ result: QueryResult) throws -> [Int] {
        try result.entityList().toArray().compactMap { Int(value($0, "Id")) }
    }
}
