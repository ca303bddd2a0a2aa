import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// The queue in `_odata_request`, with an index of the rows each request writes in `_odata_request_row`, and one of the rows whose
/// keys it follows in `_odata_request_principal`.
struct RequestRows {
    let database: Database
    private let graph: MetadataGraph
    private let json: RequestJSON

    init(database: Database, graph: MetadataGraph) {
        self.database = database
        self.graph = graph
        json = RequestJSON(graph: graph)
    }

    // MARK: Reading

    /// The whole queue in queue order.
    func all() throws -> [QueuedRequest] {
        try fetch("ORDER BY position, id", [])
    }

    /// The requests from a place in the queue on.
    func all(from position: Int64) throws -> [QueuedRequest] {
        try fetch("WHERE position >= ? ORDER BY position, id", [.integer(position)])
    }

    /// Requests that write one of the rows, in queue order.
    ///
    /// - Parameter known: Requests as they are stored now, which are not read again.
    func requests(
        writing rows: some Collection<RowReference>, known: [QueuedRequest] = []
    ) throws -> [QueuedRequest] {
        var ids = try ids(of: rows, in: "_odata_request_row")
        // The last one is what an id stands for.
        let found = known.reversed().filter { ids.remove($0.id) != nil }
        return (found + (try requests(ids))).sorted(by: QueuedRequest.comesBefore)
    }

    /// Requests with foreign keys that follow the key of one of the rows, in queue order.
    func requests(following rows: some Collection<RowReference>) throws -> [QueuedRequest] {
        try requests(ids(of: rows, in: "_odata_request_principal"))
    }

    private func ids(
        of rows: some Collection<RowReference>, in index: String
    ) throws -> Set<Int64> {
        var ids: Set<Int64> = []
        let text = "SELECT request FROM \(index) WHERE \"table\" = ? AND \"row\" = ?"
        for row in rows {
            let statement = try database.statement(
                SQLStatement(text: text), [.text(row.table), .integer(row.id)], nil)
            while try statement.step() { ids.insert(sqlite3_column_int64(statement.handle, 0)) }
        }
        return ids
    }

    func requests(_ ids: some Collection<Int64>) throws -> [QueuedRequest] {
        guard !ids.isEmpty else { return [] }
        return try ids.flatMap { try fetch("WHERE id = ?", [.integer($0)]) }
            .sorted(by: QueuedRequest.comesBefore)
    }

    /// Deletions of rows of a table that were sent before, answered or not.
    func sentDeletions(in table: String) throws -> [QueuedRequest] {
        try fetch(
            "WHERE operation = 'delete' AND \"table\" = ? AND first_sent IS NOT NULL"
                + " ORDER BY position, id", [.text(table)])
    }

    /// What waits for a request that was refused, or of which nobody knows what became.
    func requests(blockedBy id: Int64) throws -> [QueuedRequest] {
        try fetch(
            "WHERE state = 'blocked' AND blocked_by = ? ORDER BY position, id", [.integer(id)])
    }

    func isEmpty() throws -> Bool {
        try Int64.fetchOne(database, sql: "SELECT 1 FROM _odata_request LIMIT 1") == nil
    }

    // Hot: Upload
    private func fetch(_ clause: String, _ arguments: [SQLArgument]) throws -> [QueuedRequest] {
        let statement = try database.statement(
            SQLStatement(text: Self.selection + clause), arguments, nil)
        var found: [QueuedRequest] = []
        while try statement.step() { found.append(try request(RequestRow(statement.handle))) }
        return found
    }

