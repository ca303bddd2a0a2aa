import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// A row as a lookup finds it.
struct FoundRow {
    var id: Int64
    var state: EntityState
    var sources: Int64
    /// Only its base image has the key: the row itself was given another, or is gone.
    var isOnlyBase: Bool
}

/// Which row an incoming one is: by its key, or by the id that it came with.
extension RowIngest {
    /// What an entity id leads to.
    enum Identified {
        case row(FoundRow)
        /// An entity of the table's set that is not here.
        case absent
        /// An entity of another set.
        case elsewhere
        case unknown
    }

    mutating func identify(_ id: String) throws -> Identified {
        if let key = removals.keyArguments(ofID: id, graph: plan.graph) {
            if let found = try find(key: key) { return .row(found) }
            // An id without meaning may look like one that tells a key.
            guard try mayRemember(id), let found = try find(rememberedID: id) else {
                return .absent
            }
            return .row(found)
        }
        if let found = try find(rememberedID: id) { return .row(found) }
        let set = EntityIdentity.entitySet(of: id, in: plan.graph)
        return set == nil || set == plan.table.entitySet ? .unknown : .elsewhere
    }

    /// The row that a removal means, by its key or by its id; nil when it is not here or belongs to another set.
    mutating func identify(
        _ row: IncomingRow, _ removal: RowRemoval
    ) throws -> FoundRow? {
        if !plan.keySlots.isEmpty, hasKey(row) {
            if let id = removal.id, case .elsewhere = try identify(id) { return nil }
            scratch.reset(row.raw.count)
            return try find(row)
        }
        return try identify(removal)
    }

    /// The row that a removal means by its id alone.
    mutating func identify(_ removal: RowRemoval) throws -> FoundRow? {
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

    /// False where no row that was here before came with this id: looking at every row for each that is not here would take
    /// too long.
    private mutating func mayRemember(_ id: String) throws -> Bool {
        if let rememberedIDs { return rememberedIDs.contains(id.hashValue) }
        var hashes: Set<Int> = []
        if let sql = sql.rememberedIDs {
            let ids = try String.fetchCursor(database, sql: sql)
            while let id = try ids.next() { hashes.insert(id.hashValue) }
        }
        rememberedIDs = hashes
        return hashes.contains(id.hashValue)
    }

    /// The row that came with an id which follows no convention.
    mutating func find(rememberedID id: String) throws -> FoundRow? {
        guard let sql = sql.lookupByID else { return nil }
        let lookup = try lookupByID ?? BoundStatement(database, sql: sql)
        lookupByID = lookup
        lookup.bind(copy: id, 1)
        return try lookup.first { Self.found($0, isOnlyBase: false) }
    }

    @inline(__always)
    func hasKey(_ row: IncomingRow) -> Bool {
        for slot in plan.keySlots where row.fields[slot].isMissing { return false }
        return true
    }

    /// An entity that is named by its id alone (JSON Format 4.01, section 15.3): found by it, or given the key that
    /// the id tells.
    mutating func takeKeyless(_ row: IncomingRow) throws {
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

    mutating func takeUnknown(_ row: IncomingRow) throws {
        try noteUnknown(missing: plan.keySlots.first { row.fields[$0].isMissing })
    }

    /// Nobody can tell which row is meant: reading everything will, or the payload is wrong.
    mutating func noteUnknown(missing slot: Int?) throws {
        guard isDelta else { throw missingKey(slot ?? 0) }
        counts.unmatched += 1
    }
}

extension TableMapping {
    /// The key values of an id in key order; nil when it does not address an entity of the table's own set.
    func key(ofID id: String, in graph: MetadataGraph) -> [Scalar]? {
        parent == nil ? EntityIdentity.key(of: id, in: entitySet, graph: graph) : nil
    }
}
