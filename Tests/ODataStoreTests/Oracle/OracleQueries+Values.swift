import ODataModel
import ODataQuery
import ODataText

/// Random values.
extension OracleQueries {
    mutating func literalText() -> Tree {
        .literal(.string(random.pick(OracleCells.texts)), .string)
    }

    /// The place, or sometimes one outside of the lambda.
    private mutating func near(_ place: OraclePlace) -> OraclePlace {
        guard !outers.isEmpty, random.chance(15) else { return place }
        return random.pick(outers)
    }

    mutating func text(_ place: OraclePlace, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(60) else {
            let place = near(place)
            guard random.chance(60), !place.texts.isEmpty else { return literalText() }
            return place.path(random.pick(place.texts))
        }
        let inner = text(place, depth - 1)
        switch random.below(9) {
        case 0: return .call(.concat, [inner, text(place, depth - 1)])
        case 1: return .call(.toLower, [inner])
        case 2: return .call(.toUpper, [inner])
        case 3: return .call(.trim, [inner])
        case 4: return .call(.substring, [inner, small(place)])
        case 5:
            return .call(
                .substring,
                [inner, small(place), .literal(.integer(Int64(random.below(4))), .int32)])
        case 6: return .call(.replace, [inner, literalText(), literalText()])
        case 7: return .call(.case, [ofKeys(place), inner, flag(), literalText()])
        default:
            switch random.below(4) {
            case 0: return .cast(number(place, 0), type: "Edm.String")
            case 1: return .cast(date(place), type: "Edm.String")
            case 2: return .cast(instant(place), type: "Edm.String")
            default: return .cast(inner, type: "Edm.String")
            }
        }
    }

    private mutating func small(_ place: OraclePlace) -> Tree {
        random.chance(80) || !place.isCustomer
            ? .literal(.integer(Int64(random.below(6) - 2)), .int32) : place.path("Small")
    }

    mutating func literalNumber() -> Tree {
        switch random.below(4) {
        case 0: return .literal(.integer(random.pick(OracleCells.longs)), .int64)
        case 1: return .literal(.integer(Int64(random.below(9) - 3)), .int32)
        case 2:
            return .literal(
                DecimalNumber(random.pick(OracleCells.decimals)).map(Scalar.decimal) ?? .null,
                .decimal)
        default: return .literal(.double(random.pick(OracleCells.doubles)), .double)
        }
    }

    mutating func number(_ place: OraclePlace, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(60) else {
            let place = near(place)
            guard random.chance(65), !place.numbers.isEmpty else { return literalNumber() }
            return place.path(random.pick(place.numbers))
        }
        let inner = number(place, depth - 1)
        switch random.below(15) {
        case 14: return related(place) ?? part(place)
        case 0, 1, 2, 3, 4, 5:
            return .binary(
                random.pick([.add, .sub, .mul, .div, .divby, .mod]), inner,
                number(place, depth - 1))
        case 6: return .unary(.negate, inner)
        case 7: return .call(random.pick([.round, .floor, .ceiling]), [inner])
        case 8: return .call(.length, [text(place, depth - 1)])
        case 9: return .call(.indexOf, [text(place, depth - 1), literalText()])
        case 10:
            return .cast(
                inner,
                type: random.pick([
                    "Edm.Int32", "Edm.Int64", "Edm.Double", "Edm.Decimal", "Edm.Byte", "Edm.Single",
                ]))
        case 11:
            return .cast(
                text(place, 0),
                type: random.pick(["Edm.Int32", "Edm.Double", "Edm.Decimal", "Edm.SByte"]))
        case 12: return counted(place) ?? part(place)
        default: return part(place)
        }
    }

    mutating func part(_ place: OraclePlace) -> Tree {
        let functions: [Function] = [
            .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .totalOffsetMinutes,
        ]
        if random.chance(15) { return .call(.totalSeconds, [duration(place, 0)]) }
        if random.chance(20) {
            return .call(random.pick([.year, .month, .day]), [date(place)])
        }
        if place.isCustomer, random.chance(15) {
            return .call(
                random.pick([.hour, .minute, .second, .fractionalSeconds]), [place.path("Wakes")])
        }
        return .call(random.pick(functions), [instant(place)])
    }

    mutating func partValue() -> Int64 {
        random.pick([0, 1, 2, 6, 12, 15, 23, 29, 30, 31, 59, 120, -300, 840, 1969, 2031])
    }

    mutating func date(_ place: OraclePlace) -> Tree {
        let own = place.days.isEmpty ? nil : place.path(random.pick(place.days))
        switch random.below(5) {
        case 0: return own ?? .call(.date, [instant(place)])
        case 1: return .call(.date, [instant(place)])
        case 2:
            guard let own else { break }
            return .binary(random.pick([.add, .sub]), own, literalDuration())
        case 3: return .cast(random.chance(50) ? text(place, 0) : instant(place), type: "Edm.Date")
        default: break
        }
        return .literal(
            CalendarDate(random.pick(OracleCells.dates)).map(Scalar.date) ?? .null, .date)
    }

    mutating func instant(_ place: OraclePlace) -> Tree {
        let place = near(place)
        if random.chance(3) { return .call(random.pick([.minDateTime, .maxDateTime]), []) }
        guard !place.instants.isEmpty, random.chance(75) else {
            return .literal(
                OffsetDateTime(random.pick(OracleCells.instants)).map(Scalar.dateTimeOffset)
                    ?? .null, .dateTimeOffset)
        }
        let own = place.path(random.pick(place.instants))
        guard random.chance(25) else { return own }
        return .binary(random.pick([.add, .sub]), own, literalDuration())
    }

    private mutating func literalDuration() -> Tree {
        .literal(
            EdmDuration(random.pick(OracleCells.durations)).map(Scalar.duration) ?? .null,
            .duration)
    }

    mutating func duration(_ place: OraclePlace, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(40) else {
            return !place.durations.isEmpty && random.chance(60)
                ? place.path(random.pick(place.durations)) : literalDuration()
        }
        let inner = duration(place, depth - 1)
        switch random.below(6) {
        case 0: return .binary(random.pick([.add, .sub]), inner, literalDuration())
        case 1: return .binary(.mul, inner, factor())
        case 2: return .binary(.mul, factor(), inner)
        case 3: return .binary(random.pick([.div, .divby]), inner, factor())
        case 4: return .binary(.sub, instant(place), instant(place))
        default: return .unary(.negate, inner)
        }
    }

    private mutating func factor() -> Tree {
        random.chance(50)
            ? .literal(.integer(random.pick([3, -2, 1])), .int32)
            : .literal(
                DecimalNumber(random.pick(["0.5", "2.5", "-0.25"])).map(Scalar.decimal) ?? .null,
                .decimal)
    }
}
