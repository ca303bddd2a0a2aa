import GRDB
import ODataSQL

/// The navigation properties whose links a download query brings: from its end on, no link means none
/// (docs/design.md, decision 11). Contained entities, which no other read brings, are unknown from its end on when it asked for
/// them and rows came without.
package struct LoadedLinks: Sendable {
    private struct Property {
        var table: String
        var navigation: String
        /// The position of the query's own expansion that brings it; nil where the service cannot be asked.
        var expansion: Int?

        func isMet(_ met: UInt64) -> Bool {
            expansion.map { met & (1 << UInt64($0 & 63)) != 0 } ?? false
        }
    }

    private var properties: [Property] = []
    /// The contained entities of the query's own rows.
    private var contained: [Property] = []

    package init() {}

    /// - Parameters:
    ///   - isWhole: the query brings every row of its table, so that the properties that lead back are known,
    ///     too.
    ///   - unasked: the paths of navigation properties that the service says it cannot expand.
    package init(
        _ plan: IngestPlan, mapping: SchemaMapping, isWhole: Bool, unasked: [String] = []
    ) {
        contained = plan.table.navigations.compactMap { navigation in
            guard mapping[navigation.target].parent == plan.table.id else { return nil }
            let expansion = plan.expansions.firstIndex { $0.navigation == navigation }
            guard expansion != nil || unasked.contains(navigation.path) else { return nil }
            return Property(
                table: plan.table.path, navigation: navigation.path, expansion: expansion)
        }
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

    /// The query is read without its expansions: it says nothing about links, and its rows come without what they contain.
    package mutating func leaveOutExpansions() {
        properties = []
    }

    /// - Parameter met: bits of the expansions that the service has answered.
    func note(met: UInt64, in database: Database) throws {
        for property in properties where property.isMet(met) {
            try Self.add(property.table, property.navigation, database)
        }
    }

    /// Rows came: what they contain came with them, or is unknown unless an earlier read has brought it.
    ///
    /// - Parameter met: bits of the expansions that the service has answered.
    func noteContained(met: UInt64, in database: Database) throws {
        for property in contained {
            let (table, unmet) = (property.table, Self.unmet(property.navigation))
            if property.isMet(met) {
                try Self.add(table, property.navigation, database)
                try database.execute(
                    sql: "DELETE FROM _odata_loaded WHERE \"table\" = ? AND navigation = ?",
                    arguments: [table, unmet])
            } else if try !Self.has(table, property.navigation, database) {
                try Self.add(table, unmet, database)
            }
        }
    }

    /// The name under which a contained collection is kept that was asked for and did not come: none that a property can have.
    private static func unmet(_ navigation: String) -> String { "!" + navigation }

    private static func add(_ table: String, _ navigation: String, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO _odata_loaded (\"table\", navigation) VALUES (?, ?)",
            arguments: [table, navigation])
    }

    private static func has(
        _ table: String, _ navigation: String, _ database: Database
    ) throws -> Bool {
        try Int64.fetchOne(
            database,
            sql: "SELECT 1 FROM _odata_loaded WHERE \"table\" = ? AND navigation = ?",
            arguments: [table, navigation]) != nil
    }

    /// Whether a download has brought links of a navigation property.
    static func areLoaded(
        table: String, navigation: String, in database: Database
    ) throws -> Bool {
        try has(table, navigation, database)
    }

    /// Whether contained entities were asked for and no download has brought any.
    static func areUnmet(
        table: String, navigation: String, in database: Database
    ) throws -> Bool {
        try has(table, unmet(navigation), database)
    }
}
