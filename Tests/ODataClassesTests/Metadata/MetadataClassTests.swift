import ODataClasses
import Foundation
import ODataText
import Testing

@testable import ODataModel

@Suite struct MetadataClassTests {
    @Test func lookupsGiveTheSameObjectEachTime() throws {
        let document = try MetadataFixture.document()
        let orders = document.entitySet(withName: "Orders")
        #expect(orders === document.entitySets.get("Orders"))
        #expect(orders.entityType === document.entityType(withName: "N.Order"))
        #expect(orders.entityType === document.entityType(withName: "Self.Order"))
        let title = orders.entityType.property(withName: "Title")
        #expect(title === orders.entityType.propertyMap.get("Title"))
        #expect(title == orders.entityType.propertyList[1])
        #expect(document[orders.id] === orders)
        #expect(document[orders.entityType.structureID] === orders.entityType)
    }

    @Test func mapsTellThatANameIsMissing() throws {
        let document = try MetadataFixture.document()
        #expect(document.entitySets.get("Nothing") == nil)
        #expect(document.entityTypes.get("N.Address") == nil)
        #expect(document.complexTypes.has("N.Address"))
        #expect(document.entitySet(named: "nothing") == nil)
        #expect(document.singletons.keys().toArray() == ["Best"])
    }

    @Test func inheritedPropertiesAreTheObjectsOfTheBaseType() throws {
        let document = try MetadataFixture.document()
        let order = document.entityType(withName: "N.Order")
        let special = document.entityType(withName: "N.Special")
        #expect(special.property(withName: "Title") === order.property(withName: "Title"))
        #expect(special.property(withName: "Gift").slot == 8)
        #expect(special.property(withName: "Title").owningType == "N.Order")
        #expect(special.supertype === order && special.hasSupertype)
        #expect(order.subtypes.toArray().first === special)
        #expect(order.supertype === EntityType.abstractBase)
        #expect(special.isMedia && !order.isMedia)
        #expect(special.keyProperties.toArray().map(\.name) == ["Id"])
        #expect(special.keyProperty(name: "Id") === order.property(withName: "Id"))
    }

    @Test func dataTypesSayWhatAValueIs() throws {
        let order = try MetadataFixture.document().entityType(withName: "N.Order")
        func type(_ name: String) -> DataType { order.property(withName: name).dataType }
        #expect(type("Id").code == DataType.long && type("Id").isNumber && type("Id").isBasic)
        #expect(type("Title").code == DataType.string && type("Title") === BasicType.string)
        #expect(type("Price").name == "N.Money" && type("Price").code == DataType.decimal)
        #expect(type("Price").baseType === BasicType.decimal && type("Price").isBasic)
        #expect(type("State").isEnum && !type("State").isBasic)
        #expect(type("Address").isComplex)
        #expect(type("Tags").code == DataType.stringList && type("Tags").isBasicList)
        #expect(type("Photo").isStream)
        #expect(type("Items").isEntityList && type("Items").isList)
        #expect(type("Items").itemType === order.property(withName: "Items").itemEntityType)
        #expect(type("Tags") === type("Tags"))
    }

    @Test func everyTypeCodeIsDistinctAndFoundAgain() {
        var seen: Set<Int> = []
        for type in PrimitiveType.allCases {
            let dataType = BasicType.of(type)
            #expect(DataType.forCode(dataType.code) === dataType)
            seen.insert(dataType.code)
        }
        // TimeOfDay and V2 Time are one class.
        #expect(seen.count == PrimitiveType.allCases.count - 1)
        #expect(DataType.forName("Edm.Int32") === BasicType.int)
        #expect(DataType.forName("Collection(Edm.Int32)")?.code == DataType.intList)
        #expect(DataType.forName("Edm.Nothing") == nil)
        #expect(DataType.forCode(-1) === DataType.unknown)
    }

    @Test func propertyFactsAreThoseOfTheDeclaration() throws {
        let document = try MetadataFixture.document()
        let order = document.entityType(withName: "N.Order")
        let item = document.entityType(withName: "N.Item")
        let title = order.property(withName: "Title")
        #expect(title.qualifiedName == "N.Order/Title" && title.id_ == 1)
        #expect(title.maxLength == 40 && title.isNullable && title.isOptimistic)
        #expect(title.precision == TypeFacets.anyPrecision && title.scale == 0)
        #expect(title.defaultValue?.toString() == "none")
        #expect(order.property(withName: "Id").defaultValue == nil)
        #expect(order.property(withName: "Id").isKey && !title.isKey)
        #expect(item.property(withName: "OrderId").isForeignKey)
        #expect(!item.property(withName: "Pos").isForeignKey)
    }

    @Test func navigationFactsCountBothSides() throws {
        let document = try MetadataFixture.document()
        let items = document.entityType(withName: "N.Order").property(withName: "Items")
        let order = document.entityType(withName: "N.Item").property(withName: "Order")
        #expect(items.partnerPath == "Order" && items.onDeleteAction == Property.onDeleteCascade)
        #expect(items.hasForeignKeys == Property.hasForeignKeysInTarget)
        #expect(order.hasForeignKeys == Property.hasForeignKeysInSource)
        #expect(order.referentialConstraints.get("OrderId") == "Id")
        #expect(items is NavigationProperty)
    }

    @Test func listsSortPropertiesByKind() throws {
        let order = try MetadataFixture.document().entityType(withName: "N.Order")
        #expect(order.navigationProperties.toArray().map(\.name) == ["Items"])
        #expect(order.streamProperties.toArray().map(\.name) == ["Photo"])
        #expect(order.complexProperties.toArray().map(\.name) == ["Address"])
        #expect(order.collectionProperties.toArray().map(\.name) == ["Tags"])
        #expect(order.structuralProperties.length == 6)
        #expect(order.propertyList.length == 8)
    }

