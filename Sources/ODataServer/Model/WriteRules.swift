import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// What annotations of a document say of changes: which sets take them, which properties the client may set, and which values.
///
/// What is said of properties is read once: it is asked of every value of every request.
struct WriteRules: Sendable {
    private let graph: MetadataGraph
    /// By the type's number and the property's slot.
    private let properties: [[PropertyRules]]

    init(_ graph: MetadataGraph) {
        self.graph = graph
        properties = graph.structures.map { $0.properties.map { PropertyRules($0) } }
    }

    /// What is said of the property in a slot of a type.
    subscript(type: StructureID, slot: Int) -> PropertyRules { properties[type.index][slot] }

    /// What a request does with an entity.
    enum Change: String {
        case insert = "Insert"
        case update = "Update"
        case delete = "Delete"
    }

    /// - Throws: 405 for a set whose restrictions exclude the change (Capabilities vocabulary).
    func require(_ change: Change, of table: TableMapping) throws {
        guard table.parent == nil, !takes(change, table) else { return }
        let isSingleton = graph[table.entitySet].isSingleton
        var methods = ["GET", "HEAD"]
        switch change {
        case .insert: break
        case .update, .delete:
            if change == .delete, takes(.update, table) { methods += ["PATCH", "PUT"] }
            if change == .update, takes(.delete, table), !isSingleton { methods.append("DELETE") }
        }
        throw AllowedMethods.error(methods.joined(separator: ", "), at: .path(table.path))
    }

    private func takes(_ change: Change, _ table: TableMapping) -> Bool {
        let flag =
            switch change {
            case .insert: "Insertable"
            case .update: "Updatable"
            case .delete: "Deletable"
            }
        let annotation = graph[table.entitySet].annotations.first(
            term: "\(Terms.capabilities)\(change.rawValue)Restrictions")
        guard case .record(_, let properties)? = annotation?.value else { return true }
        return properties.flag(flag) ?? true
    }

    /// True for a set whose entities a change of an absent key makes.
    func isUpsertable(_ table: TableMapping) -> Bool {
        let annotation = graph[table.entitySet].annotations.first(
            term: Terms.capabilities + "UpdateRestrictions")
        guard case .record(_, let properties)? = annotation?.value else { return false }
        return properties.flag("Upsertable") == true
    }

    /// The value without what clients cannot set: computed and read-only properties, and when it changes an entity what
    /// stays as it was made (Protocol 4.01, sections 11.4.2 and 11.4.3).
    func settable(_ value: StructureValue, isNew: Bool, depth: Int = 0) -> StructureValue {
        var result = value
        guard depth < 16 else { return result }
        for (slot, property) in graph[value.type].properties.enumerated()
        where result.slots.indices.contains(slot) && !property.isNavigation {
            let rules = self[value.type, slot]
            if rules.isSetByService || !isNew && rules.isImmutable {
                result.slots[slot] = nil
            } else if case .structure(let inner)? = result.slots[slot] {
                result.slots[slot] = .structure(
                    settable(inner, isNew: isNew, depth: depth + 1))
            }
        }
        return result
    }

    // MARK: Values

    /// - Throws: 400 for a value beyond a facet of its type or what the Validation vocabulary says of it, with its path.
    func check(_ value: StructureValue, path: String = "", depth: Int = 0) throws {
        guard depth < 16 else { return }
        for (slot, property) in graph[value.type].properties.enumerated()
        where value.slots.indices.contains(slot) && !property.isNavigation {
            guard let member = value.slots[slot] else { continue }
            try check(
                member, property, self[value.type, slot].limits, path: path + property.name,
                depth: depth)
        }
    }

    private func check(
        _ value: ODataValue, _ property: PropertyDefinition, _ limits: ValueLimits, path: String,
        depth: Int
    ) throws {
        switch value {
        case .structure(let inner): try check(inner, path: path + "/", depth: depth + 1)
        case .list(let members):
            for member in members {
                guard !member.isNull || property.type.isNullable else {
                    throw Self.misfit("members that are not null", at: path)
                }
                try check(member, property, limits, path: path, depth: depth + 1)
            }
        case .scalar(.null): return
        case .scalar(let scalar):
            do {
                guard let expected = try limits.expected(insteadOf: scalar) else { return }
                throw Self.misfit(expected, at: path)
            } catch var error as ODataError {
                error.location = .path(path)
                throw error
            }
        }
    }

    private static func misfit(_ expected: String, at path: String) -> ODataError {
        ODataError(.invalidValue, "Expected \(expected).", at: .path(path), status: 400)
    }
}
