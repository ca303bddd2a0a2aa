import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire
import Synchronization

/// What one client may see and do in one model: the filters of the roles, bound to the client's claims.
///
/// Every statement that reads rows of a table takes the condition of ``visible(_:alias:)`` along, wherever in a query the
/// table is met, so that a row out of view is no row: nothing is to be found, counted, ordered, expanded or compared by it.
final class AccessView: Sendable {
    /// Which rows of a table, each filter checked against its type.
    enum Rule: Sendable, Hashable {
        case none, all
        /// Those that pass one of the filters.
        case filtered([Expression])
    }

    let principal: Principal
    private let rules: AccessRules
    private let mapping: SchemaMapping
    private let compiler: QueryCompiler
    /// By table and operation; those of contained tables are their container's.
    private let decided: [TableID: [AccessOperation: Rule]]
    private let tables: [String: TableMapping]
    /// How queries are compiled for the client.
    let options: CompilerOptions
    /// Some rows of what may be read are out of view.
    let restrictsRows: Bool
    /// Names the view in delta tokens: one of another view tells nothing of what left or entered this one. Empty where all
    /// rows are in view.
    let mark: String
    private let documents = Mutex<[Bool: [UInt8]]>([:])

    /// - Throws: what is wrong with a filter.
    init(
        _ principal: Principal, _ rules: AccessRules, _ mapping: SchemaMapping,
        _ base: CompilerOptions
    )
        throws
    {
        self.principal = principal
        self.rules = rules
        self.mapping = mapping
        compiler = QueryCompiler(mapping: mapping, options: base)
        var decided: [TableID: [AccessOperation: Rule]] = [:]
        for table in mapping.tables where table.parent == nil {
            var rulesOfTable: [AccessOperation: Rule] = [:]
            for operation in AccessOperation.allCases where operation != .call {
                rulesOfTable[operation] = try Self.rule(
                    rules.rows(table.path, operation, roles: principal.roles), principal, table,
                    mapping.graph)
            }
            decided[table.id] = rulesOfTable
        }
        self.decided = decided
        tables = Dictionary(
            mapping.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let filters = mapping.tables.compactMap { table -> String? in
            guard case .filtered(let list)? = decided[table.id]?[.read] else { return nil }
            return table.path + " " + list.map { "\($0)" }.joined(separator: " ")
        }
        restrictsRows = !filters.isEmpty
        mark =
            filters.isEmpty
            ? "" : "-" + Fingerprint.text(of: Array(filters.sorted().joined(separator: "\n").utf8))
        var options = base
        let conditions = RowConditions(decided: decided, mapping: mapping, compiler: compiler)
        if restrictsRows {
            options.visibility = { conditions.condition(on: $0, .read, alias: $1) }
        }
        self.options = options
    }

    private static func rule(
        _ rows: RowRule, _ principal: Principal, _ table: TableMapping, _ graph: MetadataGraph
    ) throws -> Rule {
        switch rows {
        case .none: return .none
        case .all: return .all
        case .filtered(let filters):
            let bound = try filters.compactMap {
                try $0.bound(to: principal.claims, of: table.structure, in: graph)
            }
            return .filtered(bound)
        }
    }

    private var conditions: RowConditions {
        RowConditions(decided: decided, mapping: mapping, compiler: compiler)
    }
}

extension AccessView {
    /// What is decided of a table, or of the one that contains its rows: these are part of an entity of that one, so that
    /// to make or delete them is to change it.
    func rule(_ table: TableMapping, _ operation: AccessOperation) -> Rule {
        conditions.rule(table, operation)
    }

    /// - Throws: 403 for what no role of the client allows, 401 for a client that proved nothing.
    func require(_ operation: AccessOperation, _ table: TableMapping) throws {
        guard rule(table, operation) == .none else { return }
        throw refusal(operation, mapping.graph[table.entitySet].name)
    }

    func requireCall(_ name: String) throws {
        guard !mayCall(name) else { return }
        throw refusal(.call, name)
    }

    /// Both `Ns.Name` and `Name` may stand in the file.
    func mayCall(_ name: String) -> Bool {
        if rules.mayCall(name, roles: principal.roles) { return true }
        guard let dot = name.lastIndex(of: ".") else { return false }
        return rules.mayCall(String(name[name.index(after: dot)...]), roles: principal.roles)
    }

    /// - Throws: as ``require(_:_:)`` where one of the tables that a statement reads may not be read.
    func requireRead(_ names: [String]) throws {
        for name in names {
            // Links and indexes are read with the tables that they belong to.
            guard let table = tables[name] else { continue }
            try require(.read, table)
        }
    }

