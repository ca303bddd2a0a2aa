import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// What annotations of a document say of changes: which sets take them, which properties the client may set, and which values.
struct WriteRules {
    let graph: MetadataGraph

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
            if isSetByService(property) || !isNew && isImmutable(property) {
                result.slots[slot] = nil
            } else if case .structure(let inner)? = result.slots[slot] {
                result.slots[slot] = .structure(
                    settable(inner, isNew: isNew, depth: depth + 1))
            }
        }
        return result
    }

    /// True for properties that only the service sets.
    func isSetByService(_ property: PropertyDefinition) -> Bool {
        Self.isSetByService(property)
    }

    /// - Parameter isNew: True passes over what is said of the key, which the database may make itself.
    static func isSetByService(_ property: PropertyDefinition, isNew: Bool = false) -> Bool {
        if isNew { return false }
        if property.annotations.flag(Terms.computed) == true { return true }
        if property.annotations.first(term: Terms.generated) != nil { return true }
        guard
            case .enumMember(let text)? = property.annotations.first(term: Terms.permissions)?.value
        else { return false }
        return text.split { " ,".contains($0) }.allSatisfy {
            $0.hasSuffix("/Read") || $0.hasSuffix("/None")
        }
    }

    func isImmutable(_ property: PropertyDefinition) -> Bool {
        property.annotations.flag(Terms.immutable) == true
    }

    // MARK: Values

    /// - Throws: 400 for a value beyond a facet of its type or what the Validation vocabulary says of it, with its path.
    func check(_ value: StructureValue, path: String = "", depth: Int = 0) throws {
        guard depth < 16 else { return }
        for (slot, property) in graph[value.type].properties.enumerated()
        where value.slots.indices.contains(slot) && !property.isNavigation {
            guard let member = value.slots[slot] else { continue }
            try check(member, property, path: path + property.name, depth: depth)
        }
    }

    private func check(
        _ value: ODataValue, _ property: PropertyDefinition, path: String, depth: Int
    ) throws {
        switch value {
        case .structure(let inner): try check(inner, path: path + "/", depth: depth + 1)
        case .list(let members):
            for member in members {
                guard !member.isNull || property.type.isNullable else {
                    throw Self.misfit("members that are not null", at: path)
                }
                try check(member, property, path: path, depth: depth + 1)
            }
        case .scalar(.null): return
        case .scalar(let scalar): try check(scalar, property, path: path)
        }
    }

    private func check(_ scalar: Scalar, _ property: PropertyDefinition, path: String) throws {
        let facets = property.type.facets
        if let limit = facets.maxLength, limit != Int.max {
            let length =
                switch scalar {
                case .string(let text): text.unicodeScalars.count
                case .binary(let bytes): bytes.count
                default: 0
                }
            guard length <= limit else {
                throw Self.misfit("at most \(limit) characters", at: path)
            }
        }
        if case .decimal(let number) = scalar, let precision = facets.precision {
            let digits = number.withoutTrailingZeros.description.filter(\.isWholeNumber)
                .drop { $0 == "0" }.count
            guard digits <= precision else {
                throw Self.misfit("at most \(precision) digits", at: path)
            }
        }
        let annotations = property.annotations
        if let bound = number(annotations, "Minimum"), let value = ColumnNumber.double(scalar) {
            let isOut = isExclusive(annotations, "Minimum") ? value <= bound : value < bound
            guard !isOut else { throw Self.misfit("no value below the minimum", at: path) }
        }
        if let bound = number(annotations, "Maximum"), let value = ColumnNumber.double(scalar) {
            let isOut = isExclusive(annotations, "Maximum") ? value >= bound : value > bound
            guard !isOut else { throw Self.misfit("no value above the maximum", at: path) }
        }
        if case .string(let text)? = annotations.first(term: Terms.validation + "Pattern")?.value,
            case .string(let given) = scalar
        {
            guard let pattern = try? Regex(text), given.firstMatch(of: pattern) != nil else {
                throw Self.misfit("a text of the pattern", at: path)
            }
        }
        try checkAllowed(scalar, property, path: path)
    }

    /// `AllowedValues`: a collection of records whose `Value` is one of them.
    private func checkAllowed(
        _ scalar: Scalar, _ property: PropertyDefinition, path: String
    ) throws {
        let annotation = property.annotations.first(term: Terms.validation + "AllowedValues")
        guard case .collection(let items)? = annotation?.value, let type = property.type.primitive
        else { return }
        let allowed = items.compactMap { item -> Scalar? in
            guard case .record(_, let properties) = item else { return nil }
            return AnnotationNumber.text(properties.first(term: "Value")?.value).flatMap {
                Lexical.scalar($0, as: type)
            }
        }
        guard allowed.contains(scalar) else {
            throw Self.misfit("one of the values that are allowed", at: path)
        }
    }

    private func number(_ annotations: [AnnotationDefinition], _ term: String) -> Double? {
        AnnotationNumber.text(annotations.first(term: Terms.validation + term)?.value)
            .flatMap(Double.init)
    }

    private func isExclusive(_ annotations: [AnnotationDefinition], _ term: String) -> Bool {
        annotations.first(term: Terms.validation + term)?.annotations.flag(
            Terms.validation + "Exclusive") == true
    }

    private static func misfit(_ expected: String, at path: String) -> ODataError {
        ODataError(.invalidValue, "Expected \(expected).", at: .path(path), status: 400)
    }
}

/// Constants of annotations as text.
enum AnnotationNumber {
    static func text(_ value: AnnotationExpression?) -> String? {
        switch value {
        case .integer(let number)?: String(number)
        case .constant(_, let text)?, .string(let text)?: text
        case .boolean(let value)?: String(value)
        default: nil
        }
    }
}

/// Numbers of every type as they compare with bounds.
enum ColumnNumber {
    static func double(_ scalar: Scalar) -> Double? {
        switch scalar {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }
}
