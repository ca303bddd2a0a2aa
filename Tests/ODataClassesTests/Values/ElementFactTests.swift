import ODataClasses
import ODataModel
import Testing

/// Facets, media streams as properties, and other facts of metadata elements.
@Suite struct ElementFactTests {
    private func document() throws -> CSDLDocument {
        var graph = MetadataGraph(version: .v4)
        var price = TypeReference(.primitive(.decimal), isNullable: false)
        price.facets.precision = 9
        price.facets.scale = .variable
        var photo = StructureDefinition(
            kind: .entity, namespace: "N", name: "Photo",
            properties: [
                PropertyDefinition(name: "Id", type: TypeReference(.primitive(.int32))),
                PropertyDefinition(name: "Price", type: price),
            ], key: [KeyProperty(path: "Id")])
        photo.hasStream = true
        graph.structures = [photo]
        graph.entitySets = [
            EntitySetDefinition(name: "My Photos", container: "N.C", type: StructureID(0))
        ]
        try graph.freeze()
        return CSDLDocument(graph: graph)
    }

    @Test func facetsStandTogether() throws {
        let type = try document().entityType(withName: "N.Photo")
        let facets = type.property(withName: "Price").facets
        #expect(!facets.isNullable && facets.precision == 9)
        #expect(facets.scale == TypeFacets.variableScale)
        #expect(facets.maxLength == TypeFacets.anyLength && facets.isUnicode && !facets.fixedLength)
        #expect(facets.toString() == "Nullable=false Precision=9 Scale=variable")
        #expect(facets.equals(type.property(withName: "Price").facets))
        #expect(!facets.equals(type.property(withName: "Id").facets))
    }

    @Test func theMediaStreamIsAPropertyToo() throws {
        let type = try document().entityType(withName: "N.Photo")
        let media = try #require(type.mediaProperty)
        #expect(media.isStream && media.qualifiedName == "N.Photo/$value")
        #expect(!type.propertyList.includes(media))
        let photo = EntityValue.ofType(type)
        photo.mediaStream.mediaType = "image/png"
        #expect(media.streamLink(from: photo) === photo.mediaStream)
        #expect(photo.dataValue(for: media) === photo.mediaStream)
        #expect(photo.hasDataValue(for: media))
        let link = StreamLink()
        photo.setDataValue(for: media, to: link)
        #expect(photo.mediaStream === link)
        #expect(try ShopModel.document().entityType(withName: "Shop.Order").mediaProperty == nil)
    }

    @Test func aSetHasAPathForRequests() throws {
        let set = try document().entitySet(withName: "My Photos")
        #expect(set.resourcePath == "My Photos" && set.requestPath == "My%20Photos")
    }
}
