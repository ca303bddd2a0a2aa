import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// The delta link of a tracked query; nil where changes are not noted any more.
    ///
    /// - Parameter isContinued: whether rows were read behind the first page, so later than at the place where changes begin: such a
    ///   row may have come since, and go before anything is asked of it.
    func deltaLink(
        _ link: PageLink, from mark: String, of table: TableMapping, isContinued: Bool
    ) throws -> String? {
        var position = DeltaPosition(
            identity: logIdentity, from: mark, query: link.definingQuery)
        if isContinued {
            guard let now = try logMark(of: table) else { return nil }
            position.until = now == mark ? nil : now
        }
        return link.delta(position.token)
    }

    /// Changes of a tracked query since its token, a page at a time (Protocol 4.01, section 11.3.3).
    ///
    /// A row that changed and matches now comes with all that is selected; one that matched before its first change
    /// and does not now is removed.
    func readDelta(_ token: String, of path: ResourcePath) throws -> ResponseMessage {
        try smaller(than: pageSize()) { try readDelta(token, of: path, size: $0) }
    }

    private func readDelta(
        _ token: String, of path: ResourcePath, size: Int
    ) throws -> ResponseMessage {
        var position = try DeltaPosition(parsing: token)
        guard position.identity == logIdentity else { return expired(position) }
        let query = try parse(position.query)
        guard query.path.segments == path.segments else {
            throw ODataError(
                .invalidQuery, "Expected a token of this entity set.", status: 400)
        }
        let table = try PathWalker(exchange: self).walk(query.path).target.table
        try access?.require(.read, table)
        guard model.tracks(table), access?.tracks(table) ?? true,
            let page = try changedRows(of: table, position, limit: size + 1)
        else {
            return expired(position)
        }
        // Whoever reads on has changes already.
        let isContinued = position.through != nil
        var changed = page.rows
        let hasMore = changed.count > size
        if hasMore { changed.removeLast() }
        let items = DeltaItems(exchange: self, table: table, query: query)
        guard changed.allSatisfy({ items.isFoundByKey($0) }) else { return expired(position) }
        let context = ContextURL(
            base: root + "$metadata", path: table.path, selectList: selectList(query), kind: .delta)
        var json = JSONWriter(reservingBytes: 512 + changed.count * 256)
        writer.beginPage(context: context.text, to: &json)
        let isEmpty = try items.append(changed, to: &json) == 0
        let link = PageLink(position.query)
        if hasMore, let last = changed.last {
            position.through = page.through
            position.after = last.last
            writer.endPage(nextLink: root + link.delta(position.token), to: &json)
        } else {
            let next = try deltaLink(
                link, from: page.through, of: table, isContinued: isContinued)
            writer.endPage(deltaLink: next.map { root + $0 }, to: &json)
        }
        var answer = try pageAnswer(json.bytes)
        var applied = Preferences()
        applied.tracksChanges = true
        // Who waits for changes of another product is answered at once.
        if case .sqlite = source, let offer = HoldOffer.current, !isContinued {
            applied.waitSeconds = offer.seconds
            if isEmpty, !hasMore, let sequence = Int64(page.through) {
                offer.wait(for: AwaitedChange(table: table.name, after: sequence))
            }
        }
        answer.headers["Preference-Applied"] = applied.text()
        return answer
    }

    /// 410, with the way to the full query (Protocol 4.01, section 11.3.3).
    private func expired(_ position: DeltaPosition) -> ResponseMessage {
        var answer = ErrorAnswer.response(
            410, code: "expiredToken",
            message: "Expected a token that is still known; read the whole query again.")
        answer.headers["Location"] = root + position.query
        return answer
    }
}

/// Error codes of the service itself.
enum ServiceCode {
    static let preconditionRequired = ODataError.Code("preconditionRequired")
    static let methodNotAllowed = ODataError.Code("methodNotAllowed")
    static let unsupportedMediaType = ODataError.Code("unsupportedMediaType")
    static let notAcceptable = ODataError.Code("notAcceptable")
    static let rejected = ODataError.Code("repeatabilityRejected")
    /// The identity of a request is older than the service's memory: whether it was carried out is not known any more.
    static let forgotten = ODataError.Code("repeatabilityForgotten")
    /// The request took longer than the service allows; nothing of it stays.
    static let tooSlow = ODataError.Code("deadlineExceeded")
    /// Too many requests wait, or this one waited too long; nothing was done about it.
    static let overloaded = ODataError.Code("serviceOverloaded")
    /// Another program holds the database.
    static let busy = ODataError.Code("databaseBusy")
    /// The answers of a batch have no room for another one.
    static let batchIsFull = ODataError.Code("batchIsFull")
    /// Nothing is known yet of what is asked for.
    static let unread = ODataError.Code("notReadYet")
    /// A change was sent to another service, and whether it was carried out there is not known.
    static let fateUnknown = ODataError.Code("fateUnknown")
    static let misdirected = ODataError.Code("misdirectedRequest")
    /// The client does not prove who it is.
    static let unauthenticated = ODataError.Code("unauthenticated")
    /// The client may not do that.
    static let forbidden = ODataError.Code("forbidden")
}

