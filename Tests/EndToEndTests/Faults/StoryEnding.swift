import GRDB
import ODataCommand
import ODataTesting

/// What service and store hold when a story is over, and what should not be.
struct StoryEnding: Sendable {
    /// Rows by place and set.
    var tables: [String: [[DatabaseValue]]] = [:]
    /// By the service's own log: how often each kind of change had an effect on each table.
    var effects: [[DatabaseValue]] = []
    var findings: [String] = []
    var rowsCompared = 0
    var faults: [FaultTransport.Fault: Int] = [:]
    var requests = 0

    init() {}

    /// Reads service and store by SQL on their files.
    init(of place: FaultPlace, _ faults: FaultTransport?) throws {
        for set in FaultTests.sets {
            for (place, name, rows) in [
                ("service", { "\"\($0)\"" }, place.serviceRows),
                ("store", { "\"_odata_view_\($0)\"" }, place.storeRows),
            ] as [(String, (String) -> String, (String) throws -> [[DatabaseValue]])] {
                tables["\(place) \(set)"] = try rows(Self.query(set, name))
            }
        }
        effects = try place.serviceRows(
            "SELECT table_name, operation, count(*) FROM _odata_changes GROUP BY 1, 2 ORDER BY 1, 2"
        )
        let comparison = try place.comparison()
        findings = comparison.differences.map { "service and store differ: \($0)" }
        rowsCompared = comparison.rowsCompared
        self.faults = faults?.counts ?? [:]
        requests = faults?.requestCount ?? 0
    }

    /// New rows get their ids in the order of arrival, so they are compared without them.
    private static func query(_ set: String, _ name: (String) -> String) -> String {
        switch set {
        case "WorkOrders":
            "SELECT SiteId, EquipmentSerialNumber, Number, Title, Priority, Status, AssignedTo"
                + " FROM \(name(set)) ORDER BY Number"
        case "Sites":
            "SELECT CustomerId, Name, Street, City, PostalCode FROM \(name(set)) ORDER BY 1, 2, 3, 4"
        case "TimeEntries":
            "SELECT o.Number, t.Position, t.Technician, t.Hours, t.Note FROM \(name(set)) t"
                + " JOIN \(name("WorkOrders")) o ON o.Id = t.WorkOrderId ORDER BY 1, 2"
        default: "SELECT * FROM \(name(set)) ORDER BY 1"
        }
    }

    /// Where this one ends in another state, or had an effect more or less often.
    func differences(from expected: StoryEnding) -> [String] {
        var found: [String] = []
        for name in expected.tables.keys.sorted() where tables[name] != expected.tables[name] {
            let (here, there) = (tables[name] ?? [], expected.tables[name] ?? [])
            let count = Set(here).symmetricDifference(there).count
            found.append("\(name): \(here.count) rows for \(there.count), \(count) not alike")
        }
        if effects != expected.effects {
            found.append("effects: \(effects) for \(expected.effects)")
        }
        return found
    }
}
