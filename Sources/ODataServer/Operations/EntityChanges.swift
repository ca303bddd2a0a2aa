import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire
import ODataWorld

/// Brings entity values from request bodies into rows: columns, foreign keys from bindings, related entities.
struct EntityChanges {
    private let exchange: Exchange
    private let access: TargetRows
    /// For rows that the request itself has made or found.
    private let own: TargetRows

    typealias Assignment = (column: ODataSQL.ColumnMapping, value: Scalar)

    init(_ exchange: Exchange) {
        self.exchange = exchange
        access = TargetRows(exchange)
        own = TargetRows(exchange, sees: .all)
    }

    private var graph: MetadataGraph { exchange.graph }
    private var mapping: SchemaMapping { exchange.model.mapping }

    /// Inserts an entity with everything that hangs on it, and returns its key.
    func create(
        _ value: StructureValue, in table: TableMapping, fixed: [Assignment] = [], depth: Int = 0
    ) throws -> [Scalar] {
        try make(value, in: table, fixed: fixed, depth: depth).key
    }

    /// Inserts an entity with everything that hangs on it.
    ///
    /// - Parameters:
    ///   - parent: the internal number of the row that the new one is part of.
    ///   - strictness: what becomes of properties that the value lacks, where a document says what there has to be.
    func make(
        _ value: StructureValue, in table: TableMapping, fixed: [Assignment] = [],
        parent: Int64? = nil, _ strictness: ValueRules.Strictness = .strict, depth: Int = 0
    ) throws -> (key: [Scalar], row: RowTarget) {
        guard exchange.model.takesChanges(table) else { throw Self.readOnly(table) }
        try refuseDeltas(value)
        guard depth <= Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels of related entities.")
        }
        let links = try principals(of: value, in: table, depth: depth) + fixed
        let rules = strictness == .seed ? nil : exchange.model.rules
        var value = value
        if let rules {
            try rules.require(.insert, of: table)
            value = rules.settable(value, isNew: true)
        }
        value = try completed(value, links, strictness)
        var assignments = try columns.assignments(value, in: table)
        Self.merge(links, into: &assignments)
        assignments += columns.identity(of: value, in: table, parent: parent)
        if let rules {
            Self.merge(
                try GeneratedValues(exchange: exchange, rules: rules).assignments(
                    table, of: value.type, changing: nil), into: &assignments)
        }
        for key in table.keys where key.type.primitive == .guid {
            guard !assignments.contains(where: { $0.column.name == key.name }),
                !isMadeByDatabase(key)
            else { continue }
            let (high, low) = exchange.model.configuration.world.makeIdentifier()
            assignments.append((key, .guid(Guid(high: high, low: low))))
        }
        if let next = try nextKey(of: table, assignments) { assignments.append(next) }
        try requireVisible(assignments, of: table, changing: nil)
        let key = try named(table, assignments) { try access.insert(into: table, assignments) }
        var target = row(key, of: table)
        if exchange.model.isDocument {
            target = try RowTarget.row(exchange.database.lastInsertedRowID, of: table)
            try LinkRows(exchange).touchContainer(of: target)
        }
        exchange.noteWritten(target, .create)
        try attachDependents(of: value, in: table, target, depth: depth)
        return (key, target)
    }

    /// True for a key whose value another database than SQLite makes itself.
    private func isMadeByDatabase(_ key: ODataSQL.ColumnMapping) -> Bool {
        guard case .served = exchange.source, let slot = key.slots.first else { return false }
        let property = graph[key.owner].properties[slot]
        return property.hasComputedDefault || property.defaultValue != nil
    }

    /// The next number for a key that the document says the service makes.
    private func nextKey(of table: TableMapping, _ given: [Assignment]) throws -> Assignment? {
        guard exchange.model.isDocument, table.keys.count == 1, let key = table.keys.first,
            key.encoding == .integer, !given.contains(where: { $0.column.name == key.name }),
            let slot = key.slots.first, graph[table.structure].properties[slot].isMadeWhereMissing
        else { return nil }
        let last = try Int64.fetchOne(
            exchange.database,
            sql: "SELECT max(\(SQLName.quoted(key.name))) FROM \(SQLName.quoted(table.name))")
        return (key, .integer((last ?? 0) &+ 1))
    }

    private var columns: ValueColumns { ValueColumns(graph: graph) }

    /// The value as a document wants a new one; as it is where the database says itself what it takes.
    private func completed(
        _ value: StructureValue, _ links: [Assignment], _ strictness: ValueRules.Strictness
    ) throws -> StructureValue {
        guard exchange.model.isDocument else {
            try exchange.model.rules?.check(value)
            return value
        }
        guard !graph[value.type].isAbstract else {
            throw ODataError(
                .invalidPayload, "Expected a type derived from an abstract one.",
                at: .path("@odata.type"), status: 400)
        }
        let whole = try ValueRules(graph: graph).completed(
            value, given: Set(links.map(\.column.path)), strictness)
        if strictness == .strict { try exchange.model.rules?.check(whole) }
        return whole
    }

    /// Changes a row: what is set, and for a replacement everything else to its default.
    func update(
        _ target: RowTarget, with value: StructureValue, replaces: Bool, isSeeding: Bool = false
    ) throws {
        let table = target.table
        guard exchange.model.takesChanges(table) else { throw Self.readOnly(table) }
        try refuseDeltas(value)
        try refuseRelated(value)
        let links = try principals(of: value, in: table, depth: 0)
        var value = value
        let rules = isSeeding ? nil : exchange.model.rules
        if let rules {
            try rules.require(.update, of: table)
            value = rules.settable(value, isNew: false)
            try rules.check(value)
        }
        if replaces {
            value = try completed(value, links, .strict)
            if exchange.model.isDocument, let rules {
                value = rules.settable(value, isNew: false)
            }
        }
        var assignments = try columns.assignments(value, in: table) { column in
            replaces ? nil : try access.text(column.name, of: target)
        }
        Self.merge(links, into: &assignments)
        if replaces, exchange.model.isDocument, table.system.dynamic != nil,
            value.dynamicValues.isEmpty
        {
            assignments.append((columns.dynamicColumn(of: table), .null))
        }
        let keys = Set(table.keys.map(\.name))
        assignments.removeAll { keys.contains($0.column.name) }
        if let rules, !assignments.isEmpty {
            Self.merge(
                try GeneratedValues(exchange: exchange, rules: rules).assignments(
                    table, of: value.type, changing: target), into: &assignments)
        }
        var defaults: [ODataSQL.ColumnMapping] = []
        if replaces, !exchange.model.isDocument {
            let given = Set(assignments.map(\.column.name))
            defaults = table.columns.filter { column in
                column.isWritable && !given.contains(column.name) && !keys.contains(column.name)
            }
            if case .sqlite = exchange.source {
                for column in defaults {
                    assignments.append((column, try defaultValue(of: column)))
                }
                defaults = []
            }
        }
        guard let key = try access.key(of: target) else { throw PathWalker.missing() }
        let id = try access.rowID(of: target)
        try requireVisible(assignments, of: table, changing: target)
        try named(table, assignments) {
            _ = try access.update(target, assignments, defaults: defaults)
        }
        let same = id.map { RowTarget.row($0, of: table) } ?? row(key, of: table)
        try LinkRows(exchange).touchContainer(of: same)
        try attachDependents(of: value, in: table, same, depth: 0)
    }

    private func defaultValue(of column: ODataSQL.ColumnMapping) throws -> Scalar {
        guard let slot = column.slots.first, let type = column.type.primitive,
            let text = graph[column.owner].properties[slot].defaultValue
        else { return .null }
        if type == .boolean, text == "0" || text == "1" { return .boolean(text == "1") }
        return try Lexical.parse(text, as: type)
    }

    private static func merge(_ new: [Assignment], into assignments: inout [Assignment]) {
        for assignment in new {
            assignments.removeAll { $0.column.name == assignment.column.name }
            assignments.append(assignment)
        }
    }
}