/// What a `$deltatoken` says.
struct DeltaPosition {
    var identity: String
    /// The place in the log that the client knows everything up to.
    var from: String
    /// The place up to which the client has perhaps seen some changes; nil where it has seen none.
    var until: String?
    /// The end of the span while its pages are read; nil on the first.
    var through: String?
    /// The last change of the last row that was given out.
    var after: Int64 = 0
    /// The defining query, relative to the root.
    var query: String

    init(identity: String, from: String, query: String) {
        self.identity = identity
        self.from = from
        self.query = query
    }

    init(parsing token: String) throws {
        let fields = try ServiceToken(parsing: token, expecting: .delta).fields
        guard (5...6).contains(fields.count), !fields[1].isEmpty, let after = Int64(fields[3])
        else {
            throw Self.foreign
        }
        identity = fields[0]
        from = fields[1]
        through = fields[2].isEmpty ? nil : fields[2]
        self.after = after
        query = fields[4]
        until = fields.count > 5 ? fields[5] : nil
    }

    var token: String {
        let fields = [identity, from, through ?? "", String(after), query]
        return ServiceToken(.delta, fields + (until.map { [$0] } ?? [])).text
    }

    /// What is said of a token with something else in it than a service puts there.
    static let foreign = ODataError(
        .invalidQuery, "Expected a token that this service gave out.", status: 400)
}

/// Finds out what became of changed rows, seen through the defining query.
struct DeltaItems {
    let exchange: Exchange
    let table: TableMapping
    let query: Query

    /// A row that is in the result now.
    private enum Present {
        case value(StructureValue)
        /// To be written from where SQLite put it.
        case row(Int, SQLiteRowChunk)
    }

    // Hot: ServerFigures
    /// Appends what became of rows, in the order of their last changes.
    ///
    /// - Returns: how many items that are.
    func append(_ rows: [ChangeLog.ChangedRow], to json: inout JSONWriter) throws -> Int {
        if let count = try appendByKey(rows, to: &json) { return count }
        // Rows without a key, or with one of another type, are no entities.
        let changed = rows.filter { row in
            (try? scalars(of: row.key)).map { !$0.contains(.null) } ?? false
        }
        var present: [RowKey: Present] = [:]
        var direct: RowJSON?
        for chunk in changed.chunks(of: Self.keysPerRead) {
            guard let result = try page(chunk.map(\.key), filter: query.filter) else { continue }
            if let rows = try RowJSON(exchange, plan, result) {
                direct = rows
                for part in result.chunks {
                    for row in 0..<part.count {
                        present[try rows.key(of: row, in: part)] = .row(row, part)
                    }
                }
            } else {
                for row in try tagged(result.values, among: Set(chunk.map(\.key))) {
                    present[try rowKey(of: row)] = .value(row)
                }
            }
        }
        let removed = try removals(changed.filter { present[$0.key] == nil })
        var count = 0
        for row in changed {
            switch present[row.key] {
            case .row(let row, let part)?: try direct?.append(row, of: part, to: &json)
            case .value(let value)?: try write(.entity(value, table.entitySet), to: &json)
            case nil:
                guard let removed = removed[row.key] else { continue }
                try write(.removed(removed), to: &json)
            }
            count += 1
        }
        return count
    }

    private func write(_ item: EntityPageItem, to json: inout JSONWriter) throws {
        try exchange.writer.write(
            item, declared: table.structure, in: table.entitySet, to: &json)
    }

    /// False for a row whose key stands in the file in another form than the service writes, as a Guid of upper case: it
    /// would not be found, and be said to be gone.
    func isFoundByKey(_ row: ChangeLog.ChangedRow) -> Bool {
        if row.key.integer != nil, hasNumberAsKey { return true }
        guard let key = try? scalars(of: row.key), !key.contains(.null) else { return true }
        return (try? TargetRows.rowKey(key, of: table)) == row.key
    }

    /// The entities among `keys` that pass the filter now, in the order of the query, each with its key.
    func entities(_ keys: [RowKey]) throws -> [(key: RowKey, value: StructureValue)] {
        var found: [(key: RowKey, value: StructureValue)] = []
        for chunk in keys.chunks(of: Self.keysPerRead) {
            for row in try rows(Array(chunk), filter: query.filter, orderBy: query.orderBy) {
                found.append((try rowKey(of: row), row))
            }
        }
        return found
    }

