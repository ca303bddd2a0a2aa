import ErrorFixture
import ODataClasses
import Foundation
import ODataText
import Testing

@testable import ODataModel

@Suite struct PropertyAccessTests {
    private func order() throws -> (EntityType, EntityValue) {
        let type = try MetadataFixture.document().entityType(withName: "N.Order")
        return (type, EntityValue(withDefaults: false, type: type))
    }

    @Test func typedValuesAreWrittenAndReadBack() throws {
        let (type, order) = try order()
        type.property(withName: "Title").setStringValue(in: order, to: "one")
        type.property(withName: "Id").setLongValue(in: order, to: 7)
        type.property(withName: "Price").setDecimalValue(
            in: order, to: try #require(BigDecimal.parse("12.50")))
        #expect(type.property(withName: "Title").stringValue(from: order) == "one")
        #expect(type.property(withName: "Title").optionalString(from: order) == "one")
        #expect(type.property(withName: "Id").longValue(from: order) == 7)
        #expect(type.property(withName: "Id").dataValue(from: order)?.toString() == "7")
        #expect(type.property(withName: "Price").decimalValue(from: order).toString() == "12.50")
    }

    @Test func unsetAndNullReadAsNilInTheOptionalForms() throws {
        let (type, order) = try order()
        let title = type.property(withName: "Title")
        #expect(title.optionalString(from: order) == nil)
        #expect(!order.hasDataValue(for: title))
        title.setOptionalString(in: order, to: nil)
        #expect(order.hasDataValue(for: title))
        #expect(title.optionalValue(from: order) == nil)
        #expect(title.dataValue(from: order) == nil)
    }

    @Test func objectsAndListsAreTheirOwnValues() throws {
        let (type, order) = try order()
        let state = type.property(withName: "State")
        state.setEnumValue(in: order, to: state.enumType.withInt(3))
        #expect(state.enumValue(from: order).name == "New,Paid")
        let address = type.property(withName: "Address")
        let value = ComplexValue.ofType(address.complexType)
        address.complexType.property(withName: "City").setStringValue(in: value, to: "Ulm")
        address.setComplexValue(in: order, to: value)
        #expect(
            address.complexType.property(withName: "City")
                .stringValue(from: address.complexValue(from: order)) == "Ulm")
        let tags = type.property(withName: "Tags")
        tags.setBasicList(in: order, to: StringList.fromArray(["a", "b"]))
        #expect(StringList.share(tags.basicList(from: order)).toArray() == ["a", "b"])
    }

    @Test func listsThatWereNeverSetReadAsEmpty() throws {
        let (type, order) = try order()
        let items = type.property(withName: "Items")
        #expect(items.entityList(from: order).isEmpty)
        let item = EntityValue(withDefaults: false, type: items.itemEntityType)
        items.setEntityList(in: order, to: EntityValueList.fromArray([item]))
        #expect(items.entityList(from: order)[0] === item)
        items.itemEntityType.property(withName: "Pos").setIntValue(in: item, to: 10)
        func at(_ position: Int) -> DataPath {
            items.toPath().withKey(EntityKey().with(name: "Pos", value: IntValue.of(position)))
        }
        #expect(order.optionalValue(for: at(10)) === item)
        #expect(order.optionalValue(for: at(11)) == nil)
    }

    @Test func entitiesFindTheirOnlySet() throws {
        let document = try MetadataFixture.document()
        let item = EntityValue(withDefaults: false, type: document.entityType(withName: "N.Item"))
        try document.resolveEntity(item)
        #expect(item.entitySet === document.entitySet(withName: "Items"))
        let special = EntityValue(
            withDefaults: false, type: document.entityType(withName: "N.Special"))
        #expect(
            failure { try document.resolveEntity(special) }
                == Failure(.usage, "Expected one entity set for N.Special, found 2."))
    }

    @Test func pathsSpellTheirSteps() throws {
        let document = try MetadataFixture.document()
        let order = document.entityType(withName: "N.Order")
        let address = order.property(withName: "Address")
        let city = document.complexType(withName: "N.Address").property(withName: "City")
        let path = address.path(city)
        #expect(path.toString() == "Address/City" && path.dotString() == "Address.City")
        #expect(path.definedProperty === city && path.rootProperty === address)
        #expect(path.dataType === BasicType.string)
        #expect(path == address.toPath().path(city) && path != address.toPath())
        #expect(path.hashValue == address.path(city).hashValue)
        let lambda = DataPath.lambda("x").path(city)
        #expect(lambda.lambdaVariable == "x" && lambda.toString() == "x/City")
        #expect(lambda.changeRoot(newRoot: address.toPath()) == path)
        #expect(DataPath.ofDynamic("Size").dynamicProperty == "Size")
        #expect(path.parentPath?.toString() == "Address")
        let key = EntityKey().with(name: "Id", value: LongValue.of(7))
        let keyed = order.property(withName: "Items").toPath().withKey(key)
        #expect(keyed.toString() == "Items/Id=7" && keyed.entityKey === key)
        #expect(keyed.dataType.isEntity && keyed.pathSegments.length == 2)
        #expect(order.property(withName: "Items").toPath().isNavigation)
    }
}
