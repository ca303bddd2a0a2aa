import SAPOData
import Synchronization
import ODataQuery
import ODataSync
import ODataTesting
import Testing

/// What only V2 services do: tombstones in Atom alone, delta links on every page, sets of a second container, links without
/// constraint.
@Suite struct V2ReadTests {
    static let schema = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <edmx:DataServices m:DataServiceVersion="2.0">
        <Schema Namespace="D" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Tags" Relationship="D.OT" FromRole="O" ToRole="T"/></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Code"/></Key>
            <Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Picture"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/></EntityType>
        <Association Name="OT"><End Role="O" Type="D.Order" Multiplicity="*"/>
            <End Role="T" Type="D.Tag" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Orders" EntityType="D.Order"/><EntitySet Name="Tags" EntityType="D.Tag"/>
            <AssociationSet Name="OTs" Association="D.OT"><End Role="O" EntitySet="Orders"/>
                <End Role="T" EntitySet="Tags"/></AssociationSet>
        </EntityContainer>
        <EntityContainer Name="Gallery" m:IsDefaultEntityContainer="false">
            <EntitySet Name="Pictures" EntityType="D.Picture"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func row(_ set: String, _ key: String, _ rest: String) -> String {
        "{\"__metadata\":{\"uri\":\"http://h/s/\(set)(\(key))\",\"type\":\"D.X\"},\(rest)}"
    }

    private static func feed(_ body: String) -> StubDesk.Said {
        StubDesk.Said(
            type: "application/atom+xml;type=feed",
            body: """
                <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://h/s/"
                xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
                xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
                xmlns:at="http://purl.org/atompub/tombstones/1.0"><title/><id>x</id>\(body)</feed>
                """)
    }

