// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum FieldSyncFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerAsyncCustomer(entityTypes)
        registerAsyncEquipmentItem(entityTypes)
        registerAsyncPhoto(entityTypes)
        registerAsyncSite(entityTypes)
        registerAsyncTimeEntry(entityTypes)
        registerAsyncWorkOrder(entityTypes)
        _ = complexTypes
    }

    private static func registerAsyncCustomer(_ types: EntityTypeMap) {
        types.get("FieldService.Customer")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncCustomer(withDefaults: false) },
                sparse: { AsyncCustomer(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncCustomer(from: $0) }))
    }

    private static func registerAsyncEquipmentItem(_ types: EntityTypeMap) {
        types.get("FieldService.EquipmentItem")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncEquipmentItem(withDefaults: false) },
                sparse: { AsyncEquipmentItem(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncEquipmentItem(from: $0) }))
    }

    private static func registerAsyncPhoto(_ types: EntityTypeMap) {
        types.get("FieldService.Photo")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncPhoto(withDefaults: false) },
                sparse: { AsyncPhoto(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncPhoto(from: $0) }))
    }

    private static func registerAsyncSite(_ types: EntityTypeMap) {
        types.get("FieldService.Site")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncSite(withDefaults: false) },
                sparse: { AsyncSite(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncSite(from: $0) }))
    }

    private static func registerAsyncTimeEntry(_ types: EntityTypeMap) {
        types.get("FieldService.TimeEntry")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncTimeEntry(withDefaults: false) },
                sparse: { AsyncTimeEntry(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncTimeEntry(from: $0) }))
    }

    private static func registerAsyncWorkOrder(_ types: EntityTypeMap) {
        types.get("FieldService.WorkOrder")?.registerFactory(
            ObjectFactory.with(
                create: { AsyncWorkOrder(withDefaults: false) },
                sparse: { AsyncWorkOrder(withDefaults: false, withIndexMap: $0) },
                decode: { try AsyncWorkOrder(from: $0) }))
    }
}
