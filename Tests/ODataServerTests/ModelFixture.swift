import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// A service whose database is made from a document: a library of books, people, tags and copies.
final class ModelFixture: Sendable {
    let directory: TemporaryDirectory
    let service: ODataService
    var path: String { directory.file("library.sqlite") }

    static let document = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Lib">
          <EnumType Name="Genre" IsFlags="true"><Member Name="Crime" Value="1"/><Member Name="Love" Value="2"/></EnumType>
          <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="9" Scale="2"/>
          <ComplexType Name="Address"><Property Name="Street" Type="Edm.String" Nullable="false"/>
            <Property Name="City" Type="Edm.String"/></ComplexType>
          <ComplexType Name="Note"><Property Name="Text" Type="Edm.String"/><Property Name="Page" Type="Edm.Int32"/></ComplexType>
          <ComplexType Name="Quote" BaseType="Lib.Note"><Property Name="By" Type="Edm.String"/></ComplexType>
          <EntityType Name="Person"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Home" Type="Lib.Address"/>
            <Property Name="Nicknames" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Born" Type="Edm.DateTimeOffset" Precision="3"/>
            <NavigationProperty Name="Books" Type="Collection(Lib.Book)" Partner="Author"><OnDelete Action="Cascade"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Employee" BaseType="Lib.Person"><Property Name="Salary" Type="Lib.Money"/></EntityType>
          <EntityType Name="Book"><Key><PropertyRef Name="Isbn"/></Key>
            <Property Name="Isbn" Type="Edm.String" Nullable="false"/>
            <Property Name="Title" Type="Edm.String" Nullable="false" MaxLength="20"/>
            <Property Name="Genre" Type="Lib.Genre" Nullable="false" DefaultValue="Crime"/>
            <Property Name="Remark" Type="Lib.Note"/>
            <Property Name="Quotes" Type="Collection(Lib.Quote)" Nullable="false"/>
            <Property Name="AuthorId" Type="Edm.Int32"/>
            <Property Name="Cover" Type="Edm.Stream"/>
            <NavigationProperty Name="Author" Type="Lib.Person" Partner="Books">
              <ReferentialConstraint Property="AuthorId" ReferencedProperty="Id"/></NavigationProperty>
            <NavigationProperty Name="Tags" Type="Collection(Lib.Tag)" Partner="Books"/>
            <NavigationProperty Name="Sequel" Type="Lib.Book"/>
            <NavigationProperty Name="Copies" Type="Collection(Lib.Copy)" ContainsTarget="true"/>
          </EntityType>
          <EntityType Name="Copy"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Shelf" Type="Edm.String"/>
            <NavigationProperty Name="Loans" Type="Collection(Lib.Loan)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Loan"><Key><PropertyRef Name="Day"/></Key>
            <Property Name="Day" Type="Edm.Date" Nullable="false"/></EntityType>
          <EntityType Name="Tag"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Guid" Nullable="false"/><Property Name="Word" Type="Edm.String"/>
            <NavigationProperty Name="Books" Type="Collection(Lib.Book)" Partner="Tags"/></EntityType>
          <EntityType Name="Scan" HasStream="true"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Guid" Nullable="false"/>
            <Property Name="Label" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="Desk"><Property Name="Opens" Type="Edm.TimeOfDay"/></EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="People" EntityType="Lib.Person"><NavigationPropertyBinding Path="Books" Target="Books"/></EntitySet>
            <EntitySet Name="Books" EntityType="Lib.Book">
              <NavigationPropertyBinding Path="Author" Target="People"/><NavigationPropertyBinding Path="Tags" Target="Tags"/>
              <NavigationPropertyBinding Path="Sequel" Target="Books"/></EntitySet>
            <EntitySet Name="Tags" EntityType="Lib.Tag"><NavigationPropertyBinding Path="Books" Target="Books"/></EntitySet>
            <EntitySet Name="Scans" EntityType="Lib.Scan"/>
            <Singleton Name="Desk" Type="Lib.Desk"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    static let rows = [
        "People": """
        [{"Id":1,"Name":"Ada","Home":{"Street":"Low","City":"Oslo"},"Nicknames":["A","B"],"Born":"1990-05-01T10:00:00+02:00"},
         {"@odata.type":"#Lib.Employee","Id":2,"Name":"Bob","Salary":10.50}]
        """,
        "Tags": #"{"value":[{"Id":"00000000-0000-0000-0000-00000000000a","Word":"old"}]}"#,
        "Books": """
        [{"Isbn":"a","Title":"First","Genre":"Crime,Love","AuthorId":1,"Copies":[{"No":1,"Shelf":"x"},{"No":2}],
          "Remark":{"@odata.type":"#Lib.Quote","Text":"t","By":"me"},"Quotes":[{"Text":"q","By":"z"}],
          "Tags@odata.bind":["Tags(00000000-0000-0000-0000-00000000000a)"]},
         {"Isbn":"b","Title":"Second","Copies":[{"No":1,"Shelf":"y"}]}]
        """,
    ]

    init(
        _ document: String = ModelFixture.document, rows: [String: String] = ModelFixture.rows,
        in folder: TemporaryDirectory? = nil,
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        directory = try folder ?? TemporaryDirectory()
        var configuration = ServiceConfiguration(databasePath: directory.file("library.sqlite"))
        configuration.model = ModelDocument(
            Array(document.utf8), rows: rows.mapValues { Array($0.utf8) })
        configure(&configuration)
        service = try ODataService(configuration)
    }

    /// Sends a request; `headers` as `Name: value` lines.
    @discardableResult
    func send(_ line: String, _ headers: [String] = [], body: String = "") -> ResponseMessage {
        service.send(line, headers, body: body, host: "localhost")
    }

    /// A member of what a GET answers, as JSON text.
    func member(_ url: String, _ name: String = "value") -> String {
        send("GET " + url).json[name]?.text ?? "absent"
    }

    /// The single text that a query of the file gives.
    func value(_ text: String) throws -> String? {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: text) }
    }
}
