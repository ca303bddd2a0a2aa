import ODataModel
import ODataText

/// Paths, casts and JSON over values in memory (URL Conventions 4.01, sections 5.1.1.15 and 5.1.1.10).
extension ExpressionEvaluator {
    /// The value at `path`; null behind a null.
    ///
    /// - Throws: `notLoaded` at a navigation property that was never read, for unknown is not empty.
    func value(at path: ExpressionPath) throws -> ODataValue {
        var segments = path.segments[...]
        var current: ODataValue
        switch path.root {
        case .it, .this:
            current = item
        case .these:
            throw unsupported("$these")
        case .variable(let name):
            if name.hasPrefix("@") {
                current = try value(.alias(String(name.dropFirst())))
            } else {
                current = variables[name] ?? .null
            }
        case .root:
            guard case .property(let name)? = segments.popFirst(), let values = root[name] else {
                throw unsupported("$root")
            }
            current = .list(values.map(ODataValue.structure))
        }
        var isBehindOpen = false
        for segment in segments {
            guard !current.isNull else { return .null }
            isBehindOpen = isBehindOpen || isOpen(segment, of: current)
            current = try step(segment, from: current, isBehindOpen: isBehindOpen)
        }
        return current
    }

    func step(
        _ segment: ExpressionPath.Segment, from value: ODataValue, isBehindOpen: Bool
    ) throws -> ODataValue {
        switch segment {
        case .property(let name):
            guard let structure = value.structure else {
                if isBehindOpen { return .null }
                throw ODataError(
                    .invalidQuery, "Expected a structured value in front of \(name).",
                    at: .path(name))
            }
            return try property(name, of: structure)
        case .typeCast(let name):
            guard let type = graph.structure(named: name) else {
                throw ODataError(.unknownName, "Expected a type, found \(name).", at: .path(name))
            }
            if let members = value.list {
                return .list(members.filter { isA($0, type) })
            }
            return isA(value, type) ? value : .null
        case .key(let key):
            guard let members = value.list else { return .null }
            return try member(of: members, key)
        case .filter(let condition):
            guard let members = value.list else { return .null }
            return .list(
                try members.filter { member in
                    try evaluate(condition, for: member) == .scalar(.boolean(true))
                })
        case .annotation(let name):
            return value.structure?.control.annotations[name] ?? .null
        case .function(let name, _):
            throw unsupported(name)
        }
    }

    private func property(_ name: String, of value: StructureValue) throws -> ODataValue {
        let definition = graph[value.type]
        guard let slot = definition.slot(named: name) else {
            guard definition.isOpen || value.dynamicValues[name] != nil else {
                throw ODataError(
                    .unknownName,
                    "Expected a property of \(definition.qualifiedName), found \(name).",
                    at: .path(name))
            }
            return value.dynamicValues[name] ?? .null
        }
        if slot < value.slots.count, let found = value.slots[slot] { return found }
        guard definition.properties[slot].isNavigation else { return .null }
        throw ODataError(
            .notLoaded, "Expected \(name) to be loaded before it is evaluated.",
            at: .path("\(definition.qualifiedName)/\(name)"))
    }

    private func isA(_ value: ODataValue, _ type: StructureID) -> Bool {
        value.structure.map { graph.isA($0.type, type) } ?? false
    }

    private func member(of members: [ODataValue], _ key: [KeyValue]) throws -> ODataValue {
        for member in members {
            guard let structure = member.structure else { continue }
            let scalars = try KeyReader(graph: graph, aliases: aliases)
                .scalars(key, of: structure.type, place: "key")
            if graph.key(of: structure) == scalars { return member }
        }
        return .null
    }

    // MARK: Types

    func cast(_ value: ODataValue, _ name: String) throws -> ODataValue {
        guard let type = graph.type(named: name) else {
            throw ODataError(.unknownName, "Expected a type, found \(name).", at: .path(name))
        }
        switch (value, type.kind) {
        case (.scalar(.null), _):
            return .null
        case (.structure, .structure(let id)):
            return isA(value, id) ? value : .null
        case (.scalar(let scalar), .primitive(let primitive)):
            if primitive == .string { return .scalar(.string(Lexical.text(scalar))) }
            if case .dateTimeOffset(let instant) = scalar, primitive == .date {
                return .scalar(.date(instant.wall.date))
            }
            if case .dateTimeOffset(let instant) = scalar, primitive == .timeOfDay {
                return .scalar(.timeOfDay(instant.wall.time))
            }
            if case .double(let value) = scalar, !value.isFinite, primitive == .decimal {
                return .null
            }
            let whole = Self.whole(scalar, for: primitive) ?? scalar
            let found = LiteralConversion.scalar(whole, written: nil, as: primitive)
            // A text may say NaN, which is no Decimal.
            if primitive == .decimal, found?.isDouble == true { return .null }
            return found.map(ODataValue.scalar) ?? .null
        case (.scalar(let scalar), .enumeration):
            return LiteralConversion(graph: graph).scalar(.literal(scalar, nil), as: type)
                .map(ODataValue.scalar) ?? .null
        default:
            return .null
        }
    }

    /// A number without its fraction, for a cast to an integer type.
    private static func whole(_ scalar: Scalar, for type: PrimitiveType) -> Scalar? {
        guard [.byte, .sbyte, .int16, .int32, .int64].contains(type) else { return nil }
        switch scalar {
        case .decimal(let value): return .decimal(value.rounded(toScale: 0, .down))
        case .double(let value) where value.isFinite: return .double(value.rounded(.towardZero))
        default: return nil
        }
    }

    func isOf(_ value: ODataValue, _ name: String) throws -> Bool {
        guard let type = graph.type(named: name) else {
            throw ODataError(.unknownName, "Expected a type, found \(name).", at: .path(name))
        }
        switch (value, type.kind) {
        case (.scalar(.null), _): return false
        case (.structure, .structure(let id)): return isA(value, id)
        case (.scalar(let scalar), .primitive(let primitive)):
            return LiteralConversion.scalar(scalar, written: .untyped, as: primitive) == scalar
        default: return false
        }
    }

    // MARK: JSON

    func json(_ text: String) throws -> ODataValue {
        Self.value(of: try JSONValue(parsing: Array(text.utf8)))
    }

    static func value(of json: JSONValue) -> ODataValue {
        switch json {
        case .array(let items): .list(items.map(value(of:)))
        case .string(let text): .scalar(.string(text))
        case .boolean(let flag): .scalar(.boolean(flag))
        case .number(let text):
            .scalar(
                Int64(text).map(Scalar.integer)
                    ?? DecimalNumber(text).map(Scalar.decimal) ?? .null)
        default: .null
        }
    }
}

extension MetadataGraph {
    /// The key of an entity value in the order of its type's key; nil when a part is missing or null.
    package func key(of value: StructureValue) -> [Scalar]? {
        var scalars: [Scalar] = []
        for property in self[value.type].key {
            var current = ODataValue.structure(value)
            for name in property.path.split(separator: "/") {
                guard let structure = current.structure,
                    let slot = self[structure.type].slot(named: String(name)),
                    slot < structure.slots.count, let next = structure.slots[slot]
                else { return nil }
                current = next
            }
            guard let scalar = current.scalar, scalar != .null else { return nil }
            scalars.append(scalar)
        }
        return scalars.isEmpty ? nil : scalars
    }
}
