import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Works out what a request does locally beside its own rows: foreign keys, links, and rows hidden with a delete.
struct EffectPlanner {
    let transaction: StoreTransaction
    /// Values of rows that the request being recorded creates, keys included.
    var created: [RowReference: StructureValue] = [:]
    private(set) var effects: [RequestEffect] = []
    private(set) var principals: Set<RowReference> = []

    private static let maximumVictims = 100_000

    private var keys: ForeignKeys { ForeignKeys(transaction.mapping) }

    init(transaction: StoreTransaction, created: [RowReference: StructureValue] = [:]) {
        self.transaction = transaction
        self.created = created
    }

    mutating func add(_ effect: RequestEffect) { effects.append(effect) }

    // MARK: Links

    /// Relates `source` to `target` through a navigation property; a to-one relation replaces the one before.
    mutating func link(
        _ source: RowReference, _ navigation: NavigationMapping, _ target: RowReference
    ) throws {
        let table = try transaction.table(source.table)
        switch navigation.storage {
        case .columns(let pairs):
            if keys.isDependent(navigation, in: table) {
                try follow(principal: target, from: source, pairs.map { ($0.source, $0.target) })
            } else {
                try follow(principal: source, from: target, pairs.map { ($0.target, $0.source) })
            }
        case .linkTable(let index, let isReversed):
            let storage = transaction.mapping.linkTables[index]
            guard let forward = forwardPath(of: index, storage) else { return }
            let link = LinkReference(
                source: isReversed ? target : source, navigation: forward,
                target: isReversed ? source : target)
            try replaceToOne(link, storage)
            effects.append(.addLink(link))
        }
    }

    /// Removes the relation; every relation of the property when `target` is nil.
    mutating func unlink(
        _ source: RowReference, _ navigation: NavigationMapping, _ target: RowReference?
    ) throws {
        let table = try transaction.table(source.table)
        switch navigation.storage {
        case .columns(let pairs):
            if keys.isDependent(navigation, in: table) {
                try clear(source, pairs.map(\.source))
            } else if let target {
                try clear(target, pairs.map(\.target))
            }
        case .linkTable(let index, let isReversed):
            let storage = transaction.mapping.linkTables[index]
            guard let forward = forwardPath(of: index, storage) else { return }
            if let target {
                effects.append(
                    .removeLink(
                        LinkReference(
                            source: isReversed ? target : source, navigation: forward,
                            target: isReversed ? source : target)))
            } else if isReversed {
                let sourcePath = transaction.mapping[storage.source].path
                for id in try transaction.links.sources(of: source.id, in: storage) {
                    effects.append(
                        .removeLink(
                            LinkReference(
                                source: RowReference(table: sourcePath, id: id),
                                navigation: forward, target: source)))
                }
            } else {
                for link in try transaction.links.links(source: source, navigation: forward) {
                    effects.append(.removeLink(link))
                }
            }
        }
    }

    private mutating func replaceToOne(_ link: LinkReference, _ storage: LinkTableMapping) throws {
        if storage.isToOne {
            let old = try transaction.links.links(source: link.source, navigation: link.navigation)
            for old in old where old != link { effects.append(.removeLink(old)) }
        }
        if storage.isInverseToOne {
            for id in try transaction.links.sources(of: link.target.id, in: storage)
            where id != link.source.id {
                var old = link
                old.source.id = id
                effects.append(.removeLink(old))
            }
        }
    }

    private func forwardPath(of index: Int, _ storage: LinkTableMapping) -> String? {
        transaction.mapping[storage.source].navigations.first {
            $0.storage == .linkTable(index, isReversed: false)
        }?.path
    }

    // MARK: Foreign keys

    /// Writes the principal's key into the foreign key of `row`. `columns`: foreign key and key, as they compare.
    private mutating func follow(
        principal: RowReference, from row: RowReference, _ columns: [(String, String)]
    ) throws {
        principals.insert(principal)
        guard let values = try values(of: principal) else {
            throw ODataError(
                .notFound, "Expected an entity to relate to, found none.",
                at: .path(principal.table))
        }
        let table = try transaction.table(row.table)
        let principalTable = try transaction.table(principal.table)
        var change = StructureValue(type: try type(of: row, table), in: transaction.graph)
        var isEmpty = true
        for (own, other) in columns {
            guard let target = table.columns.first(where: { $0.comparedColumn == own }),
                let source = principalTable.columns.first(where: { $0.comparedColumn == other })
            else { continue }
            change.set(
                values.value(at: source.slots) ?? .null, at: target.slots, in: transaction.graph)
            isEmpty = false
        }
        if !isEmpty {
            effects.append(.values(row: row, values: change, principal: principal))
        }
    }