    private func request(_ row: RequestRow) throws -> QueuedRequest {
        let target = RowReference(table: try row.text(.table), id: row.integer(.row))
        let text = row.optionalText(.body)
        var navigation: QueuedRequest.Navigation?
        if let property = row.optionalText(.navigation) {
            navigation = QueuedRequest.Navigation(
                property: property, row: nil, isContained: row.integer(.isContained) != 0)
            if let otherTable = row.optionalText(.otherTable),
                let other = row.optionalInteger(.otherRow)
            {
                navigation?.row = RowReference(table: otherTable, id: other)
            }
        }
        var body: RequestBody?
        var effects: [RequestEffect] = []
        var misfit: String?
        do {
            body = try text.map { try json.body($0, of: target) }
            effects = try json.effects(row.optionalText(.effects))
        } catch let error as ODataError where error.code != .storage {
            // One request that no longer fits must not keep the others from being read.
            misfit = error.message + (error.location.map { " (\($0))" } ?? "")
            body = try? text.map { try json.tolerant.body($0, of: target) }
            effects = try json.tolerant.effects(row.optionalText(.effects))
        }
        var request = QueuedRequest(
            id: row.integer(.id),
            identity: RepeatabilityIdentity(
                id: try row.text(.repeatabilityID), firstSent: row.optionalInteger(.firstSent)),
            operation: try Self.operation(row.text(.operation)),
            target: target, navigation: navigation, body: body, effects: effects,
            principals: try json.rows(row.optionalText(.principals)),
            ifMatch: row.optionalText(.ifMatch),
            headers: try RequestJSON.headers(row.optionalText(.headers)),
            changeSet: row.optionalText(.changeSet), customTag: row.optionalText(.customTag),
            uploadGroup: row.optionalText(.uploadGroup),
            transactionID: row.optionalText(.transactionID),
            flags: QueuedRequest.Flags(rawValue: Int(row.integer(.flags))),
            position: row.integer(.position), state: try Self.state(row),
            createdAt: row.integer(.createdAt))
        request.user = row.optionalText(.user)
        request.misfit = misfit ?? request.misplacement(in: graph)
        if request.misfit != nil { request.storedBody = text }
        request.takenUp = Self.takenUp(row, request.state)
        return request
    }

    /// What a request that waits or is on its way was refused with before.
    private static func takenUp(_ row: RequestRow, _ state: RequestState) -> RequestState? {
        guard state == .waiting || state.isFrozen else { return nil }
        if let cause = row.optionalInteger(.blockedBy) { return .blocked(by: cause) }
        return row.optionalInteger(.status) == nil ? nil : .failed(failure(row))
    }

    private static func failure(_ row: RequestRow) -> RequestFailure {
        RequestFailure(
            status: Int(row.integer(.status)), code: row.optionalText(.errorCode),
            message: row.optionalText(.errorMessage), innerError: row.optionalText(.innerError),
            responseBody: row.optionalText(.responseBody))
    }

    private static func state(_ row: RequestRow) throws -> RequestState {
        switch try row.text(.state) {
        case "waiting": return .waiting
        case "frozen": return .frozen(attempt: row.integer(.attempt))
        case "failed": return .failed(failure(row))
        case "blocked": return .blocked(by: row.integer(.blockedBy))
        case "unknown": return .unknown(reason: row.optionalText(.errorMessage))
        default: throw ValueJSON.damaged()
        }
    }