    @Test func listsOfElementsAreEqualByIdentity() throws {
        let document = try MetadataFixture.document()
        let orders = document.entitySet(withName: "Orders")
        let items = document.entitySet(withName: "Items")
        #expect(EntitySetList.fromArray([orders]) == EntitySetList.fromArray([orders]))
        #expect(EntitySetList.fromArray([orders]) != EntitySetList.fromArray([items]))
        #expect(EntitySetList.fromArray([orders, items]).toString() == "[Orders, Items]")
    }

    @Test func setsKnowTheirBindingsPathsAndSettings() throws {
        let document = try MetadataFixture.document()
        let orders = document.entitySet(withName: "Orders")
        #expect(orders.binding("Items") === document.entitySet(withName: "Items"))
        #expect(orders.binding("Order") === EntitySet.undefined)
        #expect(orders.qualifiedName == "N.C.Orders" && orders.targetPath == "N.C/Orders")
        #expect(document.singleton(withName: "Best").isSingleton)
        #expect(!orders.downloadWithoutDeltaLinks && orders.downloadStreamsByDefault)
        orders.downloadWithoutDeltaLinks = true
        orders.downloadEntitiesByDefault = false
        #expect(orders.currentSettings.downloadWithoutDeltaLinks)
        #expect(!document.entitySet(withName: "Orders").downloadEntitiesByDefault)
        #expect(!document.entitySet(withName: "Items").downloadWithoutDeltaLinks)
        #expect(orders.annotation("sap:pageable").value?.toString() == "false")
    }

    @Test func annotationsKeepQualifiersAndTermDefaults() throws {
        let title = try MetadataFixture.document().entityType(withName: "N.Order")
            .property(withName: "Title")
        #expect(title.annotations.keys().toArray() == ["N.Rank", "N.Rank#Tablet"])
        #expect(title.annotation("N.Rank").value?.toString() == "5")
        #expect(title.annotation("N.Rank").explicitValue == nil)
        #expect(title.annotation("N.Rank#Tablet").value?.toString() == "3")
        #expect(title.annotation("N.Rank").term.type === BasicType.int)
    }

    @Test func enumerationMembersAreSharedAndFlagsCombine() throws {
        let state = try MetadataFixture.document().enumType(withName: "N.State")
        #expect(state.member(name: "Paid") === state.withInt(2))
        #expect(state.findMember("Lost") == nil)
        #expect(state.withInt(3).name == "New,Paid")
        #expect(state.memberList.length == 2)
        #expect(state.memberMap.get("New")?.intValue() == 1)
        #expect(state.derivedFrom === BasicType.int)
    }

    @Test func methodsAreFoundByQualifiedNameAndImportsByTheirOwn() throws {
        let document = try MetadataFixture.document()
        let pay = document.dataMethod(withName: "N.Pay")
        #expect(pay.isAction && pay.isBound && pay.boundName == "N.Pay")
        #expect(pay.parameters.toArray().map(\.name) == ["order", "sum"])
        #expect(pay.typeSignature == "N.Order,Edm.Int32")
        let top = document.dataMethod(withName: "TopOrders")
        #expect(top.isFunction && top.isImported && top.unboundMethod == "N.Top")
        #expect(top.entitySet === document.entitySet(withName: "Orders"))
        #expect(top.returnType.isEntityList)
        #expect(document.dataMethods.keys().toArray() == ["TopOrders", "N.Pay", "N.Top"])
    }

    @Test func parameterListsReplaceByName() {
        let list = ParameterList(capacity: 2).with(name: "a", value: StringValue.of("1"))
            .with(name: "b", value: nil).with(name: "a", value: StringValue.of("2"))
        #expect(list.toArray().map(\.name) == ["b", "a"])
        #expect(list.required("a").value?.toString() == "2")
    }

    @Test func schemasAndContainersListTheirElements() throws {
        let document = try MetadataFixture.document()
        let schema = document.dataSchema(withName: "Self")
        #expect(schema.namespace == "N")
        #expect(schema.entityTypes.keys().toArray() == ["N.Order", "N.Item", "N.Special"])
        #expect(schema.enumTypes.has("N.State") && schema.simpleTypes.has("N.Money"))
        #expect(schema.entitySets.keys().toArray() == ["Orders", "Items"])
        let container = document.entityContainers.getRequired("N.C")
        #expect(container.isDefault && container.localName == "C")
        #expect(container.singletons.has("Best") && container.dataMethods.has("TopOrders"))
    }

    @Test func changeTrackingAndOwnersAreKnown() throws {
        #expect(!(try MetadataFixture.document().trackChanges))
        var graph = try MetadataFixture.graph()
        graph.entitySets[0].annotations = [
            AnnotationDefinition(
                term: "Org.OData.Capabilities.V1.ChangeTracking",
                value: .record(
                    type: nil,
                    properties: [AnnotationDefinition(term: "Supported", value: .boolean(true))]))
        ]
        let document = CSDLDocument(graph: graph)
        #expect(document.trackChanges)
        let owner = ObjectBase()
        document.addOwner(owner)
        document.addOwner(owner)
        #expect(document.owners().count == 1)
        document.removeOwner(owner)
        #expect(document.owners().isEmpty)
        #expect(document.immortalize() === document)
    }

    @Test func elementsOutliveTheirDocument() throws {
        func type() throws -> EntityType {
            try MetadataFixture.document().entityType(withName: "N.Order")
        }
        let order = try type()
        #expect(order.property(withName: "Items").itemEntityType.name == "N.Item")
    }
}
