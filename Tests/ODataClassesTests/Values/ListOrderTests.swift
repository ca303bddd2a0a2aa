import ODataClasses
import ODataModel
import Testing

/// What lists are ordered by and search with, and lists that may have gaps or hold anything.
@Suite struct ListOrderTests {
    /// Longer texts first.
    private final class ByLength: DataComparer, @unchecked Sendable {
        override func compare(_ left: AnyObject?, _ right: AnyObject?) -> Int {
            let (first, second) = (StringValue.unwrap(left).count, StringValue.unwrap(right).count)
            return first > second ? -1 : first < second ? 1 : 0
        }
    }

    private final class Loose: StringList, @unchecked Sendable {
        override var comparer: Comparer { ByLength() }
    }

    @Test func listsAreSortedByTheirComparerAndEqualItemsStay() {
        let list: ListBase = IntList.fromArray([3, 1, 2])
        list.sort()
        #expect(list.toString() == "[1,2,3]")
        list.reverse()
        list.removeAt(0)
        list.removeRange(0, 1)
        #expect(list.toString() == "[1]")
        let words = Loose.fromArray(["b", "aa", "a", "cc"])
        words.sort()
        #expect(words.toArray() == ["aa", "cc", "b", "a"])
        words.sortWith(DataComparer.singleton)
        #expect(words.toArray() == ["a", "aa", "b", "cc"])
    }

    @Test func nothingComesFirst() {
        let one = IntValue.of(1)
        #expect(DataComparer.singleton.compare(nil, one) == -1)
        #expect(DataComparer.singleton.compare(one, nil) == 1)
        #expect(DataComparer.singleton.compare(nil, nil) == 0)
        #expect(DataComparer.singleton.compare(one, DecimalValue.of(BigDecimal("1.0"))) == 0)
        let list = StringListWithNulls.fromArray(["b", nil, "a"])
        list.sort()
        #expect(list.toArray() == [nil, "a", "b"])
        #expect(list.withoutNulls() == ["a", "b"])
        #expect(list.toString() == #"[null,"a","b"]"#)
    }

    @Test func entitiesAreOrderedByKeyOrByTheirProperties() throws {
        let type = try ShopModel.document().entityType(withName: "Shop.Order")
        let note = type.property(withName: "Note")
        let list = EntityValueList.fromArray(
            [(3, "a"), (1, "b"), (2, "a")].map { id, text in
                let entity = EntityValue.ofType(type)
                type.property(withName: "ID").setIntValue(in: entity, to: id)
                note.setStringValue(in: entity, to: text)
                return entity
            })
        func ids() -> [Int] { list.map { type.property(withName: "ID").intValue(from: $0) } }
        list.sort()
        #expect(ids() == [1, 2, 3])
        list.sortWith(EntityComparer(note, type.property(withName: "ID")))
        #expect(ids() == [2, 3, 1])
        let gaps = list.withNulls()
        gaps.append(nil)
        #expect(gaps.length == 4 && gaps.withoutNulls() == list)
    }

    @Test func complexValuesAreOrderedByAllTheirProperties() throws {
        let type = try ShopModel.document().complexType(withName: "Shop.Address")
        let addresses = [("B", "1"), ("A", "2"), ("A", "1")].map { city, zip in
            let value = ComplexValue.ofType(type)
            type.property(withName: "City").setStringValue(in: value, to: city)
            type.property(withName: "Zip").setStringValue(in: value, to: zip)
            return value
        }
        let list = ComplexValueList.fromArray(addresses)
        list.sortWith(ComplexComparer())
        #expect(list.toArray().map { $0 === addresses[2] } == [true, false, false])
        #expect(list[2] === addresses[0])
    }

    @Test func equalityIsOfValuesOrOfElements() throws {
        let one = IntValue.of(1)
        #expect(DataEquality.singleton.equal(one, LongValue.of(1)))
        #expect(!Equality.identity.equal(one, LongValue.of(1)))
        #expect(DataEquality.singleton.equal(nil, nil) && !DataEquality.singleton.equal(one, nil))
        let document = try ShopModel.document()
        let sets = EntitySetList.fromArray([document.entitySet(withName: "Orders")])
        #expect(sets.includes(document.entitySet(withName: "Orders")))
        #expect(try !sets.includes(ShopModel.document().entitySet(withName: "Orders")))
        let untyped = UntypedList.fromArray([one, sets])
        #expect(untyped.indexOf(IntValue.of(1)) == 0 && untyped.lastIndexOf(sets) == 1)
        #expect(untyped.indexOf(IntValue.of(2)) == -1 && !untyped.includes(UntypedList()))
        #expect(untyped == UntypedList.fromArray([IntValue.of(1), sets]))
        #expect(untyped.toString() == "[1, \(sets.toString())]")
    }

    @Test func valuesOfMapsComeInOrder() throws {
        let map = UntypedMap().setThis("b", IntValue.of(1)).setThis("a", IntValue.of(2))
        #expect(map.sortedValues() == UntypedList.fromArray([IntValue.of(2), IntValue.of(1)]))
        let entries: UntypedMap.EntryList = map.sortedEntries()
        #expect(entries.map(\.key) == ["a", "b"])
        let values = DataValueMap().setThis("x", IntValue.of(2)).setThis("y", IntValue.of(1))
        #expect(values.sortedValues().toString() == "[1,2]")
        let type = try ShopModel.document().entityType(withName: "Shop.Order")
        #expect(
            type.propertyMap.sortedValues().toArray().map(\.name).prefix(2) == [
                "Address", "Changed",
            ])
    }

    @Test func shapesOfAnyKindAreReadByTheirFamily() {
        let line = GeographyValue.parseWKT("SRID=4326;LineString(1 2,3 4)", sridRequired: true)
        #expect(line is GeographyLineString)
        #expect(GeographyValue.parseWKT("LineString(1 2,3 4)", sridRequired: true) == nil)
        let point = GeometryValue.parse(#"{"type":"Point","coordinates":[1,2]}"#)
        #expect((point as? GeometryPoint)?.x == 1)
        #expect(GeometryValue.parse("{}") == nil)
        #expect(GeographyPoint.parseWKT("LineString(1 2,3 4)") == nil)
    }
}
