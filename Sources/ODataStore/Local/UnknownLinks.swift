import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// Unknown is not empty, behind a path as in an expansion (docs/design.md, decision 11): `Tools(7)/Helpers` has no answer
/// as long as no download has brought such links, or what the entities contain.
struct UnknownLinks {
    let mapping: SchemaMapping
    let transaction: StoreTransaction

    /// A step of a path that may lead along links which no download has brought.
    struct Step {
        var position: Int
        var table: TableMapping
        var navigation: NavigationMapping

        /// The property as `Tools/Helpers`.
        var name: String { table.path + "/" + navigation.path }
    }

    /// The steps of a path that lead along what no download has brought; empty where all of the path is known.
    func steps(of path: ResourcePath) throws -> [Step] {
        var steps: [Step] = []
        var table: TableMapping?
        var prefix = ""
        for (position, segment) in path.segments.enumerated() {
            switch segment {
            case .entitySet(let name): table = mapping.table(path: name)
            case .property(let name):
                guard let source = table else { return steps }
                guard let navigation = source.navigation(path: prefix + name) else {
                    prefix += name + "/"
                    continue
                }
                prefix = ""
                if try transaction.isUnknown(navigation, of: source) {
                    steps.append(Step(position: position, table: source, navigation: navigation))
                }
                table = mapping[navigation.target]
            default: continue
            }
        }
        return steps
    }

    /// The rows of a chunk whose expansion leads to what no download has brought: links of a link table, or what a row
    /// contains. Rows that were made here know their links.
    func unknownRows(
        _ navigation: NavigationMapping, of table: TableMapping, _ chunk: SQLiteRowChunk
    ) throws -> Set<Int> {
        let isLink: Bool
        if case .linkTable = navigation.storage {
            isLink = true
            guard try !transaction.isLoaded(table: table.path, navigation: navigation.path) else {
                return []
            }
        } else {
            isLink = false
            guard try transaction.isUnmet(navigation, of: table) else { return [] }
        }
        return try Set(
            (0..<chunk.count).filter { row in
                guard let id = chunk.localID(row: row), id > 0 else { return false }
                return try isLink || transaction.lacks(navigation, rows: [id])
            })
    }
}

extension UnknownLinks {
    /// A page without those of its expanded links that nobody knows.
    func leavingOut(of page: ODataSQLite.ResultPage) throws -> ODataSQLite.ResultPage {
        if let whole = page.knownByMetadata(mapping) { return whole }
        return try page.leavingOut { expand, table, chunk in
            try unknownRows(expand.navigation, of: mapping[table], chunk)
        }
    }
}

extension ODataSQLite.ResultPage {
    /// The page where the metadata alone says that nothing it expands can be unknown; nil where one has to look.
    fileprivate func knownByMetadata(_ mapping: SchemaMapping) -> ODataSQLite.ResultPage? {
        guard isExpanded else { return self }
        return plan.expands.contains { $0.mayBeUnknown(from: plan.table, mapping) }
            ? nil : leavingOut { _, _, _ in [] }
    }
}

extension StoreTransaction {
    /// Whether the navigation property leads to contained entities that were asked for and that no download has brought.
    func isUnmet(_ navigation: NavigationMapping, of table: TableMapping) throws -> Bool {
        guard mapping[navigation.target].parent == table.id else { return false }
        return try LoadedLinks.areUnmet(
            table: table.path, navigation: navigation.path, in: database)
    }

    /// Whether no download has brought what the navigation property leads to.
    func isUnknown(_ navigation: NavigationMapping, of table: TableMapping) throws -> Bool {
        guard case .linkTable = navigation.storage else {
            return try isUnmet(navigation, of: table)
        }
        return try !isLoaded(table: table.path, navigation: navigation.path)
    }

    /// Whether nobody knows what the navigation property leads to from a row that the service knows.
    func isUnknown(
        _ navigation: NavigationMapping, of table: TableMapping, row: Int64
    ) throws -> Bool {
        guard case .linkTable = navigation.storage else {
            return try isUnmet(navigation, of: table) && lacks(navigation, rows: [row])
        }
        return try isUnknown(navigation, of: table)
    }

    /// Whether one of these rows came from the service and contains nothing here. Entities that were made here know what they
    /// contain.
    func lacks(_ navigation: NavigationMapping, rows: [Int64]) throws -> Bool {
        let target = mapping[navigation.target]
        guard let parent = target.system.parent else { return false }
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM \(SQLName.quoted(target.name))"
                + " WHERE \(SQLName.quoted(parent)) = ? LIMIT 1")
        return try rows.contains {
            try $0 > 0 && Int64.fetchOne(statement, arguments: [$0]) == nil
        }
    }
}

extension SQLiteRowChunk {
    /// The internal ids of the rows that are there.
    fileprivate var localIDs: [Int64] { (0..<count).compactMap { localID(row: $0) } }
}

extension LocalStore {
    /// Refuses to take for empty what is not known. Nothing is looked up for a path that ends at its set.
    ///
    /// - Parameter run: answers a query of a part of the path.
    /// - Throws: `notLoaded` for a page without rows behind links of a downloaded entity that no download has brought.
    func checkKnown(
        _ page: ODataSQLite.ResultPage, of query: Query, _ mapping: SchemaMapping,
        _ run: (Query) throws -> ODataSQLite.ResultPage
    ) throws {
        let segments = query.path.segments
        guard page.rowCount == 0, page.count ?? 0 == 0, segments.contains(where: \.isProperty)
        else { return }
        let steps = try reading {
            try UnknownLinks(mapping: mapping, transaction: $0).steps(of: query.path)
        }
        for step in steps {
            let source = segments[..<step.position].filter { $0 != .links }
            let rows = try run(Query(path: ResourcePath(Array(source)))).chunks.flatMap(\.localIDs)
            // Links of entities that were made here are known here.
            let downloaded = rows.filter { $0 > 0 }
            let isUnknown = try reading { transaction in
                try downloaded.contains {
                    try transaction.isUnknown(step.navigation, of: step.table, row: $0)
                }
            }
            if isUnknown { throw Self.notLoaded(step.name) }
        }
    }

    /// The same for what a page expands, which is left out where it is not known: the rest of the page is.
    func leavingOutUnknown(
        _ page: ODataSQLite.ResultPage, _ mapping: SchemaMapping
    ) throws -> ODataSQLite.ResultPage {
        if let whole = page.knownByMetadata(mapping) { return whole }
        return try reading {
            try UnknownLinks(mapping: mapping, transaction: $0).leavingOut(of: page)
        }
    }

    private static func notLoaded(_ name: String) -> ODataError {
        ODataError(
            .notLoaded, "Expected links that were downloaded, found none.", at: .path(name))
    }
}

extension ResourcePath.Segment {
    fileprivate var isProperty: Bool { if case .property = self { true } else { false } }
}

extension ExpandPlan {
    /// True when it, or one below it, goes along links of their own, or leads to entities of a table that has no set of its
    /// own.
    fileprivate func mayBeUnknown(from source: TableID, _ mapping: SchemaMapping) -> Bool {
        if case .linkTable = navigation.storage { return true }
        return mapping[navigation.target].parent == source
            || children.contains { $0.mayBeUnknown(from: table, mapping) }
    }
}
