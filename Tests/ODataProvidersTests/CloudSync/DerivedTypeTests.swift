import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import Testing
import WorkplaceFixture

/// Entities of derived types in one set: downloaded, queried by type, written and sent, and as they stand in the file.
@Suite struct DerivedTypeTests {
    private static let schema = """
        <EntityType Name="Animal"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Dog" BaseType="Demo.Animal"><Property Name="Breed" Type="Edm.String"/>
          <Property Name="FriendId" Type="Edm.Int32"/>
          <NavigationProperty Name="Friend" Type="Demo.Animal">
            <ReferentialConstraint Property="FriendId" ReferencedProperty="Id"/>
          </NavigationProperty></EntityType>
        <EntityType Name="Puppy" BaseType="Demo.Dog"><Property Name="Weeks" Type="Edm.Int32"/>
        </EntityType>
        <EntityType Name="Cat" BaseType="Demo.Animal"><Property Name="Lives" Type="Edm.Int32"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Animals" EntityType="Demo.Animal">
          <NavigationPropertyBinding Path="Demo.Dog/Friend" Target="Animals"/></EntitySet>
        </EntityContainer>
        """

    private static let page = """
        {"@odata.type":"#Demo.Dog","Id":1,"Name":"Rex","Breed":"Lab","FriendId":2},
        {"@odata.type":"#Demo.Cat","Id":2,"Name":"Tom","Lives":9},{"Id":3,"Name":"Ent"},
        {"@odata.type":"#Demo.Puppy","Id":4,"Name":"Pip","Breed":"Lab","Weeks":6,"FriendId":1}
        """

    private static func run(
        _ body: @escaping @Sendable (ServiceWorkplace, WrittenService) throws -> Void
    ) async throws {
        try await WrittenService.run(schema, pages: ["Animals": page], body)
    }

    private static func stored(_ place: ServiceWorkplace) throws -> [String] {
        try place.storeRows(
            "SELECT Id || ' ' || Name || ' ' || coalesce(_odata_type, '-') || ' '"
                + " || coalesce(Breed, '-') || ' ' || coalesce(Weeks, '-') || ' '"
                + " || coalesce(Lives, '-') FROM Animals WHERE (_odata_state & 4) = 0 ORDER BY Id"
        ).map { $0[0] }
    }

