import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Makes a change of one property, which may be inside complex ones, a change of its entity.
struct PropertyChange {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    private var graph: MetadataGraph { exchange.graph }

    /// The type of the property at the end of the names; nil for the key, which does not change.
    ///
    /// - Throws: 404 for a property that the type does not have.
    func reference(_ names: [String], of type: StructureID) throws -> TypeReference? {
        if names.count == 1, graph[type].key.contains(where: { $0.path == names[0] }) { return nil }
        var current = type
        for (position, name) in names.enumerated() {
            guard let slot = graph[current].slot(named: name) else { break }
            let property = graph[current].properties[slot]
            if position == names.count - 1 { return property.type }
            guard let next = property.type.structure else { break }
            current = next
        }
        throw ODataError(
            .unknownName, "Expected a property of the entity.",
            at: .path(names.joined(separator: "/")), status: 404)
    }

    /// - Throws: 405 for a property that the service sets, or that stays as it was made.
    func requireSettable(
        _ names: [String], of type: StructureID, _ rules: WriteRules
    ) throws {
        var current = type
        for name in names {
            guard let slot = graph[current].slot(named: name) else { return }
            let rule = rules[current, slot]
            guard !rule.isSetByService, !rule.isImmutable else {
                throw AllowedMethods.error("GET, HEAD", at: .path(names.joined(separator: "/")))
            }
            guard let next = graph[current].properties[slot].type.structure else { return }
            current = next
        }
    }

    /// Puts a value at the end of the names, with what is around it.
    func put(_ member: ODataValue, at names: [String], in value: inout StructureValue) throws {
        guard let name = names.first, let slot = graph[value.type].slot(named: name) else { return }
        guard names.count > 1 else {
            value.slots[slot] = member
            return
        }
        guard let type = graph[value.type].properties[slot].type.structure else { return }
        var inner = StructureValue(type: type, in: graph)
        try put(member, at: Array(names.dropFirst()), in: &inner)
        value.slots[slot] = .structure(inner)
    }

    /// The members of a collection with those that a request adds (Protocol 4.01, section 11.4.9.4).
    ///
    /// - Throws: 405 for what is no collection.
    func appending(_ added: ODataValue, to names: [String], of row: RowTarget) throws -> ODataValue
    {
        guard case .list(let new) = added,
            let column = row.table.column(path: names.joined(separator: "/")),
            column.type.isCollection
        else { throw exchange.methodNotAllowed("GET, HEAD, PUT, PATCH, DELETE") }
        guard let text = try TargetRows(exchange).text(column.name, of: row),
            case .list(let old) = try StoredJSON(graph: graph).value(text, type: column.type)
        else { return added }
        return .list(old + new)
    }
}
