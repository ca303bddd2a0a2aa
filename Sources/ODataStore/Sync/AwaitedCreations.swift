import GRDB
import ODataQuery
import ODataSQL
import ODataSyncPlan

/// What a read can say about creations of unknown fate: noted when it begins, because only what was sent before can be missed
/// by it.
package struct AwaitedCreations: Sendable, Hashable {
    /// A table that the read brings rows of: that of its set, and those of what the rows contain.
    struct Place: Sendable, Hashable {
        var table: String
        /// Every row comes, in whatever way; of contained ones, as far as the service answers the expansion.
        var coversRows: Bool
        /// Every property comes, so that a row can be compared with all that was sent.
        var coversProperties: Bool
        /// The position of the query's own expansion that brings the rows; nil for the set itself.
        var expansion: Int?
    }

    /// The identities under which creations were sent, by request.
    var identities: [Int64: String] = [:]
    /// Containers before what they contain.
    var places: [Place]

    init(_ set: Place, expanding items: [ExpandTerm], _ mapping: SchemaMapping) {
        places = [set]
        guard let table = mapping.table(path: set.table) else { return }
        add(items, of: table, in: set, mapping)
    }

    private mutating func add(
        _ items: [ExpandTerm], of table: TableMapping, in container: Place,
        _ mapping: SchemaMapping
    ) {
        let stored = items.compactMap { item in
            item.path.propertyNames.flatMap { table.navigation(path: $0.joined(separator: "/")) }
                .map { (item, mapping[$0.target]) }
        }
        for (position, (item, target)) in stored.enumerated() where target.parent == table.id {
            let options = item.options
            let place = Place(
                table: target.path,
                // Whether the service has answered is known of the outermost expansions only.
                coversRows: container.expansion == nil && container.coversRows
                    && item.kind == .entities && position < UInt64.bitWidth
                    && options.filter == nil && options.search == nil && options.apply.isEmpty
                    && options.top == nil && options.skip == nil,
                coversProperties: item.kind == .entities
                    && (options.select.isEmpty || options.selectsAll),
                expansion: container.expansion ?? position)
            places.append(place)
            add(options.expand, of: target, in: place, mapping)
        }
    }

    /// What has come of it in the end.
    ///
    /// - Parameters:
    ///   - isComplete: the read has brought all that it was to bring.
    ///   - met: bits of the expansions of which whole collections came.
    func ended(isComplete: Bool, met: UInt64) -> [Place] {
        places.map { place in
            var place = place
            let isMet = place.expansion.map { $0 < UInt64.bitWidth && met & (1 << $0) != 0 }
            place.coversRows = place.coversRows && isComplete && isMet ?? true
            return place
        }
    }
}

extension LocalStore {
    /// Notes which creations of a set, and of what its rows contain, the read that now begins can settle.
    ///
    /// - Parameters:
    ///   - isWhole: the source leaves out no rows.
    ///   - hasAllProperties: it leaves out no properties.
    ///   - isContinued: the read began earlier, so that it may have passed by what was sent meanwhile.
    ///   - items: what the source expands.
    package func awaitedCreations(
        in table: String, isWhole: Bool, hasAllProperties: Bool, isContinued: Bool,
        expanding items: [ExpandTerm] = []
    ) throws -> AwaitedCreations {
        try reading { transaction in
            var awaited = AwaitedCreations(
                AwaitedCreations.Place(
                    table: table, coversRows: isWhole && !isContinued,
                    coversProperties: hasAllProperties),
                expanding: items, transaction.mapping)
            let creations = UnknownCreations(transaction: transaction)
            for place in awaited.places {
                for creation in try creations.all(in: place.table) {
                    awaited.identities[creation.request.id] = creation.request.identity.id
                }
            }
            return awaited
        }
    }

    /// Settles what the rows of the tables tell of creations of unknown fate, in the transaction that ends a read.
    ///
    /// - Parameters:
    ///   - isComplete: the read has brought all that it was to bring.
    ///   - met: bits of the source's own expansions of which whole collections came. A delta brings none: whether it tells
    ///     of what is new in a row that is not, only the service knows.
    /// - Returns: what was settled or found, one sentence each.
    package func settleCreations(
        _ awaited: AwaitedCreations, isComplete: Bool, met: UInt64 = 0, _ database: Database
    ) throws -> [String] {
        let creations = UnknownCreations(transaction: try transaction(in: database))
        return try awaited.ended(isComplete: isComplete, met: met).flatMap {
            try creations.settle($0, awaited.identities)
                + creations.settleParents(of: $0.table)
        }
    }
}
