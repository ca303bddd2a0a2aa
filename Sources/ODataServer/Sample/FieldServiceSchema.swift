/// The tables of the sample, in the order in which foreign keys want them filled.
enum FieldServiceTable: String, CaseIterable, Sendable {
    case customers = "Customers"
    case sites = "Sites"
    case equipment = "Equipment"
    case workOrders = "WorkOrders"
    case timeEntries = "TimeEntries"
    case photos = "Photos"

    /// Rows of this table in a hundred rows of the sample.
    var share: Int {
        switch self {
        case .customers: 5
        case .sites: 10
        case .equipment: 20
        case .workOrders: 25
        case .timeEntries: 30
        case .photos: 10
        }
    }

    var columnCount: Int {
        switch self {
        case .customers: 12
        case .sites: 11
        case .equipment: 11
        case .workOrders: 15
        case .timeEntries: 8
        case .photos: 7
        }
    }
}

/// The statements that make the tables: what somebody would write by hand for SQLite, nothing of ours.
enum FieldServiceSchema {
    static let tables = """
        CREATE TABLE "Customers" (
            "Id" UUID NOT NULL PRIMARY KEY,
            "Number" TEXT NOT NULL,
            "Name" VARCHAR(80) NOT NULL,
            "Email" VARCHAR(120),
            "Phone" VARCHAR(40),
            "Industry" VARCHAR(20) NOT NULL,
            "CreditLimit" DECIMAL(12,2),
            "Rating" DOUBLE,
            "IsActive" BOOLEAN NOT NULL DEFAULT 1,
            "CustomerSince" DATE,
            "ModifiedAt" DATETIME NOT NULL,
            "Notes" TEXT
        );
        CREATE TABLE "Sites" (
            "Id" INTEGER NOT NULL PRIMARY KEY,
            "CustomerId" UUID NOT NULL REFERENCES "Customers"("Id"),
            "Name" VARCHAR(80) NOT NULL,
            "Street" VARCHAR(80),
            "City" VARCHAR(60) NOT NULL,
            "PostalCode" VARCHAR(10),
            "Country" CHAR(2) NOT NULL,
            "Latitude" DOUBLE,
            "Longitude" DOUBLE,
            "OpensAt" TIME,
            "HasParking" BOOLEAN NOT NULL
        );
        CREATE TABLE "Equipment" (
            "SerialNumber" VARCHAR(20) NOT NULL PRIMARY KEY,
            "SiteId" INTEGER NOT NULL REFERENCES "Sites"("Id"),
            "ParentSerialNumber" VARCHAR(20) REFERENCES "Equipment"("SerialNumber"),
            "Model" VARCHAR(40) NOT NULL,
            "Manufacturer" VARCHAR(40) NOT NULL,
            "Status" VARCHAR(12) NOT NULL,
            "InstalledOn" DATE NOT NULL,
            "WarrantyUntil" DATE,
            "Price" DECIMAL(10,2) NOT NULL,
            "OperatingSeconds" BIGINT NOT NULL,
            "ServiceInterval" DURATION
        );
        CREATE TABLE "WorkOrders" (
            "Id" INTEGER NOT NULL PRIMARY KEY,
            "SiteId" INTEGER NOT NULL REFERENCES "Sites"("Id"),
            "EquipmentSerialNumber" VARCHAR(20) REFERENCES "Equipment"("SerialNumber"),
            "Number" VARCHAR(16) NOT NULL UNIQUE,
            "Title" VARCHAR(100) NOT NULL,
            "Description" TEXT,
            "Priority" SMALLINT NOT NULL,
            "Status" VARCHAR(12) NOT NULL,
            "CreatedAt" DATETIME NOT NULL,
            "ScheduledAt" DATETIME,
            "CompletedOn" DATE,
            "EstimatedDuration" DURATION,
            "Cost" DECIMAL(10,2),
            "IsBillable" BOOLEAN NOT NULL,
            "AssignedTo" VARCHAR(60)
        );
        CREATE TABLE "TimeEntries" (
            "WorkOrderId" INTEGER NOT NULL REFERENCES "WorkOrders"("Id") ON DELETE CASCADE,
            "Position" SMALLINT NOT NULL,
            "Technician" VARCHAR(60) NOT NULL,
            "StartedAt" DATETIME NOT NULL,
            "Duration" DURATION NOT NULL,
            "Hours" DECIMAL(5,2) NOT NULL,
            "IsOvertime" BOOLEAN NOT NULL,
            "Note" TEXT,
            PRIMARY KEY ("WorkOrderId", "Position")
        );
        CREATE TABLE "Photos" (
            "Id" UUID NOT NULL PRIMARY KEY,
            "WorkOrderId" INTEGER NOT NULL REFERENCES "WorkOrders"("Id") ON DELETE CASCADE,
            "Caption" VARCHAR(120),
            "ContentType" VARCHAR(40) NOT NULL,
            "Content" BLOB NOT NULL,
            "ByteCount" BIGINT NOT NULL,
            "TakenAt" DATETIME NOT NULL
        );
        """

    /// Made after the rows, which is faster.
    static let indexes = """
        CREATE INDEX "SitesByCustomer" ON "Sites"("CustomerId");
        CREATE INDEX "EquipmentBySite" ON "Equipment"("SiteId");
        CREATE INDEX "EquipmentByParent" ON "Equipment"("ParentSerialNumber");
        CREATE INDEX "WorkOrdersBySite" ON "WorkOrders"("SiteId");
        CREATE INDEX "WorkOrdersByEquipment" ON "WorkOrders"("EquipmentSerialNumber");
        CREATE INDEX "PhotosByWorkOrder" ON "Photos"("WorkOrderId");
        """
}
