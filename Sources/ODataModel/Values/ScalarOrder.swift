/// A scalar with numbers of all classes on one exact scale; kinds that do not compare are ordered by kind.
package struct ComparableScalar: Hashable, Comparable, Sendable {
    let scalar: Scalar

    package init(_ scalar: Scalar) {
        self.scalar = scalar
    }

    package static func == (left: Self, right: Self) -> Bool {
        // Strings of Swift are equal when they are canonically equivalent; text of OData is when its characters are.
        if case (.string(let a), .string(let b)) = (left.scalar, right.scalar) {
            return a.utf8.elementsEqual(b.utf8)
        }
        return left.scalar == right.scalar || (!(left < right) && !(right < left))
    }

    package func hash(into hasher: inout Hasher) {
        switch scalar {
        case .integer(let value): hasher.combine(DecimalNumber(value))
        case .double(let value):
            if let decimal = DecimalNumber(exactly: value) {
                hasher.combine(decimal)
            } else {
                hasher.combine(value.isNaN ? Double.infinity : value)
            }
        case .decimal(let value): hasher.combine(value)
        default: hasher.combine(scalar)
        }
    }

    package static func < (left: Self, right: Self) -> Bool {
        switch (left.scalar, right.scalar) {
        case (.boolean(let a), .boolean(let b)): return !a && b
        case (.integer(let a), .integer(let b)): return a < b
        case (.double(let a), .double(let b)) where !a.isNaN && !b.isNaN: return a < b
        case (.string(let a), .string(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.binary(let a), .binary(let b)): return a.lexicographicallyPrecedes(b)
        case (.guid(let a), .guid(let b)): return a < b
        case (.date(let a), .date(let b)): return a < b
        case (.timeOfDay(let a), .timeOfDay(let b)): return a < b
        case (.dateTimeOffset(let a), .dateTimeOffset(let b)): return a < b
        case (.dateTime(let a), .dateTime(let b)): return a < b
        case (.duration(let a), .duration(let b)): return a < b
        case (.geo(let a), .geo(let b)): return a.wkt < b.wkt
        default: return isOrderedAcrossKinds(left.scalar, right.scalar)
        }
    }

    private static func isOrderedAcrossKinds(_ left: Scalar, _ right: Scalar) -> Bool {
        let (first, second) = (rank(left), rank(right))
        guard first == second, first == numberRank else { return first < second }
        let (a, b) = (extreme(left), extreme(right))
        guard a == 0, b == 0 else { return a < b }
        guard let x = decimal(left), let y = decimal(right) else { return false }
        return x < y
    }

    /// -1 for negative infinity, 1 for positive infinity, 2 for NaN, 0 for the finite.
    private static func extreme(_ scalar: Scalar) -> Int {
        guard case .double(let value) = scalar, !value.isFinite else { return 0 }
        return value.isNaN ? 2 : value < 0 ? -1 : 1
    }

    private static func decimal(_ scalar: Scalar) -> DecimalNumber? {
        switch scalar {
        case .integer(let value): DecimalNumber(value)
        case .double(let value): DecimalNumber(exactly: value)
        case .decimal(let value): value
        default: nil
        }
    }

    private static let numberRank = 2

    private static func rank(_ scalar: Scalar) -> Int {
        switch scalar {
        case .null: 0
        case .boolean: 1
        case .integer, .double, .decimal: numberRank
        case .string: 3
        case .binary: 4
        case .guid: 5
        case .date: 6
        case .timeOfDay: 7
        case .dateTimeOffset: 8
        case .dateTime: 9
        case .duration: 10
        case .geo: 11
        }
    }
}
