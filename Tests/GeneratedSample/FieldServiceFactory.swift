// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum FieldServiceFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerCustomer(entityTypes)
        registerEquipmentItem(entityTypes)
        registerPhoto(entityTypes)
        registerSite(entityTypes)
        registerTimeEntry(entityTypes)
        registerWorkOrder(entityTypes)
        registerMemo(entityTypes)
        _ = complexTypes
    }

    private static func registerCustomer(_ types: EntityTypeMap) {
        types.get("FieldService.Customer")?.registerFactory(
            ObjectFactory.with(
                create: { Customer(withDefaults: false) },
                sparse: { Customer(withDefaults: false, withIndexMap: $0) },
                decode: { try Customer(from: $0) }))
    }

    private static func registerEquipmentItem(_ types: EntityTypeMap) {
        types.get("FieldService.EquipmentItem")?.registerFactory(
            ObjectFactory.with(
                create: { EquipmentItem(withDefaults: false) },
                sparse: { EquipmentItem(withDefaults: false, withIndexMap: $0) },
                decode: { try EquipmentItem(from: $0) }))
    }

    private static func registerPhoto(_ types: EntityTypeMap) {
        types.get("FieldService.Photo")?.registerFactory(
            ObjectFactory.with(
                create: { Photo(withDefaults: false) },
                sparse: { Photo(withDefaults: false, withIndexMap: $0) },
                decode: { try Photo(from: $0) }))
    }

    private static func registerSite(_ types: EntityTypeMap) {
        types.get("FieldService.Site")?.registerFactory(
            ObjectFactory.with(
                create: { Site(withDefaults: false) },
                sparse: { Site(withDefaults: false, withIndexMap: $0) },
                decode: { try Site(from: $0) }))
    }

    private static func registerTimeEntry(_ types: EntityTypeMap) {
        types.get("FieldService.TimeEntry")?.registerFactory(
            ObjectFactory.with(
                create: { TimeEntry(withDefaults: false) },
                sparse: { TimeEntry(withDefaults: false, withIndexMap: $0) },
                decode: { try TimeEntry(from: $0) }))
    }

    private static func registerWorkOrder(_ types: EntityTypeMap) {
        types.get("FieldService.WorkOrder")?.registerFactory(
            ObjectFactory.with(
                create: { WorkOrder(withDefaults: false) },
                sparse: { WorkOrder(withDefaults: false, withIndexMap: $0) },
                decode: { try WorkOrder(from: $0) }))
    }

    private static func registerMemo(_ types: EntityTypeMap) {
        types.get("Own.Memo")?.registerFactory(
            ObjectFactory.with(
                create: { Memo(withDefaults: false) },
                sparse: { Memo(withDefaults: false, withIndexMap: $0) },
                decode: { try Memo(from: $0) }))
    }
}