extension EntityChanges {
    /// - Throws: 409, as for entities that there are not, where a new reference names one out of the client's view.
    private func requireVisible(
        _ assignments: [Assignment], of table: TableMapping, changing target: RowTarget?
    ) throws {
        guard exchange.access != nil else { return }
        var new = assignments
        if let target {
            new = try assignments.filter { assignment in
                guard table.columns.contains(where: { $0.name == assignment.column.name }) else {
                    return false
                }
                return try own.values([assignment.column.name], of: target) != [assignment.value]
            }
        }
        guard let name = try missingReference(in: new, of: table) else { return }
        throw ODataError(
            .conflict, "Expected related entities to exist, a FOREIGN KEY points nowhere.",
            at: .path(name), status: 409)
    }

    /// Runs a statement; a foreign key that points nowhere is found and named, which SQLite does not do. Other databases name
    /// it themselves.
    private func named<Result>(
        _ table: TableMapping, _ assignments: [Assignment], _ body: () throws -> Result
    ) throws -> Result {
        guard case .sqlite = exchange.source else { return try body() }
        do {
            return try SQLFailure.translated(body)
        } catch var error as ODataError where error.code == .conflict && error.location == nil {
            if let name = try missingReference(in: assignments, of: table) {
                error.location = .path(name)
            }
            throw error
        }
    }

