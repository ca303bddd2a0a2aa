import ODataModel
import ODataText

/// The canonical functions over values in memory (URL Conventions 4.01, sections 5.1.1.4 to 5.1.1.12). Positions and
/// lengths count Unicode scalars; a null argument gives null.
extension ExpressionEvaluator {
    package func value(_ function: Function, _ arguments: [Expression]) throws -> ODataValue {
        if function == .case { return try chosen(arguments) }
        if function == .isDefined { return .truth(try isDefined(arguments[0])) }
        return try fitting(arguments) { try called(function, arguments) }
    }

    private func called(_ function: Function, _ arguments: [Expression]) throws -> ODataValue {
        let values = try arguments.map { try value($0) }
        guard values.allSatisfy({ !$0.isNull }) else { return .null }
        if values.contains(where: { $0.list != nil }) {
            return try onCollections(function, values)
        }
        let scalars = values.compactMap(\.scalar)
        guard scalars.count == values.count else { throw misfit(function) }
        switch function {
        case .now: return now.map { .scalar(.dateTimeOffset($0)) } ?? .null
        case .minDateTime: return Self.instant("0001-01-01T00:00:00Z")
        case .maxDateTime: return Self.instant("9999-12-31T23:59:59.999999999999Z")
        case .round, .floor, .ceiling: return .scalar(try rounded(function, scalars[0]))
        case .substring: return .scalar(try substring(scalars))
        case .length, .toLower, .toUpper, .trim, .concat, .contains, .startsWith, .endsWith,
            .indexOf, .replace:
            return .scalar(try onStrings(function, scalars))
        case .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .date, .time,
            .totalOffsetMinutes, .totalSeconds:
            return .scalar(try part(function, of: scalars[0]))
        case .matchesPattern: return .truth(try matches(scalars))
        case .geoDistance, .geoLength, .geoIntersects:
            return try measured(function, arguments, scalars)
        default:
            throw unsupported(function.rawValue)
        }
    }

    private func misfit(_ function: Function) -> ODataError {
        ODataError(
            .invalidQuery, "Expected other operands for \(function.rawValue).",
            at: .path(function.rawValue))
    }

    private static func instant(_ text: String) -> ODataValue {
        OffsetDateTime(text).map { .scalar(.dateTimeOffset($0)) } ?? .null
    }

    private func chosen(_ arguments: [Expression]) throws -> ODataValue {
        for index in stride(from: 0, to: arguments.count - 1, by: 2)
        where try truth(arguments[index]) == true {
            return try value(arguments[index + 1])
        }
        return .null
    }

    /// True when the instance has the property that the path begins with.
    private func isDefined(_ argument: Expression) throws -> Bool {
        guard case .path(let path) = argument, path.root == .it,
            case .property(let name)? = path.segments.first, let structure = item.structure
        else { throw misfit(.isDefined) }
        if structure.dynamicValues[name] != nil { return true }
        guard let slot = graph[structure.type].slot(named: name) else { return false }
        return slot < structure.slots.count && structure.slots[slot] != nil
    }

    // MARK: Shapes

    private func measured(
        _ function: Function, _ arguments: [Expression], _ scalars: [Scalar]
    ) throws -> ODataValue {
        let shapes = scalars.compactMap { if case .geo(let value) = $0 { value } else { nil } }
        guard shapes.count == scalars.count else { throw misfit(function) }
        let isGeography = isGeography(arguments)
        switch function {
        case .geoIntersects:
            guard let result = shapes[0].intersects(shapes[1], isGeography: isGeography)
            else { throw misfit(function) }
            return .truth(result)
        case .geoLength:
            guard let result = shapes[0].length(isGeography: isGeography) else {
                throw misfit(function)
            }
            return .scalar(.double(result))
        default:
            guard let result = shapes[0].distance(to: shapes[1], isGeography: isGeography) else {
                throw misfit(function)
            }
            return .scalar(.double(result))
        }
    }

    /// True unless a property or a literal is of the plane: of both the property tells.
    private func isGeography(_ arguments: [Expression]) -> Bool {
        var found: Bool?
        for argument in arguments {
            switch argument {
            case .path(let path):
                guard path.root == .it, let structure = item.structure,
                    let names = path.propertyNames,
                    let type = graph.type(
                        ofPath: names.joined(separator: "/"), in: structure.type)?.primitive,
                    type.isGeospatial
                else { continue }
                return type.name.hasPrefix("Geography")
            case .literal(_, let type?) where type.isGeospatial:
                found = (found ?? true) && type.name.hasPrefix("Geography")
            default: continue
            }
        }
        return found ?? true
    }

    // MARK: Strings

    /// A regular expression that may match anywhere in the text.
    private func matches(_ scalars: [Scalar]) throws -> Bool {
        guard case .string(let text) = scalars[0], case .string(let pattern) = scalars[1],
            pattern.utf8.count <= 1000, let expression = try? Regex(pattern)
        else { throw misfit(.matchesPattern) }
        return text.firstMatch(of: expression) != nil
    }

