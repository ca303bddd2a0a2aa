import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// Brings queue, rows and links of a salvaged store together again.
struct SalvagedQueue {
    let transaction: StoreTransaction
    /// See ``Salvage``.
    let lostKeys: [String: [Int64: [String: DatabaseValue]]]
    let damaged: Set<String>
    private(set) var report: RepairReport

    private var database: Database { transaction.database }

    init(_ transaction: StoreTransaction, _ salvage: Salvage) {
        self.transaction = transaction
        lostKeys = salvage.lostKeys
        damaged = salvage.damaged
        report = salvage.report
    }

    mutating func run() throws {
        _ = try StoreSchema(database: database).adopt(transaction.mapping)
        for table in transaction.mapping.tables {
            try SearchIndexes(database: database).remake(table)
        }
        try setLocalRowID()
        try putUnreadableAside()
        try settleStates()
        try restoreRows()
        let queue = ["_odata_request", "_odata_request_row", "_odata_request_principal"]
        if !damaged.isDisjoint(with: queue) {
            try releaseRows()
        }
        try markSets(try dropDanglingLinks())
        report.keptRequests =
            try Int.fetchOne(database, sql: "SELECT count(*) FROM _odata_request") ?? 0
    }

    /// Ids of rows created here are given once, also when the last one is not known any more.
    private func setLocalRowID() throws {
        var lowest = try transaction.settings.integer(.localRowID) ?? 0
        for table in transaction.mapping.tables {
            guard let id = table.system.id else { continue }
            for name in [table.name, table.baseName] {
                let least = try Int64.fetchOne(
                    database, sql: "SELECT min(\(SQLName.quoted(id))) FROM \(SQLName.quoted(name))")
                lowest = min(lowest, least ?? 0)
            }
        }
        let requested = try Int64.fetchOne(
            database, sql: "SELECT min(\"row\") FROM _odata_request")
        try transaction.settings.set(.localRowID, min(lowest, requested ?? 0))
    }

    // MARK: Requests

    /// Requests that make no sense do not stop the others.
    private mutating func putUnreadableAside() throws {
        let ids = try Int64.fetchAll(database, sql: "SELECT id FROM _odata_request")
        for id in ids {
            do {
                _ = try transaction.requests.requests([id])
            } catch is ODataError {
                try database.execute(
                    sql: "CREATE TABLE IF NOT EXISTS _odata_request_unreadable AS"
                        + " SELECT * FROM _odata_request WHERE 0")
                try database.execute(
                    sql: "INSERT INTO _odata_request_unreadable"
                        + " SELECT * FROM _odata_request WHERE id = ?", arguments: [id])
                try database.execute(
                    sql: "DELETE FROM _odata_request WHERE id = ?", arguments: [id])
                report.unreadableRequests.append(id)
            }
        }
        try transaction.requests.reindex()
    }

    /// A request waits for what is there: an attempt whose request was sent, a refusal that blocks it.
    private func settleStates() throws {
        try database.execute(
            sql: "UPDATE _odata_request SET state = 'unknown', attempt = NULL"
                + " WHERE state = 'frozen' AND attempt NOT IN (SELECT id FROM _odata_attempt)")
        try database.execute(
            sql: "UPDATE _odata_request SET state = 'waiting', blocked_by = NULL"
                + " WHERE state = 'blocked' AND blocked_by NOT IN (SELECT id FROM _odata_request)")
    }

    // MARK: Rows

    /// Rows that requests speak of come back: by their base image, their creation, or at least with their key.
    private mutating func restoreRows() throws {
        for request in try transaction.requests.all() {
            var rows = request.writtenRows.union(request.touchedRows).union(request.principals)
            rows.insert(request.target)
            if let other = request.navigation?.row { rows.insert(other) }
            var refreshed: Set<RowReference> = []
            for row in rows {
                guard let images = try? transaction.images(row.table) else { continue }
                let hasRow = try images.rows.row(id: row.id) != nil
                let hasImage = try images.image(id: row.id) != nil
                if hasRow, hasImage || row.id < 0 { continue }
                let isCreatedHere = row.id < 0
                if !hasRow, !hasImage, !isCreatedHere, try !putKey(of: row) {
                    guard row == request.target, request.operation != .create else { continue }
                    try refuse(request)
                    continue
                }
                refreshed.insert(row)
            }
            try RowRefresh(transaction: transaction).refresh(
                refreshed, links: request.changedLinks, request: request.id)
        }
    }

