import Foundation
import GRDB
import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataText
import ODataWire
import ODataWorld

/// A store with things of an open type, which bring a value `V` of every kind as a download would.
final class OpenStore {
    let store: LocalStore
    let graph: MetadataGraph
    private let folder: URL

    init(_ rows: [String] = OpenStore.things) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("open-\(UUID().uuidString)")
        store = try LocalStore(
            path: folder.appendingPathComponent("store.sqlite").path, world: LiveWorld(),
            configuration: LocalStore.Configuration())
        graph = try CSDLReader.read(Array(Self.metadata.utf8))
        try store.adopt(metadata: Self.metadata, graph: graph)
        try download(rows)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func download(_ rows: [String]) throws {
        let mapping = try store.mapping()
        let plan = IngestPlan(
            table: try mapping.existingTable(path: "Things"), graph: mapping.graph)
        var reader = RowReader(shape: plan.shape)
        let shadow = QueueShadow(store)
        let text = "{\"value\":[\(rows.joined(separator: ","))]}"
        try store.write(.normal) { database in
            var ingest = try RowIngest(
                plan, mapping: mapping, database: database, mode: .merge, handler: shadow)
            _ = try reader.readPage(Array(text.utf8), into: &ingest)
            try ingest.finish()
        }
    }

    func query(_ options: String) throws -> Query {
        var query = try URLParser.parse(
            "Things?" + options.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    func values(_ options: String) throws -> [StructureValue] {
        try store.execute(query(options)).values
    }

    func ids(_ options: String) throws -> [Int64] { try values(options).compactMap(Self.id) }

    static func id(_ value: StructureValue) -> Int64? {
        if case .integer(let id)? = value.slots.first??.scalar { id } else { nil }
    }

    /// One dynamic value of each row by its text.
    func texts(_ name: String, _ options: String) throws -> [String] {
        try values(options).map { value in
            switch value.dynamicValues[name] {
            case nil: "none"
            case .scalar(let scalar)?: scalar == .null ? "null" : Lexical.text(scalar)
            case .list(let members)?: "\(members.count) members"
            case .structure?: "structure"
            }
        }
    }

    static let things = [
        #"{"Id":1,"Name":"5","Size":5,"V":5}"#,
        #"{"Id":2,"Name":"a","Size":6,"V":5.0,"ParentId":1}"#,
        #"{"Id":3,"Name":"b","V":"5","Day":"2031-01-01","ParentId":2}"#,
        #"{"Id":4,"V":true}"#,
        ##"{"Id":5,"Day":"2031-01-01","V@odata.type":"#Date","V":"2031-01-01"}"##,
        #"{"Id":6,"V":"2031-01-01"}"#,
        #"{"Id":7,"Name":"none"}"#,
        #"{"Id":8,"V":null}"#,
        #"{"Id":9,"V":[1,2]}"#,
        #"{"Id":10,"V":{"City":"Rome","Zip":7}}"#,
        #"{"Id":11,"V":1e2}"#,
        ##"{"Id":12,"V@odata.type":"#DateTimeOffset","V":"2031-01-01T00:30:00+02:00"}"##,
        ##"{"Id":13,"V@type":"Guid","V":"0000AAAA-bbbb-cccc-dddd-0123456789ab"}"##,
        ##"{"Id":14,"V@odata.type":"#Duration","V":"PT36H"}"##,
        ##"{"Id":15,"V@odata.type":"#Double","V":"INF"}"##,
        #"{"Id":16,"V":""}"#,
        #"{"Id":17,"V":9007199254740993}"#,
        #"{"Id":18,"V":0.1}"#,
        ##"{"Id":19,"V@odata.type":"#Double","V":0.1}"##,
        ##"{"Id":20,"V":{"@odata.type":"#Shop.Address","City":"Rome"}}"##,
        ##"{"Id":21,"V@odata.type":"#Shop.Grade","V":"Gold,Bronze"}"##,
        ##"{"Id":22,"V@odata.type":"#TimeOfDay","V":"12:30:00"}"##,
        ##"{"Id":23,"V@odata.type":"#Double","V":"NaN"}"##,
        #"{"Id":24,"V":false,"Box":{"Width":3,"Height":9,"Made@odata.type":"Date","Made":"2030-05-05"}}"#,
        #"{"Id":25,"V":-7,"Box":{"Width":4}}"#,
    ]

    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Grade" IsFlags="true"><Member Name="Bronze" Value="1"/>
          <Member Name="Gold" Value="4"/></EnumType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Box" OpenType="true"><Property Name="Width" Type="Edm.Int32"/>
        </ComplexType>
        <EntityType Name="Thing" OpenType="true"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <Property Name="Size" Type="Edm.Int32"/>
          <Property Name="Day" Type="Edm.Date"/>
          <Property Name="Box" Type="Shop.Box"/>
          <Property Name="ParentId" Type="Edm.Int64"/>
          <NavigationProperty Name="Parent" Type="Shop.Thing" Partner="Parts">
            <ReferentialConstraint Property="ParentId" ReferencedProperty="Id"/>
          </NavigationProperty>
          <NavigationProperty Name="Parts" Type="Collection(Shop.Thing)" Partner="Parent"/>
        </EntityType>
        <EntityContainer Name="Container"><EntitySet Name="Things" EntityType="Shop.Thing">
          <NavigationPropertyBinding Path="Parent" Target="Things"/>
          <NavigationPropertyBinding Path="Parts" Target="Things"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