    /// The rows among `keys` that pass the filter now, with their ETags.
    private func rows(
        _ keys: [RowKey], filter: Expression?, orderBy: [OrderItem] = []
    ) throws -> [StructureValue] {
        guard let result = try page(keys, filter: filter, orderBy: orderBy) else { return [] }
        return try tagged(result.values, among: Set(keys))
    }

    private var plan: CollectionPlan {
        CollectionPlan(target: RowTarget(table: table), original: query, position: nil)
    }

    /// The rows among `keys`, and for a composite key perhaps others, that pass the filter now; nil without keys.
    private func page(
        _ keys: [RowKey], filter: Expression?, orderBy: [OrderItem] = []
    ) throws -> ResultPage? {
        guard let condition = try condition(keys) else { return nil }
        var read = plan.query(limit: Int(Int32.max))
        read.filter = filter.map { .binary(.and, condition, $0) } ?? condition
        read.orderBy = orderBy
        return try ResultReader(exchange).run(read, isKept: false)
    }

    private func tagged(_ values: [StructureValue], among wanted: Set<RowKey>) throws
        -> [StructureValue]
    {
        var rows = try values.filter { wanted.contains(try rowKey(of: $0)) }
        try EntityTagger(exchange).tag(&rows, of: table)
        return try rows.map { try plan.trimmed($0, graph: exchange.graph) }
    }

    /// `k1 in (…) and k2 in (…)`: at least the keys, and for a composite key perhaps more.
    private func condition(_ keys: [RowKey]) throws -> Expression? {
        let values = try keys.map { try scalars(of: $0) }
        guard !values.isEmpty else { return nil }
        return table.keys.enumerated().map { position, column in
            Expression.isIn(
                .path(ExpressionPath(column.path)),
                Array(Set(values.map { $0[position] })).map {
                    .literal($0, column.type.primitive)
                })
        }.reduce(nil) { sum, next in sum.map { .binary(.and, $0, next) } ?? next }
    }

    /// The rows that were in the result and are not now.
    private func removals(_ gone: [ChangeLog.ChangedRow]) throws -> [RowKey: RemovedEntity] {
        guard !gone.isEmpty else { return [:] }
        let existed = try formerRows(gone)
        guard !existed.isEmpty else { return [:] }
        let access = TargetRows(exchange, sees: .all)
        let kept = try keptRows(existed)
        var removed: [RowKey: RemovedEntity] = [:]
        for row in gone where existed.contains(row.key) {
            let key = try scalars(of: row.key)
            let exists =
                try kept?.contains(row.key)
                ?? access.exists(
                    RowTarget(table: table, conditions: zip(table.keys, key).map { ($0, $1) }))
            var value = StructureValue(type: table.structure, in: exchange.graph)
            for (column, scalar) in zip(table.keys, key) {
                if let slot = column.slots.first { value.slots[slot] = .scalar(scalar) }
            }
            removed[row.key] = RemovedEntity(
                .key(value), reason: exists ? .changed : .deleted, set: table.entitySet)
        }
        return removed
    }

    /// Which of the rows were in the result as the client may know them.
    private func formerRows(_ rows: [ChangeLog.ChangedRow]) throws -> Set<RowKey> {
        if case .served(let served) = exchange.source { return try formerRows(rows, of: served) }
        var images: [[String: DatabaseValue]] = []
        var existed: Set<RowKey> = []
        // Where the log does not keep all of a row, nothing tells that it was not in the result.
        var certain: Set<RowKey> = []
        let columnCount = table.contentColumns.count
        for row in rows {
            for sequence in row.known {
                guard let image = try exchange.log.oldImage(sequence: sequence) else { continue }
                images.append(image)
                existed.insert(row.key)
                if image.count < columnCount { certain.insert(row.key) }
            }
        }
        guard !images.isEmpty else { return [] }
        if exchange.access?.restricts(table, .read) == true {
            existed = try passing(nil, images)
            certain.formIntersection(existed)
        }
        if let filter = query.filter { existed = try passing(filter, images) }
        return existed.union(certain)
    }

    /// Which of the rows, as they were, pass a filter and were in the client's view.
    private func passing(
        _ filter: Expression?, _ images: [[String: DatabaseValue]]
    ) throws -> Set<RowKey> {
        try OldState(exchange.database, table: table).withRows(images) {
            try keys(passing: filter, ResultReader(exchange))
        }
    }

    /// The keys of all rows of a table that pass a filter.
    private func keys(passing filter: Expression?, _ reader: ResultReader) throws -> Set<RowKey> {
        let plan = CollectionPlan(
            target: RowTarget(table: table), original: Query(entitySet: table.path),
            position: nil)
        var read = plan.query(limit: Int(Int32.max))
        read.filter = filter
        read.orderBy = []
        read.select = table.keys.map { SelectTerm(ExpressionPath($0.path)) }
        return Set(try reader.rows(read).map { try rowKey(of: $0) })
    }

