import GRDB
import ODataSQL

/// The navigation properties whose links a download query brings: from its end on, no link means none
/// (docs/design.md, decision 11). Contained entities, which no other read brings, are unknown from its end on when it asked for
/// them and rows came without; below rows that come through expansions only, also where no query asks for them.
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

    /// A navigation property to contained entities of rows that come through expansions only.
    private struct Nested {
        var table: String
        var navigation: String
        /// The bit of the expansion that brings the rows.
        var rows: UInt64
        /// The bit of the expansion below it; nil where the query does not ask for it.
        var met: UInt64?
    }

    private var properties: [Property] = []
    /// The contained entities of the query's own rows.
    private var contained: [Property] = []
    private var below: [Nested] = []

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
        var number = 0
        addBelow(plan, mapping, &number, isOwn: true)
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

    /// - Parameters:
    ///   - number: that of the next expansion, in the order of ``NestedTraces``.
    ///   - isOwn: no read of their own set is to tell what rows of the plan contain.
    private mutating func addBelow(
        _ plan: IngestPlan, _ mapping: SchemaMapping, _ number: inout Int, isOwn: Bool
    ) {
        for expansion in plan.expansions {
            let (rows, below) = (NestedTraces.bit(number), expansion.plan)
            number += 1
            let isContained = below.table.parent == plan.table.id
            let isOwn = isContained ? isOwn : expansion.ownsRows
            for navigation in below.table.navigations
            where isOwn && mapping[navigation.target].parent == below.table.id {
                let index = below.expansions.firstIndex { $0.navigation == navigation }
                let met = index.map { NestedTraces.bit(number + below.number(at: [$0])) }
                self.below.append(
                    Nested(
                        table: below.table.path, navigation: navigation.path, rows: rows, met: met))
            }
            addBelow(below, mapping, &number, isOwn: isOwn)
        }
    }

    /// Whether rows that come through expansions may contain what the query does not ask for.
    package var leavesOutContained: Bool { below.contains { $0.met == nil } }

    /// Leaves it to another query to tell of what that one asks for and this one does not.
    ///
    /// - Parameter plan: how rows of the other query go into their table; nil where nobody can tell what it asks for.
    package mutating func leave(to plan: IngestPlan?) {
        below.removeAll { nested in
            nested.met == nil && plan?.expands(nested.navigation, of: nested.table) ?? true
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
    /// - Parameters:
    ///   - met: bits of the expansions that the service has answered.
    ///   - traces: what rows have said that came through expansions.
    func noteContained(
        met: UInt64, _ traces: NestedTraces, in database: Database
    ) throws {
        for property in contained {
            try Self.note(
                property.table, property.navigation, isMet: property.isMet(met), database)
        }
        for nested in below where traces.rows & nested.rows != 0 {
            // Nobody knows of an expansion without a bit that it was not met.
            let isMet = nested.met.map { $0 == 0 || traces.met & $0 != 0 } ?? false
            try Self.note(nested.table, nested.navigation, isMet: isMet, database)
        }
    }

    private static func note(
        _ table: String, _ navigation: String, isMet: Bool, _ database: Database
    ) throws {
        if isMet {
            try add(table, navigation, database)
            try database.execute(
                sql: "DELETE FROM _odata_loaded WHERE \"table\" = ? AND navigation = ?",
                arguments: [table, unmet(navigation)])
        } else if try !has(table, navigation, database) {
            try add(table, unmet(navigation), database)
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

extension IngestPlan {
    /// Whether it expands a navigation property of a table, at any depth.
    fileprivate func expands(_ navigation: String, of path: String) -> Bool {
        expansions.contains {
            ($0.navigation.path == navigation && table.path == path)
                || $0.plan.expands(navigation, of: path)
        }
    }
}
