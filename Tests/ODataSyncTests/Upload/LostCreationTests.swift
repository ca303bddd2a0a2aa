import Foundation
import GRDB
import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// Creations of contained and of media entities, carried out by a service that gives the keys and drops the connection: each
/// is there once, and the local row gets its key.
@Suite struct LostCreationTests {
    private static let schema = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Notes" Type="Collection(D.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="Line"/></Key>
            <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="D.Customer"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func aContainedEntityIsMadeOnceAndFound() async throws {
        let notes = Mutex([#"{"Line":1,"Text":"old"}"#])
        try await StubDesk.run(Self.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "Customers(1)/Notes"):
                #expect(asked.body == #"{"Text":"new"}"#)
                notes.withLock { $0.append(#"{"Line":\#($0.count + 1),"Text":"new"}"#) }
                return .lost
            case ("GET", "Customers"): return .page(#"{"ID":1,"Name":"a"}"#)
            case ("GET", "Customers?$expand=Notes"):
                let all = notes.withLock { $0.joined(separator: ",") }
                return .page(#"{"ID":1,"Name":"a","Notes":[\#(all)]}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            desk.sync.throwUploadFailures = false
            let expanding = DataQuery().from(desk.sync.metadata.entitySet(withName: "Customers"))
            expanding.url = "Customers?$expand=Notes"
            try desk.sync.createDownloadQuery(name: "all", query: expanding, streams: false)
            try desk.sync.download()
            let type = desk.sync.metadata.entitySet(withName: "Customers").entityType
            let property = type.property(withName: "Notes")
            let parent = try desk.sync.executeQuery(
                DataQuery().from(desk.sync.metadata.entitySet(withName: "Customers")),
                headers: .empty, options: .none
            ).requiredEntity()
            let note = EntityValue.ofType(property.itemEntityType)
            let text = property.itemEntityType.property(withName: "Text")
            text.setStringValue(in: note, to: "new")
            (note.parentEntity, note.parentProperty) = (parent, property)
            try desk.sync.createEntity(note, headers: .empty, options: .none)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.sync.upload()
            let failed = try desk.sync.failed().toArray().filter { $0.isUnknown }
            #expect(failed.count == 1)
            try desk.sync.download()
            #expect(try desk.sync.failed().toArray().allSatisfy { !$0.isUnknown })
            let stored = "SELECT Line, Text FROM \"Customers/Notes\" ORDER BY Line"
            #expect(try desk.rows(stored) == ["1 old", "2 new"])
            try desk.sync.upload()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(
                notes.withLock { $0 } == [
                    #"{"Line":1,"Text":"old"}"#, #"{"Line":2,"Text":"new"}"#,
                ])
            #expect(desk.asked.filter { $0.method == "POST" }.count == 1)
        }
    }

    /// The creation of a media entity sends its content alone: what came since is listed, and the app says which it is.
    @Test func aMediaEntityIsMadeOnceAndGetsItsKeyWhenItIsConfirmed() async throws {
        try await PictureDesk.run(adjust: {
            $0.sendRepeatableRequests = false
            $0.throwUploadFailures = false
        }) { desk in
            let content = PictureDesk.bytes(2_000)
            try desk.create(desk.newPicture("lost"), ByteStream.fromBinary(data: content))
            desk.place.observer.setFaults { request, _ in
                request.method == "POST" ? .loseAnswer : nil
            }
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            desk.place.restoreNetwork()
            try desk.sync.upload()
            #expect(try desk.sync.failed().toArray().contains { $0.isUnknown })
            try desk.sync.download(["pictures"])
            let listed = try desk.sync.failed().toArray().filter { $0.isUnknown }
            #expect(listed.count == 1)
            #expect(
                listed.first?.errorMessage?.contains("Pictures(4) may hold what was sent") == true)
            try listed.first?.confirm(as: try desk.picture(4))
            try desk.sync.upload()
            #expect(try desk.place.storeRows("SELECT 1 FROM _odata_request").isEmpty)
            #expect(try desk.place.serviceCount("Pictures") == 4)
            #expect(try desk.place.serviceText("SELECT Title FROM Pictures WHERE Id = 4") == "lost")
            #expect(try desk.atService(4) == content)
            try desk.sync.download(["pictures"])
            #expect(
                try desk.place.storeRows("SELECT Id || Title FROM Pictures ORDER BY Id").map {
                    "\($0[0] as String)"
                } == ["1Lake", "2Hill", "3Sea", "4lost"])
            #expect(try desk.media(4) == content)
            #expect(desk.place.requests("POST Pictures").count == 1)
        }
    }
}
