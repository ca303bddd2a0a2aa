import ODataClasses
import ODataModel
import ODataWire
import Testing

@testable import ODataCommand

/// What the JSON that create and update are given does to an entity.
@Suite struct EntityBodyTests {
    private static let schema = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Zoo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Animal" Abstract="true"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Dog" BaseType="Zoo.Animal" OpenType="true">
            <Property Name="Bark" Type="Edm.Int32"/></EntityType>
          <EntityType Name="Puppy" BaseType="Zoo.Dog"><Property Name="Age" Type="Edm.Int32"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Animals" EntityType="Zoo.Animal"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func document() throws -> CSDLDocument {
        CSDLDocument(graph: try CSDLReader.read(Array(schema.utf8)))
    }

    @Test func aBodyOfADerivedTypeMakesAnEntityOfIt() throws {
        let document = try Self.document()
        let set = try #require(document.entitySet(named: "Animals"))
        let body = try EntityBody(
            ##"{"@odata.type":"#Zoo.Puppy","Id":1,"Age":3,"Color":"red"}"##,
            of: set.entityType.structureID, in: set.id, document: document)
        let puppy = EntityValue.ofType(body.entityType).inSet(set)
        try body.apply(to: puppy, isNew: true) { _ in puppy }
        #expect(puppy.entityType.qualifiedName == "Zoo.Puppy")
        #expect(
            puppy.entityType.property(withName: "Age").dataValue(from: puppy)?.toString() == "3")
        #expect(puppy.dynamicValue("Color")?.toString() == "red")
    }

    @Test func anEntityKeepsItsType() throws {
        let document = try Self.document()
        let dog = try #require(document.structureType(named: "Zoo.Dog") as? EntityType)
        let body = try EntityBody(
            ##"{"@odata.type":"#Zoo.Puppy","Age":3}"##, of: dog.structureID, in: nil,
            document: document)
        #expect(throws: CommandError.self) {
            try body.apply(to: EntityValue.ofType(dog), isNew: false) { _ in EntityValue.ofType(dog)
            }
        }
    }
}