    /// The first property that refers to an entity that is not there.
    private func missingReference(in assignments: [Assignment], of table: TableMapping) throws
        -> String?
    {
        for navigation in table.navigations where holdsKey(navigation, in: table) {
            guard case .columns(let pairs) = navigation.storage else { continue }
            let target = mapping[navigation.target]
            var wanted = RowTarget(table: target, isSingle: true)
            for pair in pairs {
                guard let own = assignments.first(where: { $0.column.name == pair.source }),
                    own.value != .null,
                    let other = target.columns.first(where: { $0.name == pair.target })
                else { continue }
                wanted.conditions.append((other, own.value))
            }
            guard wanted.conditions.count == pairs.count, try !access.exists(wanted) else {
                continue
            }
            return table.columns.first { $0.name == pairs[0].source }?.path
        }
        return nil
    }

    /// - Throws: 501 for related entities in an update: they would stand for all there are, or be changed themselves
    ///   (Protocol 4.01, section 11.4.3.1), which is not done here; to make others of them would be wrong.
    func refuseRelated(_ value: StructureValue) throws {
        for (slot, property) in graph[value.type].properties.enumerated()
        where property.isNavigation && value.slots.indices.contains(slot) {
            switch value.slots[slot] {
            case .list?, .structure?: throw Self.deepUpdate(property.name)
            default: continue
            }
        }
    }

    /// - Throws: 501 for the changes of a relation (`Items@delta`).
    func refuseDeltas(_ value: StructureValue) throws {
        for name in value.control.annotations.keys.sorted() where name.hasSuffix("@odata.delta") {
            throw Self.deepUpdate(name)
        }
    }

    private static func deepUpdate(_ name: String) -> ODataError {
        ODataError(
            .notImplemented, "The service does not update related entities with an entity.",
            at: .path(name), status: 501)
    }

    /// The foreign keys on this row: from bindings, from null, and from entities to be made first.
    private func principals(of value: StructureValue, in table: TableMapping, depth: Int) throws
        -> [Assignment]
    {
        var assignments: [Assignment] = []
        for navigation in table.navigations
        where holdsKey(navigation, in: table) && graph.isA(value.type, navigation.owner) {
            if let id = value.control.bindings[navigation.path]?.first {
                assignments += try foreignKey(navigation, in: table, to: try target(of: id))
            } else if let slot = navigation.slots.first, value.slots.indices.contains(slot),
                let related = value.slots[slot]
            {
                if let entity = related.structure {
                    let target = mapping[navigation.target]
                    let key = try create(entity, in: target, depth: depth + 1)
                    assignments += try foreignKey(
                        navigation, in: table, to: row(key, of: target))
                } else {
                    assignments += try foreignKey(navigation, in: table, to: nil)
                }
            }
        }
        return assignments
    }

    /// Rows of other tables whose foreign keys point at this one: bound, or made with it.
    private func attachDependents(
        of value: StructureValue, in table: TableMapping, _ source: RowTarget, depth: Int
    ) throws {
        for navigation in table.navigations
        where !holdsKey(navigation, in: table) && graph.isA(value.type, navigation.owner) {
            let bound = value.control.bindings[navigation.path] ?? []
            var children: [StructureValue] = []
            if let slot = navigation.slots.first, value.slots.indices.contains(slot) {
                switch value.slots[slot] {
                case .list(let list)?: children = list.compactMap(\.structure)
                case .structure(let child)?: children = [child]
                case .scalar(.null)?: try clear(navigation, of: source)
                default: break
                }
            }
            guard !bound.isEmpty || !children.isEmpty else { continue }
            if case .columns = navigation.storage, !navigation.containsTarget {
                // Foreign keys of other rows, as below.
            } else if let id = try own.rowID(of: source) {
                try attach(children, bound, navigation, to: id, of: table, depth: depth)
                continue
            }
            let link = try dependentColumns(navigation, of: source)
            for id in bound {
                let child = try target(of: id)
                guard child.table.id == navigation.target, try access.exists(child) else {
                    throw Self.unknownReference(navigation)
                }
                try SQLFailure.translated { _ = try access.update(child, link) }
            }
            for child in children {
                _ = try create(
                    child, in: mapping[navigation.target], fixed: link, depth: depth + 1)
            }
        }
    }

