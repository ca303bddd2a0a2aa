import ODataWorld
import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// The sources of a store before a download: who has come, and who has no right to its rows any more.
extension LocalStore {
    /// Gives the expansions of every source their places, and lets sources leave that the app wants no more.
    ///
    /// Rows that were brought before anybody noted by whom are given to every source that may have brought them, until a whole
    /// read of each has told.
    ///
    /// - Parameters:
    ///   - wanted: every default download and download query that the app wants.
    ///   - switchedOff: sets whose default download it does not want.
    package func noteSources(_ wanted: [DownloadSource], switchedOff: Set<String>) throws {
        try adoptRows()
        let mapping = try mapping()
        let expansions = wanted.map { (source: $0, leads: SourceExpansions($0, mapping)) }
        let isDue = try read { database in
            try SourceNotes(database: database, mapping: mapping)
                .edits(wanted, expansions, switchedOff)
        }
        guard !isDue.isEmpty else { return }
        try writing { transaction in
            let notes = SourceNotes(database: transaction.database, mapping: transaction.mapping)
            for edit in try notes.edits(wanted, expansions, switchedOff) { try notes.apply(edit) }
        }
        try adoptRows()
    }

    /// Whether rows are there that were made here and accepted, and that no source has brought since.
    package func hasMadeRows(in entitySet: String) throws -> Bool {
        let mapping = try mapping()
        let table = try mapping.existingTable(path: entitySet)
        guard let state = table.system.state.map(SQLName.quoted), let id = table.system.id else {
            return false
        }
        let sources = table.system.sources.map { " AND t.\(SQLName.quoted($0)) = 0" } ?? ""
        let (created, pending) = (EntityState.created.rawValue, EntityState.pending.rawValue)
        return try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.name)) t
                        WHERE (t.\(state) & \(created)) <> 0\(sources)
                            AND ((t.\(state) & \(pending)) = 0 OR EXISTS (
                                SELECT 1 FROM \(SQLName.quoted(table.baseName)) b
                                WHERE b.\(SQLName.quoted(id)) = t.\(SQLName.quoted(id)))))
                    """) ?? false
        }
    }

    /// Carries on what an upgrade or a new expansion has begun: chunk by chunk, each in a transaction of its own.
    func adoptRows() throws {
        while try read({ try !RowAdoption.waiting(in: $0).isEmpty }) {
            world.checkpoint("adopt.commit")
            let mapping = try? self.mapping()
            try write(.normal) { try RowAdoption(database: $0, mapping: mapping).adoptPart() }
        }
    }
}

/// What is to change among the sources of a store, and carrying it out.
struct SourceNotes {
    enum Edit {
        /// Expansions of the source lead to a table.
        case lead(DownloadSource, table: String)
        /// They lead there no more.
        case leave(SourceHolds.Entry, awaits: String?)
        /// The default download of a set is not wanted any more.
        case switchOff(String)
        /// It is wanted again, before its rows have gone.
        case switchOn(SourceHolds.Entry)
    }

    let database: Database
    let mapping: SchemaMapping

    private var holds: SourceHolds { SourceHolds(database: database) }

    func edits(
        _ wanted: [DownloadSource], _ leads: [(source: DownloadSource, leads: SourceExpansions)],
        _ switchedOff: Set<String>
    ) throws -> [Edit] {
        let entries = try holds.entries()
        let whole = Set(wanted.filter { $0.isDefault }.map(\.entitySet))
        var edits: [Edit] = []
        let queries = Set(try LocalStore.downloadQueries(of: nil, in: database).compactMap(\.name))
        for (source, leads) in leads where !leads.isUnknown {
            // The app may have removed it since it was listed.
            if let name = source.name, !queries.contains(name) { continue }
            for id in leads.targets.sorted(by: { mapping[$0].path < mapping[$1].path }) {
                let path = mapping[id].path
                // The links of a whole set name rows that come with their own.
                guard !source.isDefault || !whole.contains(path) else { continue }
                let isKnown = entries.contains {
                    $0.table == path && $0.query == source.key && $0.kind == .expansion
                }
                if !isKnown { edits.append(.lead(source, table: path)) }
            }
        }
        for entry in entries where entry.query.hasPrefix("set:") {
            let set = String(entry.query.dropFirst(4))
            switch entry.kind {
            case .expansion where switchedOff.contains(set) || whole.contains(entry.table):
                edits.append(.leave(entry, awaits: SourceHolds.download))
            case .leaving where entry.place == 0 && whole.contains(set):
                edits.append(.switchOn(entry))
            default: break
            }
        }
        for set in switchedOff.sorted() where mapping.table(path: set) != nil {
            let isLeaving = entries.contains { $0.table == set && $0.place == 0 }
            if !isLeaving, try holds.implicit(in: set) != 0 { edits.append(.switchOff(set)) }
        }
        return edits
    }

    func apply(_ edit: Edit) throws {
        let bookkeeping = DownloadBookkeeping(database)
        switch edit {
        case .lead(let source, let table):
            let wasRead = try bookkeeping.hasTraces(of: source.key)
            let place = try holds.freePlace(in: table)
            try holds.add(
                source.key, .expansion, in: table, place: place, isNoted: !wasRead)
            guard wasRead else { return }
            try bookkeeping.readWhole(source.key)
            if try holds.implicit(in: table) == 0 {
                try RowAdoption.add(table, .unheld, place, in: database)
            }
        case .leave(let entry, let awaits): try holds.leave(entry, awaiting: awaits)
        case .switchOff(let set):
            try holds.add(
                "set:" + set, .leaving, in: set, place: 0, awaits: SourceHolds.download)
            try bookkeeping.forget("set:" + set)
        case .switchOn(let entry):
            try holds.remove(entry)
            try bookkeeping.begin(comparing: entry.query)
        }
    }
}
