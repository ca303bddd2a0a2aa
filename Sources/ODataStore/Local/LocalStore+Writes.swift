import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWorld

extension LocalStore {
    /// Makes one change: the row, its base image and the queue in one durable transaction.
    ///
    /// - Returns: the row created or changed.
    @discardableResult
    package func perform(
        _ write: LocalWrite, options: WriteOptions = WriteOptions()
    ) throws -> RowReference {
        let row = try writing {
            try LocalWriter(transaction: $0, join: join, emulation: emulation).perform(
                write, options)
        }
        world.checkpoint("write.local")
        return row
    }

    /// Makes several changes or none: what a change set asks for.
    ///
    /// Each change is built from the rows of those before it.
    package func perform(
        _ writes: [(LocalWrite, WriteOptions)]
    ) throws -> [RowReference] {
        let join = join
        let rows = try writing { transaction in
            let writer = LocalWriter(transaction: transaction, join: join, emulation: emulation)
            return try writes.map { try writer.perform($0.0, $0.1) }
        }
        world.checkpoint("write.local")
        return rows
    }

    /// As ``perform(_:)``, and reads a row as the changes leave it, before anyone else can change it.
    ///
    /// - Parameter row: The row to read; nil for that of the first change.
    package func performAndRead(
        _ writes: [(LocalWrite, WriteOptions)], _ row: RowReference? = nil
    ) throws -> (row: RowReference, state: RowState?) {
        let join = join
        let result = try writing { transaction -> (RowReference, RowState?) in
            let writer = LocalWriter(transaction: transaction, join: join, emulation: emulation)
            let rows = try writes.map { try writer.perform($0.0, $0.1) }
            guard let row = row ?? rows.first else {
                throw ODataError(.usage, "Expected a change to make, found none.")
            }
            return (row, try transaction.state(of: row))
        }
        world.checkpoint("write.local")
        return result
    }

    /// Makes changes that depend on each other's rows, all or none; `perform` is of use inside `body` only.
    package func performTogether<Result>(
        _ body: (_ perform: @escaping (LocalWrite, WriteOptions) throws -> RowReference) throws ->
            Result
    ) throws -> Result {
        let join = join
        return try writing { transaction in
            let writer = LocalWriter(transaction: transaction, join: join, emulation: emulation)
            return try body { try writer.perform($0, $1) }
        }
    }

    /// Takes the changes of the rows back, at once (offline reference, 12.7).
    ///
    /// - Throws: `conflict` over ``OpenRequests`` where a change of them was sent and has no answer yet: all others are undone
    ///   then, and that one goes once it is known that it had no effect (``Cancellation``).
    package func undo(_ rows: Set<RowReference>) throws {
        try carryOut(refreshing: rows) { Cancellation(undoing: rows, in: $0) }
    }

    /// Drops requests and all that depend on them; nil means every request (offline reference, 12.8).
    ///
    /// - Returns: the ids that left the queue.
    /// - Throws: as ``undo(_:)``.
    @discardableResult
    package func cancel(_ ids: Set<Int64>?) throws -> Set<Int64> {
        try carryOut(refreshing: []) { Cancellation(of: ids, in: $0) }
    }

    @discardableResult
    private func carryOut(
        refreshing rows: Set<RowReference>, _ plan: ([QueuedRequest]) -> Cancellation
    ) throws -> Set<Int64> {
        defer { try? sweepStreams() }
        let cancellation = try writing { transaction in
            let cancellation = plan(try transaction.requests.all())
            try QueueChange(transaction: transaction).apply(
                cancellation.edits, refreshing: rows)
            if let error = cancellation.error {
                try transaction.addEvent("cancelled", details: error.message)
            }
            return cancellation
        }
        if let error = cancellation.error { throw error }
        return cancellation.gone
    }

    // MARK: Rows

    /// The row with this key; nil when there is none in view.
    package func row(
        in table: String, key: [Scalar], parent: Int64? = nil
    ) throws -> RowReference? {
        try reading { transaction in
            let access = try transaction.access(table)
            guard let id = try access.id(key: key, parent: parent) else { return nil }
            let row = RowReference(table: table, id: id)
            return try transaction.visibleRow(row) == nil ? nil : row
        }
    }

    /// The row that a read link, edit link or entity id names, also by the link it had before its first upload.
    package func row(link: String) throws -> RowReference? {
        try reading { transaction in
            if let local = LocalLink.row(link) {
                guard transaction.mapping.table(path: local.table) != nil else { return nil }
                if try transaction.visibleRow(local) != nil { return local }
                guard let later = try transaction.aliasLink(of: local) else { return nil }
                return try transaction.row(canonicalLink: later)
            }
            return try transaction.row(canonicalLink: link)
        }
    }

    /// Values and flags of a row in view; nil when it is not there.
    package func entity(_ row: RowReference) throws -> RowState? {
        try reading { try $0.state(of: row) }
    }

    /// What the service last said of a row that is changed here; nil for a row that it does not have.
    package func base(of row: RowReference) throws -> StructureValue? {
        try baseRow(row)?.values
    }

    /// As ``base(of:)``, with what is known of its age.
    package func baseRow(_ row: RowReference) throws -> StoredRow? {
        try reading { transaction in
            guard let image = try transaction.images(row.table).image(id: row.id),
                image.kind == .present
            else { return nil }
            return image.row
        }
    }

    /// The rows that a navigation property leads to.
    ///
    /// - Throws: `notLoaded` when its links were never downloaded, because unknown is not empty.
    package func related(_ row: RowReference, _ navigation: String) throws -> [RowReference] {
        try reading { transaction in
            let table = try transaction.table(row.table)
            guard let mapping = table.navigation(path: navigation) else {
                throw ODataError(
                    .unknownName, "Expected a navigation property, found none.",
                    at: .path("\(row.table)/\(navigation)"))
            }
            guard let stored = try transaction.visibleRow(row) else {
                throw ODataError(.notFound, "Expected an entity, found none.", at: .path(row.table))
            }
            let rows = try EffectPlanner(transaction).related(stored, table, mapping)
                .filter { try transaction.visibleRow($0) != nil }
            if rows.isEmpty, try !transaction.isUnsentCreation(stored, row),
                try transaction.isUnknown(mapping, of: table, row: row.id)
            {
                throw ODataError(
                    .notLoaded, "Expected links that were downloaded, found none.",
                    at: .path("\(row.table)/\(navigation)"))
            }
            return rows
        }
    }
}

extension RowFlags {
    package init(_ state: EntityState) {
        self = []
        if !state.isDisjoint(with: .local) { insert(.isLocal) }
        if state.contains(.pending) { insert(.hasPendingChanges) }
        if state.contains(.error) { insert(.inErrorState) }
        if state.contains(.deleteError) { insert(.isDeleteError) }
        if state.contains(.keyOnly) { insert(.isKeyOnly) }
    }
}
