import ODataSyncPlan
import GRDB
import ODataSQL
import ODataText
import ODataWire

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
    package internal(set) var counts = IngestCounts()
    /// Ids of the rows met, when a sweep asked to note them.
    package var seen: SeenRows?
    /// The row that contains the rows that come, for tables of contained entities.
    package var parent: Int64?
    /// Expanded collections that the payload does not hold to their end.
    package internal(set) var openNavigations: [OpenNavigation] = []
    /// Bits of the expansions that rows say something about; a service may leave out what it was asked for.
    package internal(set) var metExpansions: UInt64 = 0
    /// What a nested page touched, for the links of the row it belongs to; nil at the top.
    var touched: TouchedRows?

    let database: Database
    let sql: IngestSQL
    let mode: Mode
    /// What cannot be matched is counted; elsewhere a row without a key is an error.
    let isDelta: Bool
    /// Rows that were changed here and accepted, and not received back, stay as they are: what comes may be older.
    let leavesAccepted: Bool
    let handler: any ShadowedRowHandler
    let hasLocalChanges: Bool
    /// Somebody wants to know of ``rewrittenRows``.
    let notesRewritten: Bool
    let removals: RowRemovals
    let held: HeldRows
    /// Asked before each row that is inserted by itself (``RowNumbers``).
    let nextID: Statement
    let state: EntityState
    let rowLimit: Int
    let isTimeUp: () -> Bool
    var bytesSinceCheck = 0
    var isCheckDue = false
    var shadowedRows: [Int64] = []
    var upsertedRows: [Int64] = []
    /// Rows that were here and are another state now, or whose base images are; noted while the queue has changes of the
    /// table.
    var rewrittenRows: [Int64] = []
    /// Rows that were told to be gone one after the other, and why; they go together.
    var goneRows: [Int64] = []
    var goneReason = RowHolds.Reason.left
    /// Rows that came from a source whose rows are listed beside the table.
    var asideRows: [Int64] = []
    var scratch = ScratchBytes()
    var pattern: RowPattern
    var present: [UInt64]
    var current: RowStatements?
    var statements: [RowPattern: RowStatements] = [:]
    var lookup: BoundStatement?
    /// The columns of the table's indexes; nil before they are asked for.
    var indexed: Set<String>?
    var lookupBase: BoundStatement?
    var lookupByID: BoundStatement?
    /// Hashes of the ids that rows came with; nil before one is looked for.
    var rememberedIDs: Set<Int>?
    /// The row that an incoming one without its key was found to be.
    var identified: FoundRow?
    var keyReader: RowReader?
    let nested: [NestedIngest]
    let batching: StatementBatching?
    var batch: RowBatch?

    /// - Parameters:
    ///   - rowLimit: Rows after which no more are wanted in this transaction.
    ///   - batching: For a first load that inserts several rows by one statement.
    ///   - dropped: Gets the rows that the payload of their relation no longer names.
    ///   - isDelta: The rows are changes, of which some may name rows in ways that nobody can match.
    ///   - leavesAccepted: The service has accepted changes since the payload was asked for.
    ///   - isTimeUp: Asked every 64 rows or 16 KiB; true when no more are wanted in this transaction.
    package init(
        _ plan: IngestPlan, mapping: SchemaMapping, database: Database, mode: Mode,
        handler: any ShadowedRowHandler = NoShadowedRows(), rowLimit: Int = .max,
        batching: StatementBatching? = nil, dropped: DroppedRows? = nil, isDelta: Bool = false,
        leavesAccepted: Bool = false, isTimeUp: @escaping () -> Bool = { false }
    ) throws {
        var plan = plan
        // A delta may name an entity that no read has brought; one that selects the key alone has brought all it wants.
        if isDelta, plan.columns.count > plan.keySlots.count { plan.marksReferences = true }
        let hasLocalChanges = try handler.hasLocalChanges(in: plan.table, database: database)
        let notesRewritten =
            try hasLocalChanges && handler.notesRewritten(in: plan.table, database: database)
        let nextID = try RowNumbers(table: plan.table, database: database).next()
        let choosesID = try Int64.fetchOne(nextID) != nil
        let nested = try plan.expansions.map {
            try NestedIngest(
                $0, of: plan.table, mapping: mapping, database: database, mode: mode,
                handler: handler, dropped: dropped, isDelta: isDelta,
                leavesAccepted: leavesAccepted)
        }
        self.plan = plan
        self.isDelta = isDelta
        self.leavesAccepted = leavesAccepted
        self.database = database
        self.hasLocalChanges = hasLocalChanges
        self.notesRewritten = notesRewritten
        self.nested = nested
        // The row of a singleton has a fixed id, so that there is one at most.
        self.batching = plan.table.keyColumns.isEmpty ? nil : batching
        self.handler = handler
        self.rowLimit = rowLimit
        self.isTimeUp = isTimeUp
        self.nextID = nextID
        // Links need to know the rows' ids, which inserting without looking does not tell; nor can it choose them.
        let needsIDs = !plan.expansions.isEmpty || plan.hold?.isAside == true
        self.mode = hasLocalChanges || needsIDs || choosesID ? .merge : mode
        state = mode == .merge ? .upserted : []
        sql = IngestSQL(plan: plan)
        removals = RowRemovals(table: plan.table, mapping: mapping, database: database)
        held = HeldRows(
            table: plan.table, mapping: mapping, database: database, hold: plan.hold)
        present = Array(repeating: 0, count: plan.columns.count / 64 + 1)
        pattern = RowPattern(slots: present, hasETag: false, hasControl: false)
    }

    package var isFull: Bool {
        counts.received >= rowLimit || (isCheckDue && isTimeUp())
    }

    private static let bytesPerCheck = 16 << 10

    // Hot: FirstSync, Sweep
    package mutating func receive(_ row: IncomingRow) throws {
        counts.received += 1
        bytesSinceCheck += row.raw.count
        isCheckDue = counts.received & 63 == 0 || bytesSinceCheck >= Self.bytesPerCheck
        if isCheckDue { bytesSinceCheck = 0 }
        if row.kind != .removed { try takeGoneAway() }
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

    mutating func takeNavigations(of row: IncomingRow, id: Int64) throws {
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

    mutating func takeOpenNavigations(ofNested index: Int) {
        for var open in nested[index].ingest.takeOpenNavigations() {
            open.path.insert(index, at: 0)
            openNavigations.append(open)
        }
    }

    /// An added or deleted link of the 4.0 delta form (JSON Format 4.01, sections 15.4 and 15.5).
    mutating func takeLink(_ row: IncomingRow) throws {
        try take(try FlatLink(row), isAdded: row.kind == .link)
    }

    mutating func take(_ link: FlatLink, isAdded: Bool) throws {
        let index = nested.firstIndex { $0.navigation.path == link.relationship }
        guard let index else { return }
        switch try identify(link.source) {
        case .row(let near):
            let isTaken = try nested[index].take(link, from: near.id, isAdded: isAdded)
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
        try takeGoneAway()
        if let hold = plan.hold, hold.isAside, !asideRows.isEmpty {
            try held.note(asideRows, heldBy: hold)
            asideRows = []
        }
        if !rewrittenRows.isEmpty {
            try handler.rewrote(rewrittenRows, in: plan.table, database: database)
            rewrittenRows = []
        }
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
}