    @Test func typesAreStoredAndAskedFor() async throws {
        try await Self.run { place, _ in
            #expect(
                try Self.stored(place) == [
                    "1 Rex Demo.Dog Lab - -", "2 Tom Demo.Cat - - 9", "3 Ent - - - -",
                    "4 Pip Demo.Puppy Lab 6 -",
                ])
            let questions = [
                ("Animals?$orderby=Id", "1234"), ("Animals/Demo.Dog?$orderby=Id", "14"),
                ("Animals/Demo.Puppy", "4"), ("Animals?$filter=isof(Demo.Cat)", "2"),
                ("Animals?$filter=isof(Demo.Dog)&$orderby=Id desc", "41"),
                ("Animals?$filter=not isof(Demo.Dog)&$orderby=Id", "23"),
                ("Animals?$filter=Demo.Dog/Breed eq 'Lab'&$orderby=Id", "14"),
                ("Animals?$filter=Demo.Cat/Lives gt 3 or Demo.Puppy/Weeks gt 3&$orderby=Id", "24"),
                ("Animals?$filter=Demo.Dog/Friend/Name eq 'Tom'", "1"),
                ("Animals?$filter=Demo.Dog/Friend/Demo.Cat/Lives eq 9", "1"),
                ("Animals?$orderby=Demo.Puppy/Weeks desc,Id", "4123"),
                ("Animals/Demo.Dog?$filter=Breed eq 'Lab' and FriendId eq 1", "4"),
                ("Animals(1)/Demo.Dog/Friend", "2"), ("Animals(4)/Demo.Dog", "4"),
                ("Animals?$apply=filter(isof(Demo.Dog))&$orderby=Id", "14"),
            ]
            for (url, ids) in questions {
                let found = try place.entities(url).map { "\($0.id)" }.joined()
                #expect(found == ids, "\(url)")
            }
            #expect(
                try place.sync.executeQuery(
                    place.query("Animals/Demo.Dog/$count"), headers: .empty, options: .none
                ).count() == 2)
            let types = try place.entities("Animals?$orderby=Id").map { $0.entityType.localName }
            #expect(types == ["Dog", "Cat", "Animal", "Puppy"])
            #expect(try place.entities("Animals(2)/Demo.Dog").isEmpty)
        }
    }

    @Test func derivedPropertiesAreSelectedAndExpanded() async throws {
        try await Self.run { place, _ in
            let dog = try #require(
                try place.entities(
                    "Animals?$filter=Id eq 1&$select=Id,Demo.Dog/Breed&$expand=Demo.Dog/Friend"
                ).first)
            #expect(dog.shown("Breed") == "Lab")
            #expect(!dog.has("Name"))
            let friend = dog.entityType.property(withName: "Friend").optionalEntity(from: dog)
            #expect(friend?.entityType.localName == "Cat" && friend?.shown("Lives") == "9")
            let cat = try #require(
                try place.entities("Animals?$filter=Id eq 2&$expand=Demo.Dog/Friend").first)
            #expect(cat.shown("Lives") == "9")
        }
    }

    @Test func derivedEntitiesAreWrittenSentAndUndone() async throws {
        try await Self.run { place, service in
            let puppy = EntityValue.ofType(place.sync.metadata.entityType(withName: "Demo.Puppy"))
                .inSet(place.set("Animals"))
            for (name, value) in [("Id", 9), ("Weeks", 3)] {
                puppy.entityType.property(withName: name).setIntValue(in: puppy, to: value)
            }
            puppy.put("Name", "New")
            puppy.put("Breed", "Pug")
            try place.sync.create(puppy)
            let rex = try #require(try place.entities("Animals?$filter=Id eq 1").first)
            rex.put("Breed", "Poodle")
            try place.sync.update(rex)
            let tom = try #require(try place.entities("Animals?$filter=Id eq 2").first)
            try place.sync.delete(tom)
            #expect(
                try Self.stored(place) == [
                    "1 Rex Demo.Dog Poodle - -", "3 Ent - - - -", "4 Pip Demo.Puppy Lab 6 -",
                    "9 New Demo.Puppy Pug 3 -",
                ])
            #expect(
                try place.storeRows(
                    "SELECT Id || _odata_type || Breed FROM _odata_base_Animals WHERE Id = 1"
                ).map { $0[0] as String } == ["1Demo.DogLab"])
            #expect(try place.entities("Animals/Demo.Dog?$orderby=Id").map(\.id) == [1, 4, 9])
            try place.sync.upload()
            // They are independent of each other and go up at the same time.
            let changes = service.changes.sorted()
            #expect(changes.count == 3)
            #expect(changes[2].hasPrefix("POST Animals "), "\(changes)")
            #expect(changes[2].contains(##""@odata.type":"#Demo.Puppy""##), "\(changes)")
            #expect(changes[1].hasPrefix("PATCH "), "\(changes)")
            #expect(changes[1].contains("Poodle"), "\(changes)")
            #expect(changes[0].hasPrefix("DELETE Animals(2)"), "\(changes)")
            // Another change is taken back: the row is what it was, of the type it was.
            let pip = try #require(try place.entities("Animals?$filter=Id eq 4").first)
            pip.entityType.property(withName: "Weeks").setIntValue(in: pip, to: 99)
            try place.sync.update(pip)
            try place.sync.undoPendingChanges(for: EntityValueList.fromArray([pip]))
            #expect(try Self.stored(place).contains("4 Pip Demo.Puppy Lab 6 -"))
        }
    }

    @Test func anEntityMayComeBackAsAnotherType() async throws {
        try await Self.run { place, service in
            service.put(
                "Animals",
                Self.page.replacing(
                    "{\"Id\":3,\"Name\":\"Ent\"}",
                    with: ##"{"@odata.type":"#Demo.Cat","Id":3,"Name":"Ent","Lives":1}"##
                ).replacing("\"@odata.type\":\"#Demo.Dog\",", with: "")
                    .replacing(",\"Breed\":\"Lab\",\"FriendId\":2", with: ""))
            try place.sync.download()
            let expected = [
                "1 Rex - Lab - -", "2 Tom Demo.Cat - - 9", "3 Ent Demo.Cat - - 1",
                "4 Pip Demo.Puppy Lab 6 -",
            ]
            let stored = try Self.stored(place)
            // What the new type does not have stays in its column, and is seen by nobody.
            #expect(stored == expected)
            let labs = try place.entities("Animals?$filter=Demo.Dog/Breed eq 'Lab'").map(\.id)
            #expect(labs == [4])
            #expect(try place.entities("Animals/Demo.Dog").map(\.id) == [4])
        }
    }
}

extension EntityValue {
    fileprivate var id: Int { Int(shown("Id")) ?? -1 }

    /// A property, or a dynamic one, as text; null as `-`, and what the entity does not have as `?`.
    func shown(_ name: String) -> String {
        guard let property = entityType.property(named: name) else {
            return dynamicValue(name)?.toString() ?? "?"
        }
        return optionalValue(for: property)?.toString() ?? "-"
    }

    /// Whether there is a value, or a null, of the property.
    func has(_ name: String) -> Bool {
        entityType.property(named: name).map { hasDataValue(for: $0) } ?? false
    }
}
