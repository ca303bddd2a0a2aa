import ODataModel
import ODataQuery
import ODataText

/// What the library's values say, as values of the oracle.
enum OracleReading {
    static func value(_ scalar: Scalar) throws -> OracleValue {
        switch scalar {
        case .null: return .null
        case .boolean(let value): return .truth(value)
        case .integer(let value): return .whole(value)
        case .double(let value): return .real(value)
        case .decimal(let value): return .decimal(value)
        case .string(let value): return .text(value)
        case .binary(let value): return .bytes(value)
        case .guid(let value): return .guid(value.description.lowercased())
        case .date(let value):
            return .day(
                OracleLexical.days(Int64(value.year), Int64(value.month), Int64(value.day)))
        case .timeOfDay(let value): return .clock(value.picoseconds)
        case .dateTimeOffset(let value):
            let instant = Int128(value.seconds) * OracleValue.second + Int128(value.picoseconds)
            return .instant(instant, offset: Int(value.offsetMinutes))
        case .duration(let value):
            return .span(Int128(value.seconds) * OracleValue.second + Int128(value.picoseconds))
        case .geo(let value):
            guard let shape = OracleShape(value) else { throw OracleEvaluator.unknown() }
            return .shape(shape)
        case .dateTime: throw OracleEvaluator.unknown()
        }
    }

    static func value(
        _ value: ODataValue, _ type: TypeReference?, _ graph: MetadataGraph
    ) throws -> OracleValue {
        switch value {
        case .scalar(.integer(let value)) where type?.enumeration != nil: return .flags(value)
        case .scalar(let scalar): return try self.value(scalar)
        case .list(let members):
            return .list(try members.map { try self.value($0, type, graph) })
        case .structure(let structure):
            var members: [String: OracleValue] = [:]
            for (property, slot) in zip(graph[structure.type].properties, structure.slots) {
                guard let slot else { continue }
                members[property.name] = try self.value(slot, property.type, graph)
            }
            return .record(members)
        }
    }

    /// An entity with everything that the store put into it.
    static func shown(_ value: StructureValue, _ graph: MetadataGraph) throws -> OracleShown {
        let definition = graph[value.type]
        var shown = OracleShown(type: definition.name)
        for (property, slot) in zip(definition.properties, value.slots) {
            guard let slot else { continue }
            guard property.isNavigation else {
                shown.values[property.name] = try self.value(slot, property.type, graph)
                continue
            }
            switch slot {
            case .list(let members):
                shown.many[property.name] = try members.compactMap(\.structure)
                    .map { try self.shown($0, graph) }
            case .structure(let one): shown.one[property.name] = [try self.shown(one, graph)]
            default: shown.one[property.name] = []
            }
        }
        for (name, dynamic) in value.dynamicValues {
            if let members = dynamic.list, members.allSatisfy({ $0.structure != nil }) {
                shown.many[name] = try members.compactMap(\.structure)
                    .map { try self.shown($0, graph) }
                continue
            }
            shown.values[name] = try self.value(dynamic, nil, graph)
        }
        for (name, count) in value.control.counts { shown.counts[name] = count }
        return shown
    }
}