    /// True when the foreign key columns are on the row that has the navigation property.
    func holdsKey(_ navigation: NavigationMapping, in table: TableMapping) -> Bool {
        guard let slot = navigation.slots.first else { return false }
        let property = graph[navigation.owner].properties[slot]
        guard case .columns = navigation.storage else { return false }
        return property.navigation?.referentialConstraints.isEmpty == false
    }

    /// The assignments that make a row of `table` point at `target`; nulls for nil.
    func foreignKey(_ navigation: NavigationMapping, in table: TableMapping, to target: RowTarget?)
        throws -> [Assignment]
    {
        guard case .columns(let pairs) = navigation.storage else {
            throw ODataError(.notImplemented, "Expected links by foreign keys.", status: 501)
        }
        var values = pairs.map { _ in Scalar.null }
        if let target {
            guard target.table.id == navigation.target,
                let found = try access.values(pairs.map(\.target), of: target)
            else { throw Self.unknownReference(navigation) }
            values = found
        }
        return try zip(pairs, values).map { pair, value in
            guard let column = table.columns.first(where: { $0.name == pair.source }) else {
                throw ODataError(.storage, "Expected the linked column to be exposed.")
            }
            return (column, value)
        }
    }

    /// The assignments that make rows of the navigation's target point at `source`.
    func dependentColumns(_ navigation: NavigationMapping, of source: RowTarget) throws
        -> [Assignment]
    {
        guard case .columns(let pairs) = navigation.storage,
            let values = try own.values(pairs.map(\.source), of: source)
        else { throw PathWalker.missing() }
        let target = mapping[navigation.target]
        return try zip(pairs, values).map { pair, value in
            guard let column = target.columns.first(where: { $0.name == pair.target }) else {
                throw ODataError(.storage, "Expected the linked column to be exposed.")
            }
            return (column, value)
        }
    }

    /// The row that an entity-id in a body names, absolute or relative to the root.
    func target(of id: String) throws -> RowTarget {
        let address = try ServiceAddress(
            exchange.resolved(id),
            within: ServiceAddress(
                RequestMessage(
                    method: "GET", url: exchange.root),
                rootPath: exchange.model.configuration.rootPath),
            rootPath: exchange.model.configuration.rootPath)
        let end = try PathWalker(exchange: exchange).walk(
            exchange.parse(address.relativeURL).path)
        guard end.target.isSingle, end.property == nil else {
            throw ODataError(.invalidPayload, "Expected the entity-id of one entity.")
        }
        return end.target
    }

    func row(_ key: [Scalar], of table: TableMapping) -> RowTarget {
        RowTarget(table: table, conditions: zip(table.keys, key).map { ($0, $1) }, isSingle: true)
    }

    private static let maximumDepth = 8

    /// Related rows that are part of this one, or linked by a table of links.
    private func attach(
        _ children: [StructureValue], _ bound: [String], _ navigation: NavigationMapping,
        to source: Int64, of table: TableMapping, depth: Int
    ) throws {
        let target = mapping[navigation.target]
        guard bound.isEmpty || !navigation.containsTarget else {
            throw ODataError(
                .invalidPayload, "Expected new entities, contained ones are part of one entity.",
                at: .path(navigation.path), status: 400)
        }
        for id in bound {
            let other = try self.target(of: id)
            guard other.table.id == navigation.target, let row = try access.rowID(of: other) else {
                throw Self.unknownReference(navigation)
            }
            try LinkRows(exchange).add(navigation, from: source, of: table, to: row)
        }
        for child in children {
            let made = try make(
                child, in: target, parent: navigation.containsTarget ? source : nil,
                depth: depth + 1
            ).row
            guard !navigation.containsTarget, let row = try own.rowID(of: made) else {
                continue
            }
            try LinkRows(exchange).add(navigation, from: source, of: table, to: row)
        }
    }

    /// Null for a single related row that no column of this one names.
    private func clear(_ navigation: NavigationMapping, of source: RowTarget) throws {
        guard !navigation.isCollection, let id = try own.rowID(of: source) else { return }
        try LinkRows(exchange).remove(navigation, from: id, of: source.table, to: nil)
    }

    static func readOnly(_ table: TableMapping) -> ODataError {
        ODataError(
            ServiceCode.methodNotAllowed, "Expected an entity set that can be changed.",
            at: .path(table.path), status: 405)
    }

    private static func unknownReference(_ navigation: NavigationMapping) -> ODataError {
        ODataError(
            .invalidPayload, "Expected the entity-id of an existing entity.",
            at: .path(navigation.path), status: 400)
    }
}
