import ODataSQL
import ODataSyncPlan

/// ``RowHold`` as SQL: what it makes of the sources of rows, and which rows it holds.
struct HoldSQL {
    let hold: RowHold
    let table: TableMapping

    /// The column with the sources, quoted; nil for tables without.
    var column: String? { table.system.sources.map { SQLName.quoted($0) } }

    /// The sources of a row that is new.
    var first: Int64 { hold.taken(0) }

    /// What ``RowHold/taken(_:)`` makes of `sources`.
    func taken(_ sources: String) -> String {
        let held = "(\(named(sources)) | \(hold.mask)) & \(~RowHolds.nobody)"
        return hold.isImplicit ? "CASE WHEN \(sources) = 0 THEN 0 ELSE \(held) END" : held
    }

    /// What ``RowHold/left(_:isHeldAside:)`` makes of `sources`, where no other source is listed beside the table.
    func left(_ sources: String) -> String {
        "\(named(sources)) & \(~(hold.mask | RowHolds.nobody))"
    }

    /// The same where one is.
    func leftAside(_ sources: String) -> String {
        "\(named(sources)) & \(~RowHolds.nobody)"
    }

    private func named(_ sources: String) -> String {
        hold.implicit == 0
            ? sources : "(CASE WHEN \(sources) = 0 THEN \(hold.implicit) ELSE \(sources) END)"
    }

    /// The rows that the source holds.
    ///
    /// - Parameter alias: of the data table in the statement.
    func isHeld(_ alias: String) -> String {
        guard let column else { return "1" }
        let sources = "\(alias).\(column)"
        let bit = "(\(sources) & \(hold.mask)) <> 0"
        if hold.isImplicit { return "(\(sources) = 0 OR \(bit))" }
        guard hold.isAside else { return "(\(bit))" }
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        return "(\(bit) AND EXISTS (SELECT 1 FROM _odata_row_source h WHERE h.\"table\" ="
            + " \(SQLName.constant(table.path)) AND h.\"row\" = \(alias).\(id)"
            + " AND h.place = \(hold.place)))"
    }
}

extension HoldSQL {
    /// The rows that the source holds and no other does.
    func isOnlyHeld(_ alias: String) -> String? {
        guard let column else { return nil }
        let others = "(\(left("\(alias).\(column)"))) = 0"
        guard hold.isAside else { return "\(isHeld(alias)) AND \(others)" }
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        return "\(isHeld(alias)) AND \(others) AND NOT EXISTS (SELECT 1 FROM _odata_row_source o"
            + " WHERE o.\"table\" = \(SQLName.constant(table.path)) AND o.\"row\" = \(alias).\(id)"
            + " AND o.place <> \(hold.place))"
    }
}

/// Row ids as one argument, for statements that work on many rows at once.
struct RowList {
    let ids: [Int64]

    /// Bound to a parameter of ``condition(_:)``.
    var argument: String { "[\(ids.map(String.init).joined(separator: ","))]" }

    /// True for the rows of the list, which is bound to parameter `number`.
    static func condition(_ column: String, _ number: Int = 1) -> String {
        "\(column) IN (SELECT value FROM json_each(?\(number)))"
    }
}
