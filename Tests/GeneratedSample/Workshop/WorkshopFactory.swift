// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum WorkshopFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerWsSize(complexTypes)
        registerWsTool(entityTypes)
        registerWsMember(entityTypes)
        registerWsPhoto(entityTypes)
    }

    private static func registerWsSize(_ types: ComplexTypeMap) {
        types.get("Ws.Size")?.registerFactory(
            ObjectFactory.with(
                create: { WsSize(withDefaults: false) },
                sparse: { WsSize(withDefaults: false, withIndexMap: $0) },
                decode: { try WsSize(from: $0) }))
    }

    private static func registerWsTool(_ types: EntityTypeMap) {
        types.get("Ws.Tool")?.registerFactory(
            ObjectFactory.with(
                create: { WsTool(withDefaults: false) },
                sparse: { WsTool(withDefaults: false, withIndexMap: $0) },
                decode: { try WsTool(from: $0) }))
    }

    private static func registerWsMember(_ types: EntityTypeMap) {
        types.get("Ws.Member")?.registerFactory(
            ObjectFactory.with(
                create: { WsMember(withDefaults: false) },
                sparse: { WsMember(withDefaults: false, withIndexMap: $0) },
                decode: { try WsMember(from: $0) }))
    }

    private static func registerWsPhoto(_ types: EntityTypeMap) {
        types.get("Ws.Photo")?.registerFactory(
            ObjectFactory.with(
                create: { WsPhoto(withDefaults: false) },
                sparse: { WsPhoto(withDefaults: false, withIndexMap: $0) },
                decode: { try WsPhoto(from: $0) }))
    }
}