    private static func others(_ asked: StubDesk.Asked) -> StubDesk.Said {
        switch asked.resource.prefix(while: { $0 != "?" }) {
        case "Tags": .json(#"{"d":{"results":[{"Code":"t"},{"Code":"u"}]}}"#)
        case "Gallery.Pictures":
            .json("{\"d\":{\"results\":[\(row("Gallery.Pictures", "1", #""ID":1,"Title":"p""#))]}}")
        default: .status(404)
        }
    }

    @Test func tombstonesAreAskedForOnEveryPageOfADelta() async throws {
        try await StubDesk.run(Self.schema) { asked in
            let wantsAtom = asked.accept.hasPrefix("application/atom+xml")
            return switch asked.resource {
            case "Orders":
                .json(
                    #"{"d":{"results":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}],"#
                        + #""__delta":"Orders?!deltatoken='1'"}}"#)
            case "Orders?!deltatoken='1'":
                wantsAtom
                    ? Self.feed(#"<link rel="next" href="Orders?$skiptoken=9"/>"#)
                    : .json(#"{"d":{"results":[],"__next":"Orders?$skiptoken=9"}}"#)
            case "Orders?$skiptoken=9":
                wantsAtom
                    ? Self.feed(
                        #"<at:deleted-entry ref="http://h/s/Orders(2)" when="2031-05-01T08:30:00Z"/>"#
                            + #"<link rel="delta" href="Orders?!deltatoken='2'"/>"#)
                    : .json(#"{"d":{"results":[],"__delta":"Orders?!deltatoken='2'"}}"#)
            default: Self.others(asked)
            }
        } _: { desk in
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == ["1", "2"])
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == ["1"])
        }
    }

    /// The parts of a batch say for themselves what they accept.
    @Test func tombstonesAreAskedForInsideBatchesToo() async throws {
        let batches = Mutex<[String]>([])
        try await StubDesk.run(Self.schema) { asked in
            switch asked.resource {
            case "$batch":
                batches.withLock { $0.append(asked.body) }
                return Self.batch(asked)
            case "Orders?$skiptoken=9":
                return asked.accept.hasPrefix("application/atom+xml")
                    ? Self.feed(
                        #"<at:deleted-entry ref="http://h/s/Orders(2)" when="2031-05-01T08:30:00Z"/>"#
                            + #"<link rel="delta" href="Orders?!deltatoken='2'"/>"#)
                    : .json(#"{"d":{"results":[],"__delta":"Orders?!deltatoken='2'"}}"#)
            default: return Self.others(asked)
            }
        } _: { desk in
            desk.sync.batchEntityDownloads = true
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == ["1", "2"])
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == ["1"])
            let last = batches.withLock { $0.last ?? "" }
            #expect(last.contains("Accept: application/atom+xml, application/json;q=0.5"))
            // What came in the batch is not asked for again.
            #expect(!desk.asked.contains { $0.resource.hasPrefix("Orders?!deltatoken") })
        }
    }

    /// The answers to the parts of a batch, each in the form that its part asks for.
    private static func batch(_ asked: StubDesk.Asked) -> StubDesk.Said {
        let lines = asked.body.split(separator: "\r\n")
        let urls = lines.filter { $0.hasPrefix("GET ") }.map { line in
            String(line.split(separator: " ")[1]).removingPercentEncoding ?? ""
        }
        let accepts = lines.filter { $0.hasPrefix("Accept: ") }
        var text = ""
        for (url, accept) in zip(urls, accepts) {
            var part = asked
            part.resource = url
            var said = others(part)
            if url == "Orders" {
                said = .json(
                    #"{"d":{"results":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}],"#
                        + #""__delta":"Orders?!deltatoken='1'"}}"#)
            } else if url == "Orders?!deltatoken='1'" {
                said =
                    accept.contains("atom")
                    ? feed(#"<link rel="next" href="Orders?$skiptoken=9"/>"#)
                    : .json(#"{"d":{"results":[]}}"#)
            }
            text +=
                "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Type: \(said.type)\r\n\r\n\(said.body)\r\n"
        }
        return StubDesk.Said(
            status: 202, type: "multipart/mixed; boundary=b", body: text + "--b--\r\n")
    }

    @Test func theDeltaLinkOfTheFirstPageCounts() async throws {
        try await StubDesk.run(Self.schema) { asked in
            switch asked.resource {
            case "Orders":
                .json(
                    #"{"d":{"results":[{"ID":1,"Title":"a"}],"__next":"Orders?$skiptoken=1","#
                        + #""__delta":"Orders?!deltatoken='1'"}}"#)
            case "Orders?$skiptoken=1":
                .json(
                    #"{"d":{"results":[{"ID":2,"Title":"b"}],"#
                        + #""__delta":"Orders?!deltatoken='9'"}}"#)
            default: Self.others(asked)
            }
        } _: { desk in
            try desk.sync.download()
            #expect(
                try desk.rows("SELECT link FROM _odata_delta WHERE query = 'set:Orders'")
                    == ["Orders?!deltatoken='1'"])
        }
    }

    @Test func aSetOfAnotherContainerIsAddressedWithItsContainer() async throws {
        try await StubDesk.run(Self.schema) { asked in
            asked.resource.hasPrefix("Orders")
                ? .json(#"{"d":{"results":[]}}"#) : Self.others(asked)
        } _: { desk in
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Title FROM Pictures") == ["1 p"])
            #expect(desk.asked.contains { $0.resource == "Gallery.Pictures" })
            #expect(!desk.asked.contains { $0.resource == "Pictures" })
        }
    }

    /// Creations are posted to the address that reads ask, in batches, online, and where they are looked for.
    @Test(arguments: [true, false])
    func changesOfAnotherContainersSetNameItsContainer(isBatched: Bool) async throws {
        let written = Mutex<[String]>([])
        try await StubDesk.run(Self.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "$batch"):
                let lines = asked.body.split(separator: "\r\n").filter {
                    $0.hasSuffix(" HTTP/1.1") && !$0.hasPrefix("GET ")
                }
                written.withLock {
                    $0 += lines.map { String($0.dropLast(" HTTP/1.1".count)) }
                }
                return .lost
            case ("POST", "Gallery.Pictures"):
                written.withLock { $0.append("POST Gallery.Pictures") }
                return StubDesk.Said(
                    status: 201,
                    body: "{\"d\":\(Self.row("Gallery.Pictures", "5", #""ID":5,"Title":"n""#))}")
            case ("GET", "Gallery.Pictures(1)"):
                return .json("{\"d\":\(Self.row("Gallery.Pictures", "1", #""ID":1,"Title":"q""#))}")
            case ("GET", _):
                return asked.resource.hasPrefix("Orders")
                    ? .json(#"{"d":{"results":[]}}"#) : Self.others(asked)
            default:
                written.withLock { $0.append("\(asked.method) \(asked.resource)") }
                return StubDesk.Said(status: asked.resource.hasPrefix("Gallery.") ? 204 : 404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = isBatched
            desk.sync.throwUploadFailures = false
            desk.sync.sendRepeatableRequests = false
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Pictures")
            let title = set.entityType.property(withName: "Title")
            let old = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).requiredEntity()
            let new = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "ID").setIntValue(in: new, to: 5)
            title.setStringValue(in: new, to: "n")
            try desk.sync.createEntity(new, headers: .empty, options: .none)
            title.setStringValue(in: old, to: "q")
            try desk.sync.updateEntity(old, headers: .empty, options: .none)
            _ = try? desk.sync.upload()
            #expect(
                Set(written.withLock { $0 })
                    == ["POST Gallery.Pictures", "MERGE Gallery.Pictures(1)"])
            #expect(!desk.asked.contains { $0.resource.hasPrefix("Pictures") })
        }
    }

    @Test func linksWithoutConstraintAreExpandedInV2Too() async throws {
        try await StubDesk.run(Self.schema) { asked in
            asked.resource == "Orders?$expand=Tags"
                ? .json(
                    #"{"d":{"results":[{"ID":1,"Title":"a","Tags":{"results":[{"Code":"t"}]}},"#
                        + #"{"ID":2,"Title":"b","Tags":{"results":[]}}]}}"#)
                : Self.others(asked)
        } _: { desk in
            let result = try desk.sync.downloadReporting(
                groups: [], SyncOptions(), loadsLinks: true)
            #expect(result.skipped.isEmpty && result.unknownLinks.isEmpty)
            #expect(try desk.rows("SELECT count(*) FROM _odata_link_Orders_Tags") == ["1"])
            #expect(
                try desk.rows("SELECT \"table\" FROM _odata_loaded ORDER BY 1").contains("Orders"))
        }
    }
}
