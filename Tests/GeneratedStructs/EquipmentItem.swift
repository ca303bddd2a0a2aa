// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `Equipment`, of type `FieldService.EquipmentItem`.
public nonisolated struct EquipmentItem: Entity, Identifiable {
    /// Where it is.
    public static let entitySet = "Equipment"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<EquipmentItem>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// Its `ref`.
    public var id: Ref<EquipmentItem> { ref }
    /// `SerialNumber`.
    public let serialNumber: String
    /// `SiteId`.
    public var siteID: Int
    /// `ParentSerialNumber`.
    public var parentSerialNumber: String?
    /// `Model`.
    public var model: String
    /// `Manufacturer`.
    public var manufacturer: String
    /// `Status`.
    public var status: String
    /// `InstalledOn`.
    public var installedOn: CalendarDate
    /// `WarrantyUntil`.
    public var warrantyUntil: CalendarDate?
    /// `Price`.
    public var price: ExactDecimal
    /// `OperatingSeconds`.
    public var operatingSeconds: Int
    /// `ServiceInterval`.
    public var serviceInterval: Duration?
    /// `Site`.
    public var site: Link<Site>
    /// `Parent`.
    public var parent: Link<EquipmentItem>
    /// `Equipment_Parent`.
    public let equipmentParent: Links<EquipmentItem>
    /// `WorkOrders`.
    public let workOrders: Links<WorkOrder>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        serialNumber = try row.value("SerialNumber")
        siteID = try row.value("SiteId")
        parentSerialNumber = try row.value("ParentSerialNumber")
        model = try row.value("Model")
        manufacturer = try row.value("Manufacturer")
        status = try row.value("Status")
        installedOn = try row.value("InstalledOn")
        warrantyUntil = try row.value("WarrantyUntil")
        price = try row.value("Price")
        operatingSeconds = try row.value("OperatingSeconds")
        serviceInterval = try row.value("ServiceInterval")
        site = try row.link("Site")
        parent = try row.link("Parent")
        equipmentParent = try row.links("Equipment_Parent")
        workOrders = try row.links("WorkOrders")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("SiteId", siteID)
        values.set("ParentSerialNumber", parentSerialNumber)
        values.set("Model", model)
        values.set("Manufacturer", manufacturer)
        values.set("Status", status)
        values.set("InstalledOn", installedOn)
        values.set("WarrantyUntil", warrantyUntil)
        values.set("Price", price)
        values.set("OperatingSeconds", operatingSeconds)
        values.set("ServiceInterval", serviceInterval)
        values.set("Site", site)
        values.set("Parent", parent)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `SerialNumber`.
        public var serialNumber: Field<String> { path.field("SerialNumber") }
        /// `SiteId`.
        public var siteID: Field<Int> { path.field("SiteId") }
        /// `ParentSerialNumber`.
        public var parentSerialNumber: Field<String?> { path.field("ParentSerialNumber") }
        /// `Model`.
        public var model: Field<String> { path.field("Model") }
        /// `Manufacturer`.
        public var manufacturer: Field<String> { path.field("Manufacturer") }
        /// `Status`.
        public var status: Field<String> { path.field("Status") }
        /// `InstalledOn`.
        public var installedOn: Field<CalendarDate> { path.field("InstalledOn") }
        /// `WarrantyUntil`.
        public var warrantyUntil: Field<CalendarDate?> { path.field("WarrantyUntil") }
        /// `Price`.
        public var price: Field<ExactDecimal> { path.field("Price") }
        /// `OperatingSeconds`.
        public var operatingSeconds: Field<Int> { path.field("OperatingSeconds") }
        /// `ServiceInterval`.
        public var serviceInterval: Field<Duration?> { path.field("ServiceInterval") }
        /// `Site`.
        public var site: ToOne<Site> { path.toOne("Site") }
        /// `Parent`.
        public var parent: ToOne<EquipmentItem> { path.toOne("Parent") }
        /// `Equipment_Parent`.
        public var equipmentParent: ToMany<EquipmentItem> { path.toMany("Equipment_Parent") }
        /// `WorkOrders`.
        public var workOrders: ToMany<WorkOrder> { path.toMany("WorkOrders") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = EquipmentItem
        /// `SerialNumber`.
        public var serialNumber: String
        /// `SiteId`.
        public var siteID: Int?
        /// `ParentSerialNumber`.
        public var parentSerialNumber: String?
        /// `Model`.
        public var model: String
        /// `Manufacturer`.
        public var manufacturer: String
        /// `Status`.
        public var status: String
        /// `InstalledOn`.
        public var installedOn: CalendarDate
        /// `WarrantyUntil`.
        public var warrantyUntil: CalendarDate?
        /// `Price`.
        public var price: ExactDecimal
        /// `OperatingSeconds`.
        public var operatingSeconds: Int
        /// `ServiceInterval`.
        public var serviceInterval: Duration?
        /// `Site`.
        public var site: Ref<Site>?
        /// `Parent`.
        public var parent: Ref<EquipmentItem>?

        /// With links to what it belongs to.
        public init(
            serialNumber: String,
            site: Ref<Site>,
            model: String,
            manufacturer: String,
            status: String,
            installedOn: CalendarDate,
            price: ExactDecimal,
            operatingSeconds: Int,
            parentSerialNumber: String? = nil,
            warrantyUntil: CalendarDate? = nil,
            serviceInterval: Duration? = nil,
            parent: Ref<EquipmentItem>? = nil
        ) {
            self.serialNumber = serialNumber
            self.site = site
            self.parentSerialNumber = parentSerialNumber
            self.model = model
            self.manufacturer = manufacturer
            self.status = status
            self.installedOn = installedOn
            self.warrantyUntil = warrantyUntil
            self.price = price
            self.operatingSeconds = operatingSeconds
            self.serviceInterval = serviceInterval
            self.parent = parent
        }

        /// With the keys of what it belongs to.
        public init(
            serialNumber: String,
            siteID: Int,
            model: String,
            manufacturer: String,
            status: String,
            installedOn: CalendarDate,
            price: ExactDecimal,
            operatingSeconds: Int,
            parentSerialNumber: String? = nil,
            warrantyUntil: CalendarDate? = nil,
            serviceInterval: Duration? = nil,
            parent: Ref<EquipmentItem>? = nil
        ) {
            self.serialNumber = serialNumber
            self.siteID = siteID
            self.parentSerialNumber = parentSerialNumber
            self.model = model
            self.manufacturer = manufacturer
            self.status = status
            self.installedOn = installedOn
            self.warrantyUntil = warrantyUntil
            self.price = price
            self.operatingSeconds = operatingSeconds
            self.serviceInterval = serviceInterval
            self.parent = parent
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("SerialNumber", serialNumber)
            values.set("SiteId", ifPresent: siteID)
            values.set("ParentSerialNumber", ifPresent: parentSerialNumber)
            values.set("Model", model)
            values.set("Manufacturer", manufacturer)
            values.set("Status", status)
            values.set("InstalledOn", installedOn)
            values.set("WarrantyUntil", ifPresent: warrantyUntil)
            values.set("Price", price)
            values.set("OperatingSeconds", operatingSeconds)
            values.set("ServiceInterval", ifPresent: serviceInterval)
            if let site { values.set("Site", Link(to: site)) }
            if let parent { values.set("Parent", Link(to: parent)) }
        }
    }
}
