import GRDB
import ODataSQL

/// The navigation properties whose links a download query brings: from its end on, no link means none
/// (docs/design.md, decision 11).
package struct LoadedLinks: Sendable {
    private struct Property {
        var table: String
        var navigation: String
        /// The position of the query's own expansion that brings it.
        var expansion: Int
    }

    private var properties: [Property] = []

    package init() {}

    /// - Parameter isWhole: the query brings every row of its table, so that the properties that lead back are known,
    ///   too.
    package init(_ plan: IngestPlan, mapping: SchemaMapping, isWhole: Bool) {
        for (index, expansion) in plan.expansions.enumerated() {
            add(expansion, of: plan.table, mapping, isWhole: isWhole, index)
        }
    }

    private mutating func add(
        _ expansion: IngestExpansion, of table: TableMapping, _ mapping: SchemaMapping,
        isWhole: Bool, _ index: Int
    ) {
        let navigation = expansion.navigation
        if case .linkTable(let link, let isReversed) = navigation.storage {
            properties.append(
                Property(table: table.path, navigation: navigation.path, expansion: index))
            let target = mapping[navigation.target]
            let back = target.navigations.first {
                $0.storage == .linkTable(link, isReversed: !isReversed)
            }
            if isWhole, let back {
                properties.append(
                    Property(table: target.path, navigation: back.path, expansion: index))
            }
        }
        let contains = expansion.plan.table.parent == table.id
        for below in expansion.plan.expansions {
            add(below, of: expansion.plan.table, mapping, isWhole: isWhole && contains, index)
        }
    }

    /// - Parameter met: bits of the expansions that the service has answered.
    func note(met: UInt64, in database: Database) throws {
        for property in properties where met & (1 << UInt64(property.expansion & 63)) != 0 {
            try database.execute(
                sql: "INSERT OR IGNORE INTO _odata_loaded (\"table\", navigation) VALUES (?, ?)",
                arguments: [property.table, property.navigation])
        }
    }
}
