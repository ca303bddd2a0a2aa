// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum OldWorkshopFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerOldSize(complexTypes)
        registerOldTool(entityTypes)
        registerOldPowerTool(entityTypes)
        registerOldMember(entityTypes)
        registerOldPhoto(entityTypes)
    }

    private static func registerOldSize(_ types: ComplexTypeMap) {
        types.get("Ws.Size")?.registerFactory(
            ObjectFactory.with(
                create: { OldSize(withDefaults: false) },
                sparse: { OldSize(withDefaults: false, withIndexMap: $0) },
                decode: { try OldSize(from: $0) }))
    }

    private static func registerOldTool(_ types: EntityTypeMap) {
        types.get("Ws.Tool")?.registerFactory(
            ObjectFactory.with(
                create: { OldTool(withDefaults: false) },
                sparse: { OldTool(withDefaults: false, withIndexMap: $0) },
                decode: { try OldTool(from: $0) }))
    }

    private static func registerOldPowerTool(_ types: EntityTypeMap) {
        types.get("Ws.PowerTool")?.registerFactory(
            ObjectFactory.with(
                create: { OldPowerTool(withDefaults: false) },
                sparse: { OldPowerTool(withDefaults: false, withIndexMap: $0) },
                decode: { try OldPowerTool(from: $0) }))
    }

    private static func registerOldMember(_ types: EntityTypeMap) {
        types.get("Ws.Member")?.registerFactory(
            ObjectFactory.with(
                create: { OldMember(withDefaults: false) },
                sparse: { OldMember(withDefaults: false, withIndexMap: $0) },
                decode: { try OldMember(from: $0) }))
    }

    private static func registerOldPhoto(_ types: EntityTypeMap) {
        types.get("Ws.Photo")?.registerFactory(
            ObjectFactory.with(
                create: { OldPhoto(withDefaults: false) },
                sparse: { OldPhoto(withDefaults: false, withIndexMap: $0) },
                decode: { try OldPhoto(from: $0) }))
    }
}