    func scalars(of key: RowKey) throws -> [Scalar] {
        guard let values = key.values, values.count == table.keys.count else {
            throw ODataError(.storage, "Expected a key of \(table.keys.count) values in the log.")
        }
        return try zip(table.keys, values).map { column, value in
            try column.encoding.scalar(from: SQLArgument(value))
        }
    }

    private func rowKey(of row: StructureValue) throws -> RowKey {
        try TargetRows.rowKey(EntityTagger.key(of: row, in: table), of: table)
    }

    private static let keysPerRead = 500
}

/// Rows of a database of another product than SQLite, which finds them by whole lists.
extension DeltaItems {
    /// As ``formerRows(_:)``: the same query, of the rows as they were before the changes.
    private func formerRows(
        _ rows: [ChangeLog.ChangedRow], of served: any ServedRows
    ) throws -> Set<RowKey> {
        var before = exchange
        before.source = .served(served.before(rows.flatMap(\.known), of: table.name))
        let reader = ResultReader(before)
        // Where the log does not keep all of a row, nothing tells that it was not in the result.
        let isPartial = table.columns.contains { $0.encoding == .binary }
        guard let filter = query.filter, !isPartial else { return try keys(passing: nil, reader) }
        return try served.ifReadable { try keys(passing: filter, reader) }
            ?? Set(rows.map(\.key))
    }

    /// Which of the rows are there now, in the result or not; nil where each is asked for by itself.
    private func keptRows(_ keys: Set<RowKey>) throws -> Set<RowKey>? {
        guard case .served = exchange.source else { return nil }
        // Every row is in a result without a filter.
        guard query.filter != nil else { return [] }
        var found: Set<RowKey> = []
        for chunk in Array(keys).chunks(of: Self.keysPerRead) {
            guard let condition = try condition(Array(chunk)) else { continue }
            found.formUnion(try self.keys(passing: condition, ResultReader(exchange)))
        }
        return found
    }
}

extension DeltaItems {
    /// True where rows are named by one number.
    private var hasNumberAsKey: Bool {
        table.keyColumns.count == 1
            && table.columns[table.keyColumns[0]].encoding == .integer
    }

    // Hot: ServerFigures
    /// As ``append(_:to:)`` where all that is asked for are the rows with their columns, and numbers name them, which most
    /// deltas are of. Nil for the others, of which nothing is appended.
    private func appendByKey(
        _ rows: [ChangeLog.ChangedRow], to json: inout JSONWriter
    ) throws -> Int? {
        let (model, path) = (exchange.model, table.path)
        let keys = rows.compactMap(\.key.integer)
        guard case .sqlite = exchange.source,
            keys.count == rows.count, hasNumberAsKey, RowJSON.mayWrite(exchange, table),
            exchange.access?.restrictsRows != true,
            query.filter == nil,
            query.select.isEmpty, query.expand.isEmpty, query.compute.isEmpty,
            query.aliases.isEmpty, query.search == nil, query.skip == nil,
            let slot = table.columns[table.keyColumns[0]].slots.first,
            !model.narrow.concerns(table),
            let found = try model.queries.rows(
                of: path, keys: keys, in: exchange.database,
                { Exchange.query(for: $0, in: table) })
        else { return nil }
        guard let (writers, places) = try places(found, keys: keys, slot: slot) else {
            // They are let go, and read in the general way.
            RowBudget.current?.reset()
            return nil
        }
        let removed = try removals(rows.indices.filter { places[$0] == nil }.map { rows[$0] })
        var direct = writers
        var count = 0
        for (row, place) in zip(rows, places) {
            if let (page, number) = place {
                try direct[page].append(
                    number, of: found[page].page.chunks[0], key: row.key, to: &json)
            } else if let removed = removed[row.key] {
                try write(.removed(removed), to: &json)
            } else {
                continue
            }
            count += 1
        }
        return count
    }

    /// What writes the rows of each page, and where the row of each key is; nil where one is not as its key says.
    private func places(
        _ found: [KeyedRows], keys: [Int64], slot: Int
    ) throws -> (writers: [RowJSON], places: [(page: Int, row: Int)?])? {
        var writers: [RowJSON] = []
        var places = [(page: Int, row: Int)?](repeating: nil, count: keys.count)
        for (page, part) in found.enumerated() {
            guard let writer = try RowJSON(exchange, plan, part.page) else { return nil }
            writers.append(writer)
            for (row, position) in part.positions.enumerated() {
                guard
                    case .integer(keys[position]) =
                        part.page.chunks[0].plainCell(row: row, slot: slot)
                else { return nil }
                places[position] = (page, row)
            }
        }
        return (writers, places)
    }
}

extension Array {
    /// Slices of at most `size` elements.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
