// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum FieldServiceMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        FieldServiceFactory.registerAll(in: metadata)
        FieldServiceMetadata.document = metadata
        mergeEnumTypes(metadata.enumTypes)
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
        mergeMethods(metadata.dataMethods)
    }

    private static func mergeEnumTypes(_ elements: EnumTypeMap) {
        if let type = elements.get("Own.Mood") {
            FieldServiceMetadata.EnumTypes.mood = type
            if let element = type.findMember("Fine") { FieldServiceMetadata.EnumValues.Mood.fine = element }
            if let element = type.findMember("Urgent") { FieldServiceMetadata.EnumValues.Mood.urgent = element }
        }
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeCustomer(elements)
        mergeEquipmentItem(elements)
        mergePhoto(elements)
        mergeSite(elements)
        mergeTimeEntry(elements)
        mergeWorkOrder(elements)
        mergeMemo(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Customers") { FieldServiceMetadata.EntitySets.customers = element }
        if let element = elements.get("Equipment") { FieldServiceMetadata.EntitySets.equipment = element }
        if let element = elements.get("Photos") { FieldServiceMetadata.EntitySets.photos = element }
        if let element = elements.get("Sites") { FieldServiceMetadata.EntitySets.sites = element }
        if let element = elements.get("TimeEntries") { FieldServiceMetadata.EntitySets.timeEntries = element }
        if let element = elements.get("WorkOrders") { FieldServiceMetadata.EntitySets.workOrders = element }
        if let element = elements.get("Memos") { FieldServiceMetadata.EntitySets.memos = element }
        if let element = elements.get("WorkOrderDrafts") { FieldServiceMetadata.EntitySets.workOrderDrafts = element }
    }

    private static func mergeMethods(_ elements: DataMethodMap) {
        if let element = elements.get("GetOrdersOf") { FieldServiceMetadata.FunctionImports.getOrdersOf = element }
        if let element = elements.get("GetOrderCount") { FieldServiceMetadata.FunctionImports.getOrderCount = element }
        if let element = elements.get("CloseOrder") { FieldServiceMetadata.ActionImports.closeOrder = element }
        if let element = elements.get("FieldService.GetOrdersOf") { FieldServiceMetadata.Functions.getOrdersOf = element }
        if let element = elements.get("FieldService.GetOrderCount") { FieldServiceMetadata.Functions.getOrderCount = element }
        if let element = elements.get("FieldService.CloseOrder") { FieldServiceMetadata.Actions.closeOrder = element }
    }

    private static func mergeCustomer(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Customer") else { return }
        FieldServiceMetadata.EntityTypes.customer = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { Customer.keyID = property }
        if let property = properties.get("Number") { Customer.number = property }
        if let property = properties.get("Name") { Customer.name = property }
        if let property = properties.get("Email") { Customer.email = property }
        if let property = properties.get("Phone") { Customer.phone = property }
        if let property = properties.get("Industry") { Customer.industry = property }
        if let property = properties.get("CreditLimit") { Customer.creditLimit = property }
        if let property = properties.get("Rating") { Customer.rating = property }
        if let property = properties.get("IsActive") { Customer.isActive = property }
        if let property = properties.get("CustomerSince") { Customer.customerSince = property }
        if let property = properties.get("ModifiedAt") { Customer.modifiedAt = property }
        if let property = properties.get("Notes") { Customer.notes = property }
        if let property = properties.get("Sites") { Customer.sites = property }
    }

    private static func mergeEquipmentItem(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.EquipmentItem") else { return }
        FieldServiceMetadata.EntityTypes.equipmentItem = type
        let properties = type.propertyMap
        if let property = properties.get("SerialNumber") { EquipmentItem.serialNumber = property }
        if let property = properties.get("SiteId") { EquipmentItem.siteID = property }
        if let property = properties.get("ParentSerialNumber") { EquipmentItem.parentSerialNumber = property }
        if let property = properties.get("Model") { EquipmentItem.model = property }
        if let property = properties.get("Manufacturer") { EquipmentItem.manufacturer = property }
        if let property = properties.get("Status") { EquipmentItem.status = property }
        if let property = properties.get("InstalledOn") { EquipmentItem.installedOn = property }
        if let property = properties.get("WarrantyUntil") { EquipmentItem.warrantyUntil = property }
        if let property = properties.get("Price") { EquipmentItem.price = property }
        if let property = properties.get("OperatingSeconds") { EquipmentItem.operatingSeconds = property }
        if let property = properties.get("ServiceInterval") { EquipmentItem.serviceInterval = property }
        if let property = properties.get("Site") { EquipmentItem.site = property }
        if let property = properties.get("Parent") { EquipmentItem.parent = property }
        if let property = properties.get("Equipment_Parent") { EquipmentItem.equipmentParent = property }
        if let property = properties.get("WorkOrders") { EquipmentItem.workOrders = property }
    }

    private static func mergePhoto(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Photo") else { return }
        FieldServiceMetadata.EntityTypes.photo = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { Photo.keyID = property }
        if let property = properties.get("WorkOrderId") { Photo.workOrderID = property }
        if let property = properties.get("Caption") { Photo.caption = property }
        if let property = properties.get("ContentType") { Photo.contentType = property }
        if let property = properties.get("Content") { Photo.content = property }
        if let property = properties.get("ByteCount") { Photo.byteCount = property }
        if let property = properties.get("TakenAt") { Photo.takenAt = property }
        if let property = properties.get("WorkOrder") { Photo.workOrder = property }
    }

    private static func mergeSite(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.Site") else { return }
        FieldServiceMetadata.EntityTypes.site = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { Site.keyID = property }
        if let property = properties.get("CustomerId") { Site.customerID = property }
        if let property = properties.get("Name") { Site.name = property }
        if let property = properties.get("Street") { Site.street = property }
        if let property = properties.get("City") { Site.city = property }
        if let property = properties.get("PostalCode") { Site.postalCode = property }
        if let property = properties.get("Country") { Site.country = property }
        if let property = properties.get("Latitude") { Site.latitude = property }
        if let property = properties.get("Longitude") { Site.longitude = property }
        if let property = properties.get("OpensAt") { Site.opensAt = property }
        if let property = properties.get("HasParking") { Site.hasParking = property }
        if let property = properties.get("Equipment") { Site.equipment = property }
        if let property = properties.get("Customer") { Site.customer = property }
        if let property = properties.get("WorkOrders") { Site.workOrders = property }
    }

    private static func mergeTimeEntry(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.TimeEntry") else { return }
        FieldServiceMetadata.EntityTypes.timeEntry = type
        let properties = type.propertyMap
        if let property = properties.get("WorkOrderId") { TimeEntry.workOrderID = property }
        if let property = properties.get("Position") { TimeEntry.position = property }
        if let property = properties.get("Technician") { TimeEntry.technician = property }
        if let property = properties.get("StartedAt") { TimeEntry.startedAt = property }
        if let property = properties.get("Duration") { TimeEntry.duration = property }
        if let property = properties.get("Hours") { TimeEntry.hours = property }
        if let property = properties.get("IsOvertime") { TimeEntry.isOvertime = property }
        if let property = properties.get("Note") { TimeEntry.note = property }
        if let property = properties.get("WorkOrder") { TimeEntry.workOrder = property }
    }

    private static func mergeWorkOrder(_ elements: EntityTypeMap) {
        guard let type = elements.get("FieldService.WorkOrder") else { return }
        FieldServiceMetadata.EntityTypes.workOrder = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { WorkOrder.keyID = property }
        if let property = properties.get("SiteId") { WorkOrder.siteID = property }
        if let property = properties.get("EquipmentSerialNumber") { WorkOrder.equipmentSerialNumber = property }
        if let property = properties.get("Number") { WorkOrder.number = property }
        if let property = properties.get("Title") { WorkOrder.title = property }
        if let property = properties.get("Description") { WorkOrder.description = property }
        if let property = properties.get("Priority") { WorkOrder.priority = property }
        if let property = properties.get("Status") { WorkOrder.status = property }
        if let property = properties.get("CreatedAt") { WorkOrder.createdAt = property }
        if let property = properties.get("ScheduledAt") { WorkOrder.scheduledAt = property }
        if let property = properties.get("CompletedOn") { WorkOrder.completedOn = property }
        if let property = properties.get("EstimatedDuration") { WorkOrder.estimatedDuration = property }
        if let property = properties.get("Cost") { WorkOrder.cost = property }
        if let property = properties.get("IsBillable") { WorkOrder.isBillable = property }
        if let property = properties.get("AssignedTo") { WorkOrder.assignedTo = property }
        if let property = properties.get("Photos") { WorkOrder.photos = property }
        if let property = properties.get("TimeEntries") { WorkOrder.timeEntries = property }
        if let property = properties.get("Site") { WorkOrder.site = property }
        if let property = properties.get("Equipment") { WorkOrder.equipment = property }
    }

    private static func mergeMemo(_ elements: EntityTypeMap) {
        guard let type = elements.get("Own.Memo") else { return }
        FieldServiceMetadata.EntityTypes.memo = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { Memo.keyID = property }
        if let property = properties.get("Text") { Memo.text = property }
        if let property = properties.get("Mood") { Memo.mood = property }
    }
}
