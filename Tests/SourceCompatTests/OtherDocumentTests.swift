import Foundation
import ODataTesting
import SAPOfflineOData
import Testing

/// The properties of generated classes are those of the document that the app carries; entities may be of the service's own, in
/// which other types stand before theirs.
@Suite(.serialized) struct OtherDocumentTests {
    /// The document of an app that was built for another version of the service.
    private func another(_ text: String) -> CSDLDocument {
        let first = text.range(of: "<EntityType ")
        let more = (0..<40).map {
            """
            <EnumType Name="Other\($0)"><Member Name="None" Value="0"/></EnumType>
            <ComplexType Name="Part\($0)"><Property Name="A" Type="Edm.String"/></ComplexType>
            """
        }
        var text = text
        text.insert(contentsOf: more.joined(), at: first?.lowerBound ?? text.startIndex)
        return CSDLParser().parseInProxy(text, url: "other")
    }

    @Test func structuresAndEnumerationsAreThoseOfTheEntitysDocument() throws {
        let document = try APIModel.document()
        let type = document.entityType(withName: "S.Customer")
        let carried = another(APIModel.text).entityType(withName: "S.Customer")
        let (color, size) = (
            carried.property(withName: "Color"), carried.property(withName: "Size")
        )
        let customer = EntityValue.ofType(type)
        color.setEnumValue(
            in: customer, to: document.enumType(withName: "S.Color").member(name: "Blue"))
        #expect(color.enumValue(from: customer).name == "Blue")
        #expect(
            color.enumValue(from: customer).enumType === document.enumType(withName: "S.Color"))
        let height = document.complexType(withName: "S.Size").property(withName: "Height")
        let value = ComplexValue.ofType(document.complexType(withName: "S.Size"))
        height.setIntValue(in: value, to: 3)
        size.setComplexValue(in: customer, to: value)
        #expect(height.intValue(from: size.complexValue(from: customer)) == 3)
        let sizes = carried.property(withName: "Sizes")
        #expect(sizes.complexList(from: customer).isEmpty)
        sizes.setComplexList(in: customer, to: ComplexValueList.fromArray([value]))
        #expect(sizes.complexList(from: customer).length == 1)
        let order = EntityValue.ofType(document.entityType(withName: "S.Order"))
        let orders = carried.property(withName: "Orders")
        #expect(orders.entityList(from: customer).isEmpty)
        orders.setEntityList(in: customer, to: EntityValueList.fromArray([order]))
        #expect(orders.entityList(from: customer).length == 1)
        let back = orders.itemEntityType.property(withName: "Customer")
        back.setEntityValue(in: order, to: customer)
        #expect(back.entityValue(from: order) === customer)
    }

    @Test func propertiesOfBothAreEqual() throws {
        let type = try APIModel.document().entityType(withName: "S.Customer")
        let carried = another(APIModel.text).entityType(withName: "S.Customer")
        let name = carried.property(withName: "Name")
        #expect(type.property(withName: "Name") == name)
        #expect(type.property(withName: "Age") != name)
        #expect(type.propertyList.toArray().firstIndex(of: name) == 1)
        #expect([name: "Name"][type.property(withName: "Name")] == "Name")
        // One document declares each only once.
        #expect(
            type.property(withName: "ID")
                != (try APIModel.document()).entityType(withName: "S.Order").property(
                    withName: "ID"))
    }

    @Test func relatedEntitiesAreLoadedAndUnlinked() async throws {
        try await AppShop.run { school in
            let provider = try school.provider([("Customers", "Customers"), ("Orders", "Orders")])
            try AppShop.wait { done in provider.open { done($0) } }
            let service = BaseDataService(provider: provider)
            let text = try String(
                contentsOf: school.url.appendingPathComponent("$metadata"), encoding: .utf8)
            let carried = another(text)
            let customers = service.entitySet(withName: "Customers")
            let orders = carried.entitySet(withName: "Customers").entityType
                .property(withName: "Orders")
            let ann = try service.executeQuery(
                DataQuery().from(customers).withKey(
                    EntityKey().with(name: "ID", value: LongValue.of(1)))
            ).requiredEntity()
            try service.loadProperty(orders, into: ann)
            let saw = try #require(orders.entityList(from: ann).toArray().first)
            let back = carried.entitySet(withName: "Orders").entityType
                .property(withName: "Customer")
            try service.loadProperty(back, into: saw)
            #expect(back.optionalEntity(from: saw)?.entityKey.toString() == "ID=1")
            try service.deleteLink(from: saw, property: back)
            try AppShop.wait { done in provider.upload { done($0) } }
            #expect(
                try school.serviceRows("SELECT ID FROM Orders WHERE CustomerID IS NULL")
                    == [["10"]])
            try provider.close()
        }
    }

    @Test func whatTheArchiveTellsOfIsLoadedByTheNameOfItsClass() async throws {
        try await AppShop.run { school in
            let provider = try school.provider([("Customers", "Customers")])
            try AppShop.wait { done in provider.open { done($0) } }
            let service = BaseDataService(provider: provider)
            let customers = service.entitySet(withName: "Customers")
            let name = customers.entityType.property(withName: "Name")
            let ann = try service.executeQuery(
                DataQuery().from(customers).orderBy(name).top(1)
            ).requiredEntity()
            name.setStringValue(in: ann, to: "refused")
            let headers = HTTPHeaders()
            headers.setHeader(withName: "X-Reason", value: "typing")
            try service.updateEntity(ann, headers: headers)
            try AppShop.wait { done in provider.upload { done($0) } }
            let entry = try #require(try service.fetchErrorArchive().first)
            try service.loadProperty(OfflineODataErrorArchiveEntity.affectedEntity, into: entry)
            #expect(entry.affectedEntity.map { name.stringValue(from: $0) } == "refused")
            try service.loadProperty(OfflineODataErrorArchiveEntity.customHeaders, into: entry)
            #expect(entry.customHeaders.map(\.value) == ["typing"])
            let request = try #require(try service.fetchRequestQueue().first)
            try service.loadProperty(OfflineODataRequest.affectedEntity, into: request)
            #expect(request.affectedEntity?.inErrorState == true)
            try provider.close()
        }
    }
}