    private mutating func clear(_ row: RowReference, _ columns: [String]) throws {
        let table = try transaction.table(row.table)
        var change = StructureValue(type: try type(of: row, table), in: transaction.graph)
        for name in columns {
            guard let column = table.columns.first(where: { $0.comparedColumn == name }) else {
                continue
            }
            guard column.type.isNullable, !table.keys.contains(column) else {
                throw ODataError(
                    .conflict, "Expected an optional relation to remove, found a required one.",
                    at: .path("\(row.table)/\(column.path)"))
            }
            change.set(.null, at: column.slots, in: transaction.graph)
        }
        effects.append(.values(row: row, values: change, principal: nil))
    }

    /// Foreign keys that the app set by value: rows created here are followed, so that their key can change.
    mutating func followForeignKeys(
        of row: RowReference, in change: StructureValue, table: TableMapping
    ) throws {
        for navigation in table.navigations where keys.isDependent(navigation, in: table) {
            guard case .columns(let pairs) = navigation.storage, !navigation.isCollection else {
                continue
            }
            let target = transaction.mapping[navigation.target]
            let access = transaction.access(target)
            let own = pairs.compactMap { pair in
                table.columns.first { $0.comparedColumn == pair.source }
            }
            guard own.count == pairs.count, transaction.graph.isA(change.type, navigation.owner),
                own.allSatisfy({ change.value(at: $0.slots).map { !$0.isNull } ?? false })
            else { continue }
            let rowAccess = transaction.access(table)
            let arguments = try own.map { try rowAccess.comparedArgument($0, change) }
            for id in try access.ids(where: pairs.map(\.target), equal: arguments).prefix(1) {
                let principal = transaction.reference(target, id)
                guard principal != row else { continue }
                principals.insert(principal)
                if id < 0 {
                    try follow(
                        principal: principal, from: row, pairs.map { ($0.source, $0.target) })
                }
            }
        }
    }

    func values(of row: RowReference) throws -> StructureValue? {
        if let values = created[row] { return values }
        return try transaction.visibleRow(row)?.values
    }

    private func type(of row: RowReference, _ table: TableMapping) throws -> StructureID {
        try values(of: row)?.type ?? table.structure
    }

    // MARK: Deletes

    /// Hides what goes with a deleted row: contained rows, and dependents under `OnDelete` (CSDL 4.01, 8.6).
    mutating func cascade(from row: RowReference) throws {
        var open = [row]
        var seen: Set<RowReference> = [row]
        while let parent = open.popLast() {
            let table = try transaction.table(parent.table)
            guard let stored = try transaction.access(table).row(id: parent.id) else { continue }
            for navigation in table.navigations {
                let action = onDelete(navigation)
                guard action == .cascade || action == .setNull else { continue }
                for child in try related(stored, table, navigation)
                where seen.insert(child).inserted {
                    guard seen.count <= Self.maximumVictims else {
                        throw ODataError(
                            .limitExceeded,
                            "Expected a delete to reach at most \(Self.maximumVictims) rows.")
                    }
                    if action == .cascade {
                        effects.append(.hide(child))
                        open.append(child)
                    } else {
                        try unlink(parent, navigation, child)
                    }
                }
            }
        }
    }

    private func onDelete(_ navigation: NavigationMapping) -> NavigationDefinition.OnDelete {
        if navigation.containsTarget { return .cascade }
        guard navigation.slots.count == 1 else { return .none }
        let property = transaction.graph[navigation.owner].properties[navigation.slots[0]]
        return property.navigation?.onDelete ?? .none
    }

    /// The rows that a navigation property leads to now.
    func related(
        _ row: StoredRow, _ table: TableMapping, _ navigation: NavigationMapping
    ) throws -> [RowReference] {
        let target = transaction.mapping[navigation.target]
        switch navigation.storage {
        case .columns(let pairs):
            let access = transaction.access(table)
            let arguments = try pairs.map { pair -> SQLArgument in
                if pair.source == table.system.id { return .integer(row.id) }
                guard let column = table.columns.first(where: { $0.comparedColumn == pair.source })
                else { return .null }
                return try access.comparedArgument(column, row.values)
            }
            return try transaction.access(target).ids(
                where: pairs.map(\.target), equal: arguments
            ).map { transaction.reference(target, $0) }
        case .linkTable(let index, let isReversed):
            let storage = transaction.mapping.linkTables[index]
            let source = transaction.reference(table, row.id)
            guard let forward = forwardPath(of: index, storage) else { return [] }
            let ids =
                isReversed
                ? try transaction.links.sources(of: row.id, in: storage)
                : try transaction.links.links(source: source, navigation: forward).map(\.target.id)
            return ids.map { transaction.reference(target, $0) }
        }
    }
}