    /// A row of which only the key is known gets the rest with the next download.
    private func putKey(of row: RowReference) throws -> Bool {
        let table = try transaction.table(row.table)
        guard let key = lostKeys[table.name]?[row.id], let id = table.system.id,
            table.keys.allSatisfy({ $0.comparedColumn == $0.name })
        else { return false }
        let names = ([id] + key.keys).map { SQLName.quoted($0) }.joined(separator: ", ")
        let marks = Array(repeating: "?", count: key.count + 1).joined(separator: ", ")
        try database.run(
            "INSERT OR IGNORE INTO \(SQLName.quoted(table.name)) (\(names)) VALUES (\(marks))",
            [.integer(row.id)] + key.values.map { SQLArgument($0) })
        return database.changesCount == 1
    }

    private mutating func refuse(_ request: QueuedRequest) throws {
        var request = request
        request.state = .failed(
            RequestFailure(
                status: 0, code: "storeDamaged",
                message: "The key of the entity was lost when the store was damaged."))
        try transaction.requests.update(request)
        report.keylessRequests.append(request.id)
    }

    /// Rows whose requests are lost: what the service said comes back, and what was made here stays to be seen until the
    /// next download.
    private mutating func releaseRows() throws {
        let waiting = EntityState.pending.rawValue
        for table in transaction.mapping.tables {
            guard let id = table.system.id, let state = table.system.state else { continue }
            let (name, column) = (SQLName.quoted(table.name), SQLName.quoted(id))
            let rows = try Int64.fetchAll(
                database,
                sql: "SELECT \(column) FROM \(name) WHERE \(SQLName.quoted(state)) & \(waiting)"
                    + " UNION SELECT \(column) FROM \(SQLName.quoted(table.baseName))")
            let access = try transaction.images(table.path)
            for row in rows {
                let reference = transaction.reference(table, row)
                guard try transaction.requests.requests(writing: [reference]).isEmpty else {
                    continue
                }
                report.rowsWithoutRequest += 1
                if let image = try access.image(id: row) {
                    try access.drop(id: row)
                    try access.rows.delete(id: row)
                    if image.kind == .present { try access.rows.write(image.row) }
                } else if let stored = try access.rows.row(id: row) {
                    try access.rows.setState(
                        stored.state.subtracting([.pending, .error, .deleteError]), id: row)
                }
            }
        }
    }

    // MARK: Links and sets

    /// Takes away links and contained rows of rows that are lost; returns the tables that lost some.
    private func dropDanglingLinks() throws -> Set<TableID> {
        let dangling = DanglingRows(mapping: transaction.mapping, database: database)
        return try dangling.drop().union(
            transaction.mapping.linkTables.filter { damaged.contains($0.name) }.map(\.source))
    }

    /// What lost rows is read in full by the next download; so is everything when nobody knows what was read.
    private mutating func markSets(_ touched: Set<TableID>) throws {
        let mapping = transaction.mapping
        let knowsReads = damaged.isDisjoint(with: ["_odata_loaded", "_odata_meta"])
        let tables = mapping.tables.filter { table in
            !knowsReads || touched.contains(table.id) || damaged.contains(table.name)
                || damaged.contains(table.baseName) || damaged.contains("_odata_base_link")
        }
        let graph = transaction.graph
        let sets = Set(tables.map { graph[mapping[$0.id].entitySet].name })
        if !damaged.isEmpty {
            // Pages in between and rows that a sweep has seen may be among what was lost.
            try database.execute(sql: "DELETE FROM _odata_resume; DELETE FROM _odata_stage")
        }
        try DownloadBookkeeping(database).markIncomplete(sets)
        report.incompleteSets = sets.subtracting(graph.clientOnlySets).sorted()
    }
}
