import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// What ingest did with the rows it was given.
package struct IngestCounts: Sendable, Hashable {
    package var received = 0
    /// Inserted or changed.
    package var written = 0
    package var removed = 0
    /// Rows under local changes, whose base images were written instead.
    package var shadowed = 0
    /// Objects of a delta that name no row that can be told: only reading everything shows what they meant.
    package var unmatched = 0

    package init() {}
}

/// Writes the rows of pages into one table, inside one transaction: binds their bytes to prepared statements.
///
/// Rows that did not change are not written. Made, used and released inside one access to the connection, and
/// confined to it; call ``finish()`` before the transaction commits.
package struct RowIngest: RowSink, ~Copyable {
    package enum Mode: Sendable, Hashable {
        /// Nothing or little is there yet: insert without looking, and on a known key update.
        case first
        /// Most rows are there: look for the row first.
        case merge
        /// As merge, without marking rows as changed by the last download: part of a first load.
        case mergeQuietly
    }

    package let plan: IngestPlan
    package private(set) var counts = IngestCounts()
    /// Ids of the rows met, when a sweep asked to note them.
    package var seen: SeenRows?
    /// The row that contains the rows that come, for tables of contained entities.
    package var parent: Int64?
    /// Expanded collections that the payload does not hold to their end.
    package private(set) var openNavigations: [OpenNavigation] = []
    /// Bits of the expansions that rows say something about; a service may leave out what it was asked for.
    package private(set) var metExpansions: UInt64 = 0
    /// What a nested page touched, for the links of the row it belongs to; nil at the top.
    var touched: TouchedRows?

    let database: Database
    private let sql: IngestSQL
    private let mode: Mode
    /// What cannot be matched is counted; elsewhere a row without a key is an error.
    private let isDelta: Bool
    private let handler: any ShadowedRowHandler
    private let hasLocalChanges: Bool
    private let removals: RowRemovals
    private let state: EntityState
    private let rowLimit: Int
    private let isTimeUp: () -> Bool
    private var bytesSinceCheck = 0
    private var isCheckDue = false
    private var shadowedRows: [Int64] = []
    private var upsertedRows: [Int64] = []
    private var scratch = ScratchBytes()
    private var pattern: RowPattern
    private var present: [UInt64]
    private var current: RowStatements?
    private var statements: [RowPattern: RowStatements] = [:]
    private var lookup: BoundStatement?
    private var lookupBase: BoundStatement?
    private var lookupByID: BoundStatement?
    /// The row that an incoming one without its key was found to be.
    private var identified: FoundRow?
    private var keyReader: RowReader?
    private let nested: [NestedIngest]
    private let batching: StatementBatching?
    private var batch: RowBatch?

    /// - Parameters:
    ///   - rowLimit: Rows after which no more are wanted in this transaction.
    ///   - batching: For a first load that inserts several rows by one statement.
    ///   - dropped: Gets the rows that the payload of their relation no longer names.
    ///   - isDelta: The rows are changes, of which some may name rows in ways that nobody can match.
    ///   - isTimeUp: Asked every 64 rows or 16 KiB; true when no more are wanted in this transaction.
    package init(
        _ plan: IngestPlan, mapping: SchemaMapping, database: Database, mode: Mode,
        handler: any ShadowedRowHandler = NoShadowedRows(), rowLimit: Int = .max,
        batching: StatementBatching? = nil, dropped: DroppedRows? = nil, isDelta: Bool = false,
        isTimeUp: @escaping () -> Bool = { false }
    ) throws {
        let hasLocalChanges = try handler.hasLocalChanges(in: plan.table, database: database)
        let nested = try plan.expansions.map {
            try NestedIngest(
                $0, of: plan.table, mapping: mapping, database: database, mode: mode,
                handler: handler, dropped: dropped, isDelta: isDelta)
        }
        self.plan = plan
        self.isDelta = isDelta
        self.database = database
        self.hasLocalChanges = hasLocalChanges
        self.nested = nested
        // The row of a singleton has a fixed id, so that there is one at most.
        self.batching = plan.table.keyColumns.isEmpty ? nil : batching
        self.handler = handler
        self.rowLimit = rowLimit
        self.isTimeUp = isTimeUp
        // Links need to know the rows' ids, which inserting without looking does not tell.
        self.mode = hasLocalChanges || !plan.expansions.isEmpty ? .merge : mode
        state = mode == .merge ? .upserted : []
        sql = IngestSQL(plan: plan)
        removals = RowRemovals(table: plan.table, mapping: mapping, database: database)
        present = Array(repeating: 0, count: plan.columns.count / 64 + 1)
        pattern = RowPattern(slots: present, hasETag: false, hasControl: false)
    }

    package var isFull: Bool {
        counts.received >= rowLimit || (isCheckDue && isTimeUp())
    }

    private static let bytesPerCheck = 16 << 10

    package mutating func receive(_ row: IncomingRow) throws {
        counts.received += 1
        bytesSinceCheck += row.raw.count
        isCheckDue = counts.received & 63 == 0 || bytesSinceCheck >= Self.bytesPerCheck
        if isCheckDue { bytesSinceCheck = 0 }
        switch row.kind {
        case .entity:
            guard hasKey(row) else { return try takeKeyless(row) }
            let id = try write(row)
            if let id, touched != nil { touched?.written.append(id) }
            if let id, !row.navigations.isEmpty { try takeNavigations(of: row, id: id) }
        case .removed:
            try writeBatch()
            try remove(row)
        case .foreign(let path):
            // Entities of sets that the query does not expand are none of its business.
            let index = nested.firstIndex { $0.ingest.plan.table.path == path }
            guard let index else { return }
            try nested[index].takeEntity(row.bytes(row.raw))
            takeOpenNavigations(ofNested: index)
        case .link, .deletedLink: try takeLink(row)
        }
    }

    private mutating func takeNavigations(of row: IncomingRow, id: Int64) throws {
        var open: [OpenNavigation] = []
        for part in row.navigations where part.part == .nextLink {
            guard let link = row.text(part.field) else { continue }
            open.append(
                OpenNavigation(
                    row: id, path: [part.index],
                    navigation: plan.expansions[part.index].navigation, nextLink: link))
        }
        for part in row.navigations where part.part != .nextLink {
            metExpansions |= 1 << UInt64(part.index & 63)
            let rest = open.firstIndex { $0.path[0] == part.index }
            let named = try nested[part.index].take(part, of: row, id: id, isWhole: rest == nil)
            if let rest {
                open[rest].related = named
                open[rest].isDelta = part.part == .delta
            }
            takeOpenNavigations(ofNested: part.index)
        }
        if !open.isEmpty { openNavigations += open }
    }

    private mutating func takeOpenNavigations(ofNested index: Int) {
        for var open in nested[index].ingest.takeOpenNavigations() {
            open.path.insert(index, at: 0)
            openNavigations.append(open)
        }
    }

    /// An added or deleted link of the 4.0 delta form (JSON Format 4.01, sections 15.4 and 15.5).
    private mutating func takeLink(_ row: IncomingRow) throws {
        let link = try FlatLink(row)
        let index = nested.firstIndex { $0.navigation.path == link.relationship }
        guard let index else { return }
        switch try identify(link.source) {
        case .row(let near):
            let isTaken = try nested[index].take(
                link, from: near.id, isAdded: row.kind == .link)
            if !isTaken { counts.unmatched += 1 }
        case .absent, .elsewhere: return
        case .unknown: counts.unmatched += 1
        }
    }

    /// The internal id of the row with an entity id; nil when there is none.
    mutating func id(ofEntity id: String) throws -> Int64? {
        guard case .row(let found) = try identify(id) else { return nil }
        return found.id
    }

    /// What is open since the last call.
    mutating func takeOpenNavigations() -> [OpenNavigation] {
        guard !openNavigations.isEmpty else { return [] }
        defer { openNavigations = [] }
        return openNavigations
    }

    /// Brings shadowed rows up to date and tells observers; the transaction may commit then.
    package mutating func finish() throws {
        try writeBatch()
        if !shadowedRows.isEmpty {
            try handler.baseImagesChanged(shadowedRows, in: plan.table, database: database)
            shadowedRows = []
        }
        if !upsertedRows.isEmpty {
            try handler.upserted(upsertedRows, in: plan.table, database: database)
            upsertedRows = []
        }
        for nested in nested { counts += try nested.finish() }
        if counts.written + counts.removed > 0 {
            try database.notifyChanges(in: Table(plan.table.name))
        }
    }

    /// Writes an entity; returns its internal id where it is known.
    private mutating func write(_ row: IncomingRow) throws -> Int64? {
        let statements = try statements(for: row)
        if mode == .first, let batching {
            if let batch, batch.isFull || batch.statements !== statements { try writeBatch() }
            if batch == nil { batch = RowBatch(statements, batching) }
            batch?.add(row)
            return nil
        }
        scratch.reset(row.raw.count)
        if mode == .first {
            let upsert = try statements.upsert(database, sql, state)
            try bind(row, to: upsert)
            try upsert.run()
            counts.written += upsert.changes
            return nil
        }
        return try merge(row, statements)
    }

    /// Inserts the rows that wait by one statement; when one of them is there already, one by one.
    private mutating func writeBatch() throws {
        guard let waiting = batch, let batching else { return }
        batch = nil
        let after = current
        current = waiting.statements
        defer { current = after }
        let rows = waiting.rows
        let isInserted = try rows.count > 1 && insert(rows, waiting.statements)
        guard !isInserted else { return }
        if rows.count > 1 { batching.foundDuplicate(plan.table.path, rows.count) }
        let upsert = try waiting.statements.upsert(database, sql, state)
        for retained in rows {
            scratch.reset(retained.row.raw.count)
            try bind(retained.row, to: upsert)
            try upsert.run()
            counts.written += upsert.changes
        }
    }

    /// - Returns: false when nothing was inserted, because one of the rows is there already.
    private mutating func insert(
        _ rows: [RetainedRow], _ statements: RowStatements
    ) throws -> Bool {
        scratch.reset(rows.reduce(0) { $0 + $1.row.raw.count })
        let insert = try statements.insert(rows.count, database, sql, state)
        defer { insert.offset = 0 }
        for (number, retained) in rows.enumerated() {
            insert.offset = Int32(number) * (statements.nextParameter - 1)
            try bind(retained.row, to: insert)
        }
        do {
            try insert.run()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
        counts.written += rows.count
        return true
    }

    private mutating func merge(_ row: IncomingRow, _ statements: RowStatements) throws -> Int64 {
        let found: FoundRow? = if let identified { identified } else { try find(row) }
        if let found, !found.state.isDisjoint(with: IngestSQL.shadowed) || found.isOnlyBase {
            return try writeBase(row, id: found.id, statements)
        }
        guard let found else {
            let insert = try statements.insert(database, sql, state)
            try bind(row, to: insert)
            try insert.run()
            counts.written += 1
            if !state.isEmpty { upsertedRows.append(insert.lastInsertedID) }
            seen?.insert(insert.lastInsertedID)
            return insert.lastInsertedID
        }
        seen?.insert(found.id)
        let update = try statements.update(database, sql, state)
        let next = try bind(row, to: update)
        update.bind(found.id, next)
        try update.run()
        counts.written += update.changes
        if update.changes > 0, !state.isEmpty { upsertedRows.append(found.id) }
        return found.id
    }

    private mutating func writeBase(
        _ row: IncomingRow, id: Int64, _ statements: RowStatements
    ) throws -> Int64 {
        let base = try statements.writeBase(database, sql)
        let next = try bind(row, to: base)
        base.bind(id, next)
        try base.run()
        shadowedRows.append(id)
        counts.shadowed += 1
        seen?.insert(id)
        return id
    }

    private mutating func remove(_ row: IncomingRow) throws {
        let removal = try row.removal()
        guard let found = try identify(row, removal) else { return }
        touched?.unlinked.append(found.id)
        if touched != nil, removal.reason == .changed, plan.table.parent == nil { return }
        try remove(found, because: removal.reason)
    }

    mutating func remove(_ found: FoundRow, because reason: RowRemoval.Reason) throws {
        if !found.state.isDisjoint(with: IngestSQL.shadowed) || found.isOnlyBase {
            try removals.buryBase(id: found.id)
            shadowedRows.append(found.id)
            counts.shadowed += 1
            return
        }
        let others = found.sources & ~plan.sourceBit
        if reason == .changed, plan.sourceBit != 0, others != 0 {
            try removals.setSources(others, id: found.id)
        } else {
            try removals.delete(id: found.id)
        }
        counts.removed += 1
    }
}

extension RowIngest {
    /// Removes a contained row that its relation no longer names.
    mutating func removeContained(id: Int64) throws {
        let state = try removals.state(id: id)
        try remove(
            FoundRow(id: id, state: state, sources: 0, isOnlyBase: false),
            because: .deleted)
    }
}

/// A row as a lookup finds it.
struct FoundRow {
    var id: Int64
    var state: EntityState
    var sources: Int64
    /// Only its base image has the key: the row itself was given another, or is gone.
    var isOnlyBase: Bool
}

// MARK: Identity

extension RowIngest {
    /// What an entity id leads to.
    private enum Identified {
        case row(FoundRow)
        /// An entity of the table's set that is not here.
        case absent
        /// An entity of another set.
        case elsewhere
        case unknown
    }

    private mutating func identify(_ id: String) throws -> Identified {
        if let key = removals.keyArguments(ofID: id, graph: plan.graph) {
            return try find(key: key).map { .row($0) } ?? .absent
        }
        if let found = try find(rememberedID: id) { return .row(found) }
        let set = EntityIDKey.entitySet(of: id, graph: plan.graph)
        let own = plan.graph[plan.table.entitySet].name
        return set == nil || set == own ? .unknown : .elsewhere
    }

    /// The row that a removal means, by its key or by its id; nil when it is not here or belongs to another set.
    private mutating func identify(
        _ row: IncomingRow, _ removal: RowRemoval
    ) throws -> FoundRow? {
        if !plan.keySlots.isEmpty, hasKey(row) {
            if let id = removal.id, case .elsewhere = try identify(id) { return nil }
            scratch.reset(row.raw.count)
            return try find(row)
        }
        if let id = removal.id {
            switch try identify(id) {
            case .row(let found): return found
            case .absent, .elsewhere: return nil
            case .unknown: break
            }
        }
        counts.unmatched += 1
        return nil
    }

    /// The row that came with an id which follows no convention.
    private mutating func find(rememberedID id: String) throws -> FoundRow? {
        guard let sql = sql.lookupByID else { return nil }
        let lookup = try lookupByID ?? BoundStatement(database, sql: sql)
        lookupByID = lookup
        lookup.bind(copy: id, 1)
        return try lookup.first { Self.found($0, isOnlyBase: false) }
    }

    @inline(__always)
    private func hasKey(_ row: IncomingRow) -> Bool {
        for slot in plan.keySlots where row.fields[slot].isMissing { return false }
        return true
    }

    /// An entity that is named by its id alone (JSON Format 4.01, section 15.3): found by it, or given the key that
    /// the id tells.
    private mutating func takeKeyless(_ row: IncomingRow) throws {
        guard let id = row.text(row[.id]) else { return try takeUnknown(row) }
        switch try identify(id) {
        case .row(let found):
            identified = found
            defer { identified = nil }
            let written = try write(row)
            if let written, touched != nil { touched?.written.append(written) }
            if let written, !row.navigations.isEmpty {
                identified = nil
                try takeNavigations(of: row, id: written)
            }
        case .absent:
            guard let bytes = removals.withKey(ofID: id, row.bytes(row.raw), plan.graph) else {
                return try takeUnknown(row)
            }
            counts.received -= 1
            var reader = keyReader.take() ?? RowReader(shape: plan.shape)
            try bytes.withUnsafeBytes { try reader.readNested($0, into: &self) }
            keyReader = consume reader
        case .elsewhere: return
        case .unknown: try takeUnknown(row)
        }
    }

    private mutating func takeUnknown(_ row: IncomingRow) throws {
        guard isDelta else {
            throw missingKey(plan.keySlots.first { row.fields[$0].isMissing } ?? 0)
        }
        counts.unmatched += 1
    }
}

extension RowIngest {
    /// The row with the key of an incoming row; nil when there is none.
    private mutating func find(_ row: IncomingRow) throws -> FoundRow? {
        try find(row, nil)
    }

    /// The row with a key given as column values.
    private mutating func find(key: [SQLArgument]?) throws -> FoundRow? {
        guard let key, key.count == plan.keySlots.count else { return nil }
        return try find(nil, key)
    }

    private mutating func find(_ row: IncomingRow?, _ key: [SQLArgument]?) throws -> FoundRow? {
        let lookup = try self.lookup ?? BoundStatement(database, sql: sql.lookup)
        self.lookup = lookup
        try bindLookup(lookup, row, key)
        if let found = try lookup.first({ Self.found($0, isOnlyBase: false) }) { return found }
        guard hasLocalChanges else { return nil }
        let lookupBase = try self.lookupBase ?? BoundStatement(database, sql: sql.lookupBase)
        self.lookupBase = lookupBase
        try bindLookup(lookupBase, row, key)
        return try lookupBase.first { Self.found($0, isOnlyBase: true) }
    }

    private mutating func bindLookup(
        _ statement: BoundStatement, _ row: IncomingRow?, _ key: [SQLArgument]?
    ) throws {
        var next: Int32 = 1
        if plan.table.keyColumns.isEmpty {
            statement.bind(1, next)
            next += 1
        }
        if plan.table.system.parent != nil { bindParent(statement, &next) }
        for argument in key ?? [] {
            statement.bind(copy: argument, next)
            next += 1
        }
        if let row {
            for slot in plan.keySlots {
                try bindKey(row, slot: slot, to: statement, next)
                next += 1
            }
        }
    }

    private static func found(_ columns: borrowing ColumnReader, isOnlyBase: Bool) -> FoundRow {
        FoundRow(
            id: columns.int64(0), state: EntityState(rawValue: columns.int64(1)),
            sources: columns.int64(2), isOnlyBase: isOnlyBase)
    }

    private func bindParent(_ statement: BoundStatement, _ next: inout Int32) {
        if let parent { statement.bind(parent, next) } else { statement.bindNull(next) }
        next += 1
    }

    /// Binds a key property as it compares.
    private mutating func bindKey(
        _ row: IncomingRow, slot: Int, to statement: BoundStatement, _ index: Int32
    ) throws {
        let field = row.fields[slot]
        guard field.kind != .missing, field.kind != .null else { throw missingKey(slot) }
        let binding = plan.bindings[slot]
        if binding.encoding.hasOrderCompanion {
            statement.bind(copy: try binding.arguments(field, of: row)[1], index)
        } else if binding.encoding.hasOffsetCompanion {
            statement.bind(copy: try binding.arguments(field, of: row)[0], index)
        } else {
            let step = BindingStep(slot: slot, parameter: index, binding: binding)
            if !step.bind(field, of: row, to: statement, &scratch) {
                try binding.bindGeneral(field, of: row, to: statement, index)
            }
        }
    }

    private func missingKey(_ slot: Int) -> ODataError {
        ODataError(
            .invalidPayload, "Expected each row to bring its key, found one without.",
            at: .path("\(plan.table.path)/\(plan.shape.columns[slot])"))
    }

    /// The statements for the columns that this row brings.
    @inline(__always)
    private mutating func statements(for row: IncomingRow) throws -> RowStatements {
        let hasETag = row.etag.isString && plan.keepsETags
        let hasControl = plan.table.system.control != nil && ControlText.isNeeded(row)
        var isSame =
            current != nil && hasETag == pattern.hasETag && hasControl == pattern.hasControl
        for word in present.indices {
            var bits: UInt64 = 0
            let first = word << 6
            for slot in first..<min(first + 64, plan.columns.count)
            where !row.fields[slot].isMissing {
                bits |= 1 << UInt64(slot & 63)
            }
            isSame = isSame && bits == pattern.slots[word]
            present[word] = bits
        }
        if isSame, let current { return current }
        return try changePattern(
            row, RowPattern(slots: present, hasETag: hasETag, hasControl: hasControl))
    }

    private mutating func changePattern(
        _ row: IncomingRow, _ pattern: RowPattern
    ) throws -> RowStatements {
        if identified == nil {
            for slot in plan.keySlots where row.fields[slot].isMissing { throw missingKey(slot) }
        }
        self.pattern = pattern
        let found = statements[pattern] ?? RowStatements(pattern: pattern, sql: sql, plan: plan)
        if statements.count >= RowStatements.limit { statements = [:] }
        statements[pattern] = found
        current = found
        return found
    }

    /// Binds our own columns and the row's; returns the index of the next parameter.
    @discardableResult
    @inline(__always)
    private mutating func bind(_ row: IncomingRow, to statement: BoundStatement) throws -> Int32 {
        guard let current else { return 1 }
        var next: Int32 = 1
        for own in current.own {
            try bind(own, of: row, to: statement, next)
            next += 1
        }
        for step in current.steps
        where !step.bind(row.fields[step.slot], of: row, to: statement, &scratch) {
            try plan.bindings[step.slot].bindGeneral(
                row.fields[step.slot], of: row, to: statement, step.parameter)
        }
        for slot in plan.keySlots {
            if case .null = row.fields[slot].kind { throw missingKey(slot) }
        }
        return current.nextParameter
    }

    private mutating func bind(
        _ own: IngestSQL.Own, of row: IncomingRow, to statement: BoundStatement, _ index: Int32
    ) throws {
        var text: String?
        switch own {
        case .etag:
            statement.bind(text: scratch.text(row.etag.span, of: row), index)
            return
        case .parent:
            var next = index
            bindParent(statement, &next)
            return
        case .type: text = ControlText.derivedType(row, of: plan.table, in: plan.graph)
        case .dynamic: text = ControlText.dynamic(row)
        case .control: text = ControlText.control(row)
        }
        if let text { statement.bind(copy: text, index) } else { statement.bindNull(index) }
    }
}