    private func refusal(_ operation: AccessOperation, _ name: String) -> ODataError {
        guard principal.name != nil else {
            return ODataError(
                ServiceCode.unauthenticated, "Expected a client that says who it is.", status: 401)
        }
        return ODataError(
            ServiceCode.forbidden, "Expected a client that may \(operation.rawValue) \(name).",
            at: .path(name), status: 403)
    }

    static let outOfView = ODataError(
        ServiceCode.forbidden,
        "Expected a change that leaves the entity among those that the client may change.",
        status: 403)

    static let notAmongThem = ODataError(
        ServiceCode.forbidden, "Expected an entity among those that the client may change.",
        status: 403)
}

extension AccessView {
    /// The operation whose rows a request finds by their keys: those that may be read, or where none may those that it
    /// changes.
    func lookup(_ table: TableMapping) -> AccessOperation {
        [.read, .update, .delete, .create].first { rule(table, $0) != .none } ?? .read
    }

    /// The condition that rows of a table meet, in a statement that names the table by its own name and marks its values
    /// with `?`; nil where all do.
    func condition(
        on table: TableMapping, _ operation: AccessOperation
    ) -> (sql: String, values: [SQLArgument])? {
        guard let condition = conditions.condition(on: table, operation, alias: table.name) else {
            return nil
        }
        var (sql, values) = ("", [SQLArgument]())
        for segment in condition.segments {
            switch segment {
            case .text(let text): sql += text
            case .truth(let value): sql += value ? "1" : "0"
            case .null: sql += "NULL"
            case .argument(let argument):
                sql += "?"
                values.append(argument)
            }
        }
        return ("(\(sql))", values)
    }

    /// Whether the operation reaches some rows of the table only.
    func restricts(_ table: TableMapping, _ operation: AccessOperation) -> Bool {
        rule(table, operation) != .all
    }

    /// Whether what is written by the operation may be out of view behind it.
    func mayLeave(_ table: TableMapping, _ operation: AccessOperation) -> Bool {
        rules.mayLeave(
            mapping.graph[table.entitySet].name, operation, roles: principal.roles)
    }

    /// Whether a row's own changes tell when it enters or leaves the view.
    func tracks(_ table: TableMapping) -> Bool {
        guard case .filtered(let filters) = rule(table, .read) else { return true }
        return filters.allSatisfy(\.readsOneRow)
    }

    func offers(_ entry: ServiceDocument.Entry) -> Bool {
        rules.offers(entry, roles: principal.roles)
    }

    /// The metadata document with what the client may do anything with; made once.
    func metadata(asJSON isJSON: Bool) -> [UInt8] {
        documents.withLock { documents in
            if let known = documents[isJSON] { return known }
            let graph = rules.offered(mapping.graph, roles: principal.roles)
            let text = isJSON ? CSDLJSONWriter.json(graph) : CSDLWriter.xml(graph)
            documents[isJSON] = Array(text.utf8)
            return Array(text.utf8)
        }
    }
}

/// The conditions of a view in SQL.
private struct RowConditions: Sendable {
    let decided: [TableID: [AccessOperation: AccessView.Rule]]
    let mapping: SchemaMapping
    let compiler: QueryCompiler

    func rule(_ table: TableMapping, _ operation: AccessOperation) -> AccessView.Rule {
        guard let parent = table.parent else { return decided[table.id]?[operation] ?? .none }
        return rule(mapping[parent], operation == .read ? .read : .update)
    }

    /// Nil where all rows meet it; never true where it cannot be made.
    func condition(
        on table: TableMapping, _ operation: AccessOperation, alias: String
    ) -> SQLText? {
        if let parent = table.parent {
            return contained(table, in: mapping[parent], operation, alias: alias)
        }
        switch rule(table, operation) {
        case .all: return nil
        case .none: return SQLText(truth: false)
        case .filtered(let filters):
            let parts = filters.map { filter in
                (try? compiler.condition(filter, on: table, alias: alias)).map {
                    "(\($0))" as SQLText
                } ?? SQLText(truth: false)
            }
            guard !parts.isEmpty else { return SQLText(truth: false) }
            return parts.joined(" OR ").untold
        }
    }

    /// Rows that are part of a row in view.
    private func contained(
        _ table: TableMapping, in parent: TableMapping, _ operation: AccessOperation, alias: String
    ) -> SQLText? {
        let above: AccessOperation = operation == .read ? .read : .update
        guard rule(parent, above) != .all else { return nil }
        // A name that no compiled statement gives, and as a suffix grows with each level, none of these either.
        let own = "_odata_view_" + alias
        guard let link = table.system.parent, let id = parent.system.id,
            let condition = condition(on: parent, above, alias: own)
        else { return SQLText(truth: false) }
        let sql: SQLText =
            "\(name: alias).\(name: link) IN (SELECT \(name: own).\(name: id) FROM "
            + "\(name: parent.name) AS \(name: own) WHERE \(condition))"
        return sql.untold
    }
}
