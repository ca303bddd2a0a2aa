import ODataClasses
import ODataModel
import Testing

/// Asking what stands at a position is no mistake, whatever the position.
@Suite struct PositionTests {
    @Test func positionsWithoutAPartAreOfNoKind() throws {
        let entity = EntityValue(type: try ShopModel.document().entity(0))
        let changes = ChangeSet()
        changes.createEntity(entity)
        #expect(changes.isEntity(at: 0) && changes.entity(at: 0) === entity)
        for position in [-1, 1, 7] {
            #expect(!changes.isEntity(at: position) && !changes.isEntity(position))
            #expect(!changes.isLink(at: position) && !changes.isAction(at: position))
        }
        let batch = RequestBatch()
        batch.addChanges(changes)
        #expect(batch.isChangeSet(at: 0) && batch.changeSet(at: 0) === changes)
        for position in [-1, 1] {
            #expect(!batch.isDataQuery(at: position) && !batch.isChangeSet(at: position))
            #expect(!batch.isFunction(at: position))
        }
    }

    @Test func partsOfListsAreCutToWhatThereIs() {
        let list: StringList = ["a", "b", "c"]
        list.removeRange(2, 1)
        #expect(list.toArray() == ["a", "b", "c"])
        list.removeRange(1, 9)
        list.removeRange(-3, 0)
        #expect(list.toArray() == ["a"])
        #expect(list.slice(4, 2).isEmpty && list.slice(Int.min, Int.max).toArray() == ["a"])
        #expect(list.toArray().first == "a" && StringList().toArray().first == nil)
    }

    @Test func mapsAreAskedByKey() {
        let map = StringMap()
        map.set("a", "b")
        #expect(map.value(forKey: "a") == "b" && map.value(forKey: "c") == nil)
    }

    @Test func charactersComeFromCodeUnits() {
        #expect(CharValue.of(UInt16(65)).value == "A" && CharValue.of(UInt16(0xE9)).value == "é")
        #expect(CharValue.of(UInt16(0xD800)).value == "\u{FFFD}")
    }

    @Test func nothingIsNullAsJSON() throws {
        let context = DataContext(csdl: try ShopModel.document())
        let missing: EntityValue? = nil
        #expect(JsonValue.fromEntityValue(missing, context: context).toString() == "null")
    }

    @Test func aQueryThatDoesNotFitHasNoText() throws {
        let document = try ShopModel.document()
        let note = try document.entity(0).property(withName: "Note")
        let query = DataQuery().from(document.entitySet(withName: "Items")).filter(note.equal("x"))
        #expect(QueryFormatter.format(query: query, context: DataContext(csdl: document)) == "")
    }

    @Test func propertiesAreCheckedWithoutATrap() throws {
        let type = try ShopModel.document().entity(0)
        let entity = EntityValue(type: type)
        #expect(CheckProperty.exists("Note", in: type) && !CheckProperty.exists("Nota", in: type))
        let note = try CheckProperty.named("Note", in: type)
        #expect(throws: UsageError.self) { try CheckProperty.named("Nota", in: type) }
        try CheckProperty.accepts(StringValue.of("x"), for: note, in: entity)
        try CheckProperty.accepts(nil, for: note, in: entity)
        #expect(throws: CastError.self) {
            try CheckProperty.accepts(GuidValue.random(), for: note, in: entity)
        }
        let other = EntityValue(type: try ShopModel.document().entity(1))
        #expect(throws: UsageError.self) { try CheckProperty.accepts(nil, for: note, in: other) }
    }
}
