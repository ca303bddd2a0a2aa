// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum FieldSyncMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        FieldSyncFactory.registerAll(in: metadata)
        FieldSyncMetadata.document = metadata
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
        mergeMethods(metadata.dataMethods)
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeAsyncCustomer(elements)
        mergeAsyncEquipmentItem(elements)
        mergeAsyncPhoto(elements)
        mergeAsyncSite(elements)
        mergeAsyncTimeEntry(elements)
        mergeAsyncWorkOrder(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Customers") { FieldSyncMetadata.EntitySets.customers = element }
        if let element = elements.get("Equipment") { FieldSyncMetadata.EntitySets.equipment = element }
        if let element = elements.get("Photos") { FieldSyncMetadata.EntitySets.photos = element }
        if let element = elements.get("Sites") { FieldSyncMetadata.EntitySets.sites = element }
        if let element = elements.get("TimeEntries") { FieldSyncMetadata.EntitySets.timeEntries = element }
        if let element = elements.get("WorkOrders") { FieldSyncMetadata.EntitySets.workOrders = element }
    }

    private static func mergeMethods(_ elements: DataMethodMap) {
        if let element = elements.get("GetOrdersOf") { FieldSyncMetadata.FunctionImports.getOrdersOf = element }
        if let element = elements.get("GetOrderCount") { FieldSyncMetadata.FunctionImports.getOrderCount = element }
        if let element = elements.get("CloseOrder") { FieldSyncMetadata.ActionImports.closeOrder = element }
        if let element = elements.get("FieldService.GetOrdersOf") { FieldSyncMetadata.Functions.getOrdersOf = element }
        if let element = elements.get("FieldService.GetOrderCount") { FieldSyncMetadata.Functions.getOrderCount = element }
        if let element = elements.get("FieldService.CloseOrder") { FieldSyncMetadata.Actions.closeOrder = element }
    }

    private static func mergeAsyncCustomer(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Customer") else { return }
        FieldSyncMetadata.EntityTypes.customer = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { AsyncCustomer.keyID = property }
        if let property = properties.get("Number") { AsyncCustomer.number = property }
        if let property = properties.get("Name") { AsyncCustomer.name = property }
        if let property = properties.get("Email") { AsyncCustomer.email = property }
        if let property = properties.get("Phone") { AsyncCustomer.phone = property }
        if let property = properties.get("Industry") { AsyncCustomer.industry = property }
        if let property = properties.get("CreditLimit") { AsyncCustomer.creditLimit = property }
        if let property = properties.get("Rating") { AsyncCustomer.rating = property }
        if let property = properties.get("IsActive") { AsyncCustomer.isActive = property }
        if let property = properties.get("CustomerSince") { AsyncCustomer.customerSince = property }
        if let property = properties.get("ModifiedAt") { AsyncCustomer.modifiedAt = property }
        if let property = properties.get("Notes") { AsyncCustomer.notes = property }
        if let property = properties.get("Sites") { AsyncCustomer.sites = property }
    }

    private static func mergeAsyncEquipmentItem(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.EquipmentItem") else { return }
        FieldSyncMetadata.EntityTypes.equipmentItem = type
        let properties = type.propertyMap
        if let property = properties.get("SerialNumber") { AsyncEquipmentItem.serialNumber = property }
        if let property = properties.get("SiteId") { AsyncEquipmentItem.siteID = property }
        if let property = properties.get("ParentSerialNumber") { AsyncEquipmentItem.parentSerialNumber = property }
        if let property = properties.get("Model") { AsyncEquipmentItem.model = property }
        if let property = properties.get("Manufacturer") { AsyncEquipmentItem.manufacturer = property }
        if let property = properties.get("Status") { AsyncEquipmentItem.status = property }
        if let property = properties.get("InstalledOn") { AsyncEquipmentItem.installedOn = property }
        if let property = properties.get("WarrantyUntil") { AsyncEquipmentItem.warrantyUntil = property }
        if let property = properties.get("Price") { AsyncEquipmentItem.price = property }
        if let property = properties.get("OperatingSeconds") { AsyncEquipmentItem.operatingSeconds = property }
        if let property = properties.get("ServiceInterval") { AsyncEquipmentItem.serviceInterval = property }
        if let property = properties.get("Site") { AsyncEquipmentItem.site = property }
        if let property = properties.get("Parent") { AsyncEquipmentItem.parent = property }
        if let property = properties.get("Equipment_Parent") { AsyncEquipmentItem.equipmentParent = property }
        if let property = properties.get("WorkOrders") { AsyncEquipmentItem.workOrders = property }
    }

    private static func mergeAsyncPhoto(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Photo") else { return }
        FieldSyncMetadata.EntityTypes.photo = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { AsyncPhoto.keyID = property }
        if let property = properties.get("WorkOrderId") { AsyncPhoto.workOrderID = property }
        if let property = properties.get("Caption") { AsyncPhoto.caption = property }
        if let property = properties.get("ContentType") { AsyncPhoto.contentType = property }
        if let property = properties.get("Content") { AsyncPhoto.content = property }
        if let property = properties.get("ByteCount") { AsyncPhoto.byteCount = property }
        if let property = properties.get("TakenAt") { AsyncPhoto.takenAt = property }
        if let property = properties.get("WorkOrder") { AsyncPhoto.workOrder = property }
    }

    private static func mergeAsyncSite(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Site") else { return }
        FieldSyncMetadata.EntityTypes.site = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { AsyncSite.keyID = property }
        if let property = properties.get("CustomerId") { AsyncSite.customerID = property }
        if let property = properties.get("Name") { AsyncSite.name = property }
        if let property = properties.get("Street") { AsyncSite.street = property }
        if let property = properties.get("City") { AsyncSite.city = property }
        if let property = properties.get("PostalCode") { AsyncSite.postalCode = property }
        if let property = properties.get("Country") { AsyncSite.country = property }
        if let property = properties.get("Latitude") { AsyncSite.latitude = property }
        if let property = properties.get("Longitude") { AsyncSite.longitude = property }
        if let property = properties.get("OpensAt") { AsyncSite.opensAt = property }
        if let property = properties.get("HasParking") { AsyncSite.hasParking = property }
        if let property = properties.get("Equipment") { AsyncSite.equipment = property }
        if let property = properties.get("Customer") { AsyncSite.customer = property }
        if let property = properties.get("WorkOrders") { AsyncSite.workOrders = property }
    }

    private static func mergeAsyncTimeEntry(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.TimeEntry") else { return }
        FieldSyncMetadata.EntityTypes.timeEntry = type
        let properties = type.propertyMap
        if let property = properties.get("WorkOrderId") { AsyncTimeEntry.workOrderID = property }
        if let property = properties.get("Position") { AsyncTimeEntry.position = property }
        if let property = properties.get("Technician") { AsyncTimeEntry.technician = property }
        if let property = properties.get("StartedAt") { AsyncTimeEntry.startedAt = property }
        if let property = properties.get("Duration") { AsyncTimeEntry.duration = property }
        if let property = properties.get("Hours") { AsyncTimeEntry.hours = property }
        if let property = properties.get("IsOvertime") { AsyncTimeEntry.isOvertime = property }
        if let property = properties.get("Note") { AsyncTimeEntry.note = property }
        if let property = properties.get("WorkOrder") { AsyncTimeEntry.workOrder = property }
    }

    private static func mergeAsyncWorkOrder(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.WorkOrder") else { return }
        FieldSyncMetadata.EntityTypes.workOrder = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { AsyncWorkOrder.keyID = property }
        if let property = properties.get("SiteId") { AsyncWorkOrder.siteID = property }
        if let property = properties.get("EquipmentSerialNumber") { AsyncWorkOrder.equipmentSerialNumber = property }
        if let property = properties.get("Number") { AsyncWorkOrder.number = property }
        if let property = properties.get("Title") { AsyncWorkOrder.title = property }
        if let property = properties.get("Description") { AsyncWorkOrder.description = property }
        if let property = properties.get("Priority") { AsyncWorkOrder.priority = property }
        if let property = properties.get("Status") { AsyncWorkOrder.status = property }
        if let property = properties.get("CreatedAt") { AsyncWorkOrder.createdAt = property }
        if let property = properties.get("ScheduledAt") { AsyncWorkOrder.scheduledAt = property }
        if let property = properties.get("CompletedOn") { AsyncWorkOrder.completedOn = property }
        if let property = properties.get("EstimatedDuration") { AsyncWorkOrder.estimatedDuration = property }
        if let property = properties.get("Cost") { AsyncWorkOrder.cost = property }
        if let property = properties.get("IsBillable") { AsyncWorkOrder.isBillable = property }
        if let property = properties.get("AssignedTo") { AsyncWorkOrder.assignedTo = property }
        if let property = properties.get("Photos") { AsyncWorkOrder.photos = property }
        if let property = properties.get("TimeEntries") { AsyncWorkOrder.timeEntries = property }
        if let property = properties.get("Site") { AsyncWorkOrder.site = property }
        if let property = properties.get("Equipment") { AsyncWorkOrder.equipment = property }
    }
}
