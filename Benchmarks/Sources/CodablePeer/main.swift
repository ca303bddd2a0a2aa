// What a careful app would write without this library: URLSession, JSONDecoder and GRDB records.
// usage: CodablePeer SERVICE_URL FILE   prints seconds=… rows=… peak_kib=…
import Foundation
import GRDB

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Order: Codable, PersistableRecord {
    static let databaseTableName = "Orders"

    let etag: String
    let ID: Int64
    let Customer: String?
    let City: String?
    let Street: String?
    let Category: String?
    let Email: String?
    let Note: String?
    let Price: Double?
    let Tax: Double?
    let Weight: Double?
    let CreatedAt: String?
    let DueDate: String?
    let Active: Bool?
    let CustomerID: Int64?

    enum CodingKeys: String, CodingKey {
        case etag = "@odata.etag"
        case ID, Customer, City, Street, Category, Email, Note, Price, Tax, Weight, CreatedAt
        case DueDate, Active, CustomerID
    }
}

struct OrderPage: Decodable {
    let value: [Order]
    let nextLink: String?

    enum CodingKeys: String, CodingKey {
        case value
        case nextLink = "@odata.nextLink"
    }
}

func peakKiB() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

func run(service: String, file: String) async throws {
    for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file + suffix)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let pool = try DatabasePool(path: file)
    try await pool.write { database in
        try database.create(table: "Orders") { table in
            table.column("@odata.etag", .text)
            table.primaryKey("ID", .integer)
            for name in ["Customer", "City", "Street", "Category", "Email", "Note"] {
                table.column(name, .text)
            }
            for name in ["Price", "Tax", "Weight"] { table.column(name, .double) }
            for name in ["CreatedAt", "DueDate"] { table.column(name, .text) }
            table.column("Active", .boolean)
            table.column("CustomerID", .integer)
        }
    }
    let decoder = JSONDecoder()
    var next: String? = service + "Orders"
    var rows = 0
    while let text = next, let url = URL(string: text) {
        let (data, _) = try await URLSession.shared.data(from: url)
        let page = try decoder.decode(OrderPage.self, from: data)
        try await pool.write { database in
            for order in page.value { try order.insert(database) }
        }
        rows += page.value.count
        next = page.nextLink
    }
    try await pool.write { database in
        try database.create(index: "Orders_CustomerID", on: "Orders", columns: ["CustomerID"])
    }
    try pool.close()
    let duration = start.duration(to: clock.now) / .seconds(1)
    print("seconds=\(duration) rows=\(rows) peak_kib=\(peakKiB())")
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: CodablePeer SERVICE_URL FILE")
    exit(2)
}
try await run(service: arguments[1], file: arguments[2])