    /// Whether a request waits to be sent.
    func hasWaiting() throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_request WHERE state = 'waiting' LIMIT 1")) != nil
    }

    /// Whether an update or a deletion waits that says nothing of the row it was made for.
    func hasUntagged() throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_request WHERE state = 'waiting' AND if_match IS NULL"
                    + " AND operation IN ('merge', 'replace', 'delete') LIMIT 1")) != nil
    }

    /// Whether a request is neither waiting nor on its way.
    func hasListed() throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_request WHERE state NOT IN ('waiting', 'frozen')"
                    + " LIMIT 1")) != nil
    }

    /// Whether the app has cancelled one of the requests while it had no answer.
    static func hasCancelled(_ ids: [Int64], _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT flags FROM _odata_request WHERE id = ?")
        return try ids.contains { id in
            let flags = try Int.fetchOne(statement, arguments: [id]) ?? 0
            return QueuedRequest.Flags(rawValue: flags).contains(.cancelled)
        }
    }

    /// The upload group of the last request in a change set; nil while there is no request in it.
    func group(ofChangeSet name: String) throws -> String?? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT upload_group FROM _odata_request WHERE change_set = ?"
                    + " ORDER BY id DESC LIMIT 1"), arguments: [name])
        return row.map { $0[0] as String? }
    }

    // MARK: Writing

    /// Carries out the edits; returns the requests as stored, ids given.
    @discardableResult
    func apply(_ edits: [QueueEdit], makeIdentifier: () -> String) throws -> [QueuedRequest] {
        var stored: [QueuedRequest] = []
        for edit in edits {
            switch edit {
            case .append(var request):
                if request.identity.id.isEmpty { request.identity.id = makeIdentifier() }
                stored.append(try insert(request))
            case .replace(var request):
                if request.identity.id.isEmpty { request.identity.id = makeIdentifier() }
                try update(request)
                stored.append(request)
            case .remove(let id):
                try remove(id)
            }
        }
        return stored
    }

    func insert(_ request: QueuedRequest) throws -> QueuedRequest {
        var request = request
        let isLast = request.position == 0
        var values = arguments(request)
        if isLast { values.removeFirst() }
        try database.run(isLast ? Self.appending : Self.inserting, values)
        request.id = database.lastInsertedRowID
        if isLast { request.position = request.id }
        try index(request)
        return request
    }

    func update(_ request: QueuedRequest) throws {
        guard request.misfit == nil else { return try updateState(of: request) }
        let assignments = Self.columns.map(Self.assignment).joined(separator: ", ")
        try database.run(
            "UPDATE _odata_request SET \(assignments) WHERE id = ?",
            arguments(request) + [.integer(request.id)])
        try unindex(request.id)
        try index(request)
    }

    /// Writes what freezing changes of a request, and nothing else: neither its values nor the rows that it writes are others.
    func freeze(_ request: QueuedRequest) throws {
        guard case .frozen(let attempt) = request.state else { return try update(request) }
        try database.cachedStatement(
            sql: "UPDATE _odata_request SET state = 'frozen', attempt = ?, repeatability_id = ?,"
                + " first_sent = ? WHERE id = ?"
        ).execute(
            arguments: [attempt, request.identity.id, request.identity.firstSent, request.id])
    }

    /// What does not fit the metadata stays as it was written.
    private func updateState(of request: QueuedRequest) throws {
        let kept: Set = ["body", "effects", "principals"]
        let changed = zip(Self.columns, arguments(request)).filter { !kept.contains($0.0) }
        try database.run(
            "UPDATE _odata_request SET "
                + changed.map { Self.assignment(to: $0.0) }.joined(separator: ", ")
                + " WHERE id = ?",
            changed.map(\.1) + [.integer(request.id)])
    }

    /// Whoever changes a request later, it stays with who made it.
    private static func assignment(to column: String) -> String {
        column == "user" ? "user = coalesce(user, ?)" : column + " = ?"
    }

    func remove(_ id: Int64) throws {
        try database.run("DELETE FROM _odata_request WHERE id = ?", [.integer(id)])
        try database.run("DELETE FROM _odata_sending WHERE request = ?", [.integer(id)])
        try unindex(id)
        try database.run("DELETE FROM _odata_row_mark WHERE request = ?", [.integer(id)])
        try StreamRows(database: database).giveUp(request: id)
    }

    private func index(_ request: QueuedRequest) throws {
        for row in request.writtenRows.union(request.touchedRows) {
            try database.run(
                "INSERT OR IGNORE INTO _odata_request_row VALUES (?, ?, ?)",
                [.text(row.table), .integer(row.id), .integer(request.id)])
        }
        for row in Set(request.effects.compactMap(\.principal)) {
            try database.run(
                "INSERT OR IGNORE INTO _odata_request_principal VALUES (?, ?, ?)",
                [.text(row.table), .integer(row.id), .integer(request.id)])
        }
    }

    /// Makes the indexes of the rows that requests write and follow anew.
    func reindex() throws {
        try database.execute(
            sql: "DELETE FROM _odata_request_row; DELETE FROM _odata_request_principal")
        for request in try all() { try index(request) }
    }

    private func unindex(_ id: Int64) throws {
        for index in ["_odata_request_row", "_odata_request_principal"] {
            try database.run("DELETE FROM \(index) WHERE request = ?", [.integer(id)])
        }
    }

    /// In the order of ``RequestRow/Column``, behind the id.
    private static let selection =
        "SELECT id, " + columns.joined(separator: ", ") + " FROM _odata_request "

    private static let columns = [
        "position", "operation", "\"table\"", "\"row\"", "navigation", "other_table", "other_row",
        "is_contained", "body", "effects", "principals", "if_match", "headers", "change_set",
        "custom_tag", "upload_group", "transaction_id", "flags", "repeatability_id", "first_sent",
        "state", "attempt", "blocked_by", "status", "error_code", "error_message", "inner_error",
        "response_body", "created_at", "user",
    ]

    /// Whose request it is, where nobody has asked: the one the store is open for.
    private static let userOrPresentOne =
        "coalesce(?, (SELECT value FROM _odata_meta WHERE name = 'user' AND value <> ''))"

    private static let inserting = insertion(position: "?")

    /// At the end of the queue: the place is the id that SQLite is about to give, as it works it out itself. An update behind the
    /// insertion would write the index of the places twice.
    private static let appending = insertion(
        position: "max(coalesce((SELECT max(id) FROM _odata_request), 0), coalesce((SELECT seq"
            + " FROM sqlite_sequence WHERE name = '_odata_request'), 0)) + 1")

    private static func insertion(position: String) -> String {
        let marks =
            [position] + Array(repeating: "?", count: columns.count - 2) + [userOrPresentOne]
        return "INSERT INTO _odata_request (\(columns.joined(separator: ", ")))"
            + " VALUES (\(marks.joined(separator: ", ")))"
    }

    private func arguments(_ request: QueuedRequest) -> [SQLArgument] {
        var stateName = "waiting"
        var attempt: Int64?
        var blockedBy: Int64?
        var listed: RequestState? = request.state
        switch request.state {
        case .waiting: listed = request.takenUp
        case .frozen(let id): (stateName, attempt, listed) = ("frozen", id, request.takenUp)
        case .failed: stateName = "failed"
        case .blocked: stateName = "blocked"
        case .unknown: stateName = "unknown"
        }
        let failure = listed?.failure
        var message = failure?.message
        if case .blocked(let by)? = listed { blockedBy = by }
        if case .unknown(let reason)? = listed { message = reason }
        let navigation = request.navigation
        var values: [SQLArgument] = []
        values.reserveCapacity(Self.columns.count + 1)
        values += [
            .integer(request.position), .text(Self.name(request.operation)),
            .text(request.target.table), .integer(request.target.id),
            SQLArgument(navigation?.property), SQLArgument(navigation?.row?.table),
            SQLArgument(navigation?.row?.id), .boolean(navigation?.isContained ?? false),
        ]
        values += [
            SQLArgument(request.body.map(json.text)), SQLArgument(json.text(request.effects)),
            SQLArgument(json.text(request.principals)), SQLArgument(request.ifMatch),
            SQLArgument(RequestJSON.text(request.headers)), SQLArgument(request.changeSet),
            SQLArgument(request.customTag), SQLArgument(request.uploadGroup),
            SQLArgument(request.transactionID), .integer(Int64(request.flags.rawValue)),
            .text(request.identity.id), SQLArgument(request.identity.firstSent),
        ]
        values += [
            .text(stateName), SQLArgument(attempt), SQLArgument(blockedBy),
            SQLArgument((failure?.status).map(Int64.init)), SQLArgument(failure?.code),
            SQLArgument(message), SQLArgument(failure?.innerError),
            SQLArgument(failure?.responseBody), .integer(request.createdAt),
            SQLArgument(request.user),
        ]
        return values
    }

    private static func name(_ operation: QueuedRequest.Operation) -> String {
        switch operation {
        case .create: "create"
        case .update(.merge): "merge"
        case .update(.replace): "replace"
        case .delete: "delete"
        case .createLink: "createLink"
        case .updateLink: "updateLink"
        case .deleteLink: "deleteLink"
        case .putStream: "putStream"
        case .deleteStream: "deleteStream"
        }
    }

    private static func operation(_ name: String) throws -> QueuedRequest.Operation {
        switch name {
        case "create": .create
        case "merge": .update(.merge)
        case "replace": .update(.replace)
        case "delete": .delete
        case "createLink": .createLink
        case "updateLink": .updateLink
        case "deleteLink": .deleteLink
        case "putStream": .putStream
        case "deleteStream": .deleteStream
        default: throw ValueJSON.damaged()
        }
    }
}