    private func onStrings(_ function: Function, _ scalars: [Scalar]) throws -> Scalar {
        let texts = try scalars.map { scalar -> String in
            guard case .string(let text) = scalar else { throw misfit(function) }
            return text
        }
        let text = Array(texts[0].unicodeScalars)
        switch function {
        case .length: return .integer(Int64(text.count))
        case .toLower: return .string(texts[0].lowercased())
        case .toUpper: return .string(texts[0].uppercased())
        case .trim:
            let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
            guard let first = text.firstIndex(where: { !isSpace($0) }),
                let last = text.lastIndex(where: { !isSpace($0) })
            else { return .string("") }
            return .string(Self.string(text[first...last]))
        case .concat: return .string(texts[0] + texts[1])
        case .replace:
            return .string(texts[1].isEmpty ? texts[0] : Self.replaced(texts))
        default: break
        }
        let part = Array(texts[1].unicodeScalars)
        switch function {
        case .startsWith: return .boolean(text.starts(with: part))
        case .endsWith: return .boolean(text.reversed().starts(with: part.reversed()))
        case .contains: return .boolean(CollectionComparison.position(of: part, in: text) != nil)
        default: return .integer(Int64(CollectionComparison.position(of: part, in: text) ?? -1))
        }
    }

    private static func replaced(_ texts: [String]) -> String {
        let (text, part) = (Array(texts[0].unicodeScalars), Array(texts[1].unicodeScalars))
        var result = String.UnicodeScalarView()
        var index = 0
        while index < text.count {
            if text[index...].starts(with: part) {
                result.append(contentsOf: texts[2].unicodeScalars)
                index += part.count
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(result)
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// A negative start counts from the end (4.01).
    private func substring(_ scalars: [Scalar]) throws -> Scalar {
        guard case .string(let text) = scalars[0], case .integer(let start) = scalars[1] else {
            throw misfit(.substring)
        }
        let view = Array(text.unicodeScalars)
        let count = Int64(view.count)
        let first = start < 0 ? max(0, count + start) : min(start, count)
        var length = count - first
        if scalars.count > 2 {
            guard case .integer(let wanted) = scalars[2] else { throw misfit(.substring) }
            length = min(length, max(0, wanted))
        }
        return .string(Self.string(view[Int(first)..<Int(first + length)]))
    }

    // MARK: Collections

    private func onCollections(_ function: Function, _ values: [ODataValue]) throws -> ODataValue {
        guard let first = values[0].list else { throw misfit(function) }
        if function == .length { return .scalar(.integer(Int64(first.count))) }
        if function == .substring {
            let numbers = values.dropFirst().compactMap { value -> Int64? in
                if case .integer(let number)? = value.scalar { number } else { nil }
            }
            guard numbers.count == values.count - 1, let start = numbers.first else {
                throw misfit(function)
            }
            let length = numbers.count > 1 ? numbers[1] : Int64(first.count)
            return .list(CollectionComparison.part(of: first, from: start, length: length))
        }
        guard values.count > 1, let second = values[1].list else { throw misfit(function) }
        if let truth = CollectionComparison.truth(of: function, first, second) {
            return .truth(truth)
        }
        switch function {
        case .concat: return .list(first + second)
        case .indexOf:
            let position = CollectionComparison.position(of: second, in: first) ?? -1
            return .scalar(.integer(Int64(position)))
        default: throw misfit(function)
        }
    }

    // MARK: Numbers

    private func rounded(_ function: Function, _ value: Scalar) throws -> Scalar {
        switch value {
        case .integer(let number):
            return .decimal(DecimalNumber(number))
        case .double(let number):
            let rule: FloatingPointRoundingRule =
                switch function {
                case .floor: .down
                case .ceiling: .up
                default: .toNearestOrAwayFromZero
                }
            return .double(number.rounded(rule))
        case .decimal(let number):
            let nearest = number.rounded(toScale: 0)
            let one = DecimalNumber(1)
            switch function {
            case .floor: return .decimal(number < nearest ? nearest - one : nearest)
            case .ceiling: return .decimal(nearest < number ? nearest + one : nearest)
            default: return .decimal(nearest)
            }
        default:
            throw misfit(function)
        }
    }

    // MARK: Dates

    private func part(_ function: Function, of value: Scalar) throws -> Scalar {
        switch function {
        case .totalSeconds:
            guard case .duration(let duration) = value else { throw misfit(function) }
            return .decimal(duration.decimalSeconds)
        case .totalOffsetMinutes:
            guard case .dateTimeOffset(let instant) = value else { throw misfit(function) }
            return .integer(Int64(instant.offsetMinutes))
        case .year, .month, .day, .date:
            guard let date = Self.date(of: value) else { throw misfit(function) }
            switch function {
            case .year: return .integer(Int64(date.year))
            case .month: return .integer(Int64(date.month))
            case .day: return .integer(Int64(date.day))
            default: return .date(date)
            }
        default:
            guard let clock = Self.clock(of: value) else { throw misfit(function) }
            switch function {
            case .hour: return .integer(Int64(clock.hour))
            case .minute: return .integer(Int64(clock.minute))
            case .second: return .integer(Int64(clock.second))
            case .fractionalSeconds:
                let fraction = DecimalNumber(coefficient: clock.fraction, scale: 12)
                return .decimal(fraction.withoutTrailingZeros)
            default: return .timeOfDay(clock)
            }
        }
    }

    private static func date(of value: Scalar) -> CalendarDate? {
        switch value {
        case .date(let date): date
        case .dateTimeOffset(let instant): instant.wall.date
        case .dateTime(let wall): wall.date
        default: nil
        }
    }

    private static func clock(of value: Scalar) -> ClockTime? {
        switch value {
        case .timeOfDay(let clock): clock
        case .dateTimeOffset(let instant): instant.wall.time
        case .dateTime(let wall): wall.time
        default: nil
        }
    }
}
