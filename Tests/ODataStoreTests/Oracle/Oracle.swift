import ODataModel
import ODataQuery
import ODataText

/// Answers queries over rows in memory by the words of the specification (URL Conventions 4.01, section 5.1): the
/// meaning that the store's SQL is compared with. Shares nothing with the compiler.
struct Oracle {
    let data: OracleData
    private let linked: [String: [StructureValue]]

    init(_ data: OracleData) throws {
        self.data = data
        var links = Links(data: data)
        linked = [
            "Customers": try data.customers.map { try links.customer($0, Self.depth) },
            "Orders": try data.orders.map { try links.order($0, Self.depth) },
            "Items": try data.items.map { try links.item($0, Self.depth) },
        ]
    }

    /// How many navigation properties a path of a random query follows at most.
    private static let depth = 3

    /// The rows as lines of text, and the count.
    func answer(_ query: Query) throws -> [String] {
        guard case .entitySet(let set)? = query.path.segments.first, let rows = linked[set] else {
            throw ODataError(.unknownName, "Expected a set of the oracle.")
        }
        var options = NestedOptions()
        options.filter = query.filter
        options.orderBy = query.orderBy
        options.skip = query.skip
        options.top = query.top
        options.select = query.select
        options.expand = query.expand
        options.includesCount = query.includesCount
        var (lines, count) = try lines(rows, options)
        if query.includesCount { lines.insert("count \(count)", at: 0) }
        return lines
    }

    private var evaluator: ExpressionEvaluator { ExpressionEvaluator(graph: data.graph) }

    private func lines(
        _ rows: [StructureValue], _ options: NestedOptions
    ) throws -> ([String], Int) {
        var kept = rows
        if let filter = options.filter {
            kept = try kept.filter { try evaluator.holds(filter, for: $0) }
        }
        let count = kept.count
        // Ties go by key; without an order the key alone tells.
        var order = options.orderBy
        if let type = rows.first?.type {
            for key in data.graph[type].key {
                order.append(OrderItem(.path(ExpressionPath(key.path))))
            }
        }
        var query = Query(path: ResourcePath())
        query.orderBy = order
        query.skip = options.skip
        query.top = options.top
        kept = try ListEvaluator(evaluator).apply(query, to: kept)
        let texts = try kept.map { try text($0, options) }
        return (texts, count)
    }

    /// The entity with what is selected and expanded.
    private func text(_ value: StructureValue, _ options: NestedOptions) throws -> String {
        var shown = value
        let definition = data.graph[value.type]
        let paths = options.select.compactMap { $0.path.propertyNames }
        let keys = Set(definition.key.map(\.path))
        for (slot, property) in definition.properties.enumerated() {
            if property.isNavigation {
                shown.slots[slot] = nil
            } else if !paths.isEmpty, !keys.contains(property.name) {
                let below = paths.filter { $0.first == property.name }.map { $0.dropFirst() }
                if below.isEmpty {
                    shown.slots[slot] = nil
                } else if !below.contains(where: \.isEmpty),
                    let inner = shown.slots[slot]?.structure
                {
                    shown.slots[slot] = .structure(
                        part(inner, Set(below.compactMap(\.first))))
                }
            }
        }
        var text = OracleText(graph: data.graph).text(shown)
        for term in options.expand.sorted(by: { "\($0.path)" < "\($1.path)" }) {
            guard let name = term.path.propertyNames?.first,
                let slot = definition.slot(named: name)
            else { throw ODataError(.unknownName, "Expected a navigation property.") }
            switch value.slots[slot] {
            case .list(let members):
                let (lines, count) = try lines(members.compactMap(\.structure), term.options)
                text += " \(name)=["
                if term.options.includesCount { text += "count \(count): " }
                text += lines.joined(separator: "; ") + "]"
            case .structure(let one):
                text += " \(name)={\(try self.text(one, term.options))}"
            default: text += " \(name)={}"
            }
        }
        return text
    }

    private func part(_ value: StructureValue, _ names: Set<String>) -> StructureValue {
        var result = value
        for (slot, property) in data.graph[value.type].properties.enumerated()
        where !names.contains(property.name) { result.slots[slot] = nil }
        return result
    }
}

/// Values as text, the same for both sides.
struct OracleText {
    let graph: MetadataGraph

    func text(_ value: StructureValue) -> String {
        let definition = graph[value.type]
        var parts = [definition.name]
        for (property, slot) in zip(definition.properties, value.slots)
        where !property.isNavigation {
            if let slot { parts.append("\(property.name)=\(text(slot))") }
        }
        return parts.joined(separator: " ")
    }

    private func text(_ value: ODataValue) -> String {
        switch value {
        case .scalar(.null): "null"
        case .scalar(.string(let text)): "'\(text)'"
        case .scalar(let scalar): Lexical.text(scalar)
        case .list(let members): "[\(members.map(text).joined(separator: ","))]"
        case .structure(let structure): "(\(text(structure)))"
        }
    }
}

/// Rows with the rows that their navigation properties lead to.
private struct Links {
    let data: OracleData

    private func scalar(_ value: StructureValue, _ name: String) -> Scalar {
        data.graph[value.type].slot(named: name).flatMap { value.slots[$0]?.scalar } ?? .null
    }

    private func set(_ value: inout StructureValue, _ name: String, _ other: ODataValue) {
        if let slot = data.graph[value.type].slot(named: name) { value.slots[slot] = other }
    }

    private func matching(
        _ rows: [StructureValue], _ name: String, _ wanted: Scalar
    ) -> [StructureValue] {
        wanted == .null ? [] : rows.filter { scalar($0, name) == wanted }
    }

    mutating func customer(_ row: StructureValue, _ depth: Int) throws -> StructureValue {
        guard depth > 0 else { return row }
        var value = row
        let orders = try matching(data.orders, "CustomerId", scalar(row, "Id"))
            .map { ODataValue.structure(try order($0, depth - 1)) }
        let manager = try matching(data.customers, "Id", scalar(row, "ManagerId")).first
            .map { ODataValue.structure(try customer($0, depth - 1)) }
        set(&value, "Orders", .list(orders))
        set(&value, "Manager", manager ?? .null)
        return value
    }

    mutating func order(_ row: StructureValue, _ depth: Int) throws -> StructureValue {
        guard depth > 0 else { return row }
        var value = row
        let items = try matching(data.items, "OrderId", scalar(row, "Id"))
            .map { ODataValue.structure(try item($0, depth - 1)) }
        let owner = try matching(data.customers, "Id", scalar(row, "CustomerId")).first
            .map { ODataValue.structure(try customer($0, depth - 1)) }
        set(&value, "Items", .list(items))
        set(&value, "Customer", owner ?? .null)
        return value
    }

    mutating func item(_ row: StructureValue, _ depth: Int) throws -> StructureValue {
        guard depth > 0 else { return row }
        var value = row
        let owner = try matching(data.orders, "Id", scalar(row, "OrderId")).first
            .map { ODataValue.structure(try order($0, depth - 1)) }
        set(&value, "Order", owner ?? .null)
        return value
    }
}
