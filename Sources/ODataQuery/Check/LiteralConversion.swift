import ODataModel
import ODataText

/// Gives literals the type of what they are compared with (URL Conventions 4.01, section 5.1.1.14.1; CSDL 4.01,
/// section 3.3 for the value spaces).
package struct LiteralConversion {
    package let graph: MetadataGraph

    package init(graph: MetadataGraph) {
        self.graph = graph
    }

    /// The value of a literal or enumeration expression in the value space of `type`; nil when it has none there.
    package func scalar(_ expression: Expression, as type: TypeReference) -> Scalar? {
        switch expression {
        case .literal(let scalar, let written):
            return self.scalar(scalar, written: written, as: type)
        case .enumeration(let name, let members):
            guard case .enumeration(let id) = type.kind else { return nil }
            if let name, graph.enumeration(named: name) != id { return nil }
            return graph[id].value(of: members).map(Scalar.integer)
        default:
            return nil
        }
    }

    private func scalar(
        _ scalar: Scalar, written: PrimitiveType?, as type: TypeReference
    ) -> Scalar? {
        switch type.kind {
        case .primitive(let primitive):
            return Self.scalar(scalar, written: written, as: primitive)
        case .enumeration(let id):
            switch scalar {
            case .string(let members):
                return graph[id].value(of: members).map(Scalar.integer)
            case .integer, .null: return scalar
            default: return nil
            }
        case .structure:
            return scalar == .null ? scalar : nil
        }
    }

    /// `scalar`, written as `written` or without a type, as a value of `type`; nil when it is not one.
    package static func scalar(
        _ scalar: Scalar, written: PrimitiveType?, as type: PrimitiveType
    ) -> Scalar? {
        switch (scalar, type) {
        case (.null, _), (_, .untyped): return scalar
        case (.boolean, .boolean), (.string, .string), (.binary, .binary), (.guid, .guid),
            (.date, .date), (.timeOfDay, .timeOfDay), (.timeOfDay, .time),
            (.dateTimeOffset, .dateTimeOffset), (.dateTime, .dateTime), (.duration, .duration):
            return scalar
        case (.geo(let value), _) where type.isGeospatial: return value.fits(type) ? scalar : nil
        case (.integer, _), (.decimal, _), (.double, _): return number(scalar, as: type)
        // V2 writes a date and time without offset where V4 metadata of the same service has one, and the other way.
        case (.dateTime(let value), .dateTimeOffset):
            return OffsetDateTime(wall: value).map(Scalar.dateTimeOffset)
        case (.dateTimeOffset(let value), .dateTime): return .dateTime(value.wall)
        case (.dateTime(let value), .date): return .date(value.date)
        case (.date(let value), .dateTime):
            return .dateTime(WallDateTime(date: value, time: .midnight))
        // 4.01 lets the prefix of durations go, and a key written as a segment has no type.
        case (.string(let text), _) where written == nil || type == .duration:
            return Lexical.scalar(text, as: type)
        default: return nil
        }
    }

    private static func number(_ scalar: Scalar, as type: PrimitiveType) -> Scalar? {
        switch type {
        case .byte: return integer(scalar, 0...255)
        case .sbyte: return integer(scalar, -128...127)
        case .int16: return integer(scalar, -32_768...32_767)
        case .int32: return integer(scalar, -2_147_483_648...2_147_483_647)
        case .int64: return integer(scalar, Int64.min...Int64.max)
        case .decimal:
            switch scalar {
            case .integer(let value): return .decimal(DecimalNumber(value))
            case .double(let value):
                return DecimalNumber(shortest: value).map(Scalar.decimal)
                    ?? (value.isFinite ? nil : scalar)
            default: return scalar
            }
        case .double: return double(scalar).map(Scalar.double)
        case .single:
            return double(scalar).map { .double(Double(Float($0))) }
        default: return nil
        }
    }

    private static func integer(_ scalar: Scalar, _ range: ClosedRange<Int64>) -> Scalar? {
        let value: Int64? =
            switch scalar {
            case .integer(let value): value
            case .decimal(let value): value.int64Value
            case .double(let value): Int64(exactly: value)
            default: nil
            }
        return value.flatMap { range.contains($0) ? .integer($0) : nil }
    }

    private static func double(_ scalar: Scalar) -> Double? {
        switch scalar {
        case .integer(let value): Double(value)
        case .decimal(let value): value.doubleValue
        case .double(let value): value
        default: nil
        }
    }
}
