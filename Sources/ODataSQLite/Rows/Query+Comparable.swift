import ODataModel
import ODataQuery

/// Whether equal queries are the same query.
///
/// Texts are equal by Unicode's rules (`é` in one spelling and the other), and a database compares bytes; a NaN equals
/// nothing, itself included, and zero equals its negative. What holds such a literal must not stand for another query.
extension Query {
    /// True where a query that equals this one reads the same rows. What is rarely asked twice is not looked into.
    var isExactlyComparable: Bool {
        search == nil && apply.isEmpty && period.isEmpty
            && path.segments.allSatisfy(\.isExactlyComparable)
            && filter?.isExactlyComparable ?? true && orderBy.areExactlyComparable
            && compute.areExactlyComparable && expand.allSatisfy(\.options.isExactlyComparable)
            && aliases.values.allSatisfy(\.isExactlyComparable)
    }
}

extension NestedOptions {
    fileprivate var isExactlyComparable: Bool {
        search == nil && apply.isEmpty && filter?.isExactlyComparable ?? true
            && orderBy.areExactlyComparable && compute.areExactlyComparable
            && expand.allSatisfy(\.options.isExactlyComparable)
    }
}

extension [OrderItem] {
    fileprivate var areExactlyComparable: Bool { allSatisfy(\.expression.isExactlyComparable) }
}

extension [ComputeItem] {
    fileprivate var areExactlyComparable: Bool { allSatisfy(\.expression.isExactlyComparable) }
}

extension ResourcePath.Segment {
    fileprivate var isExactlyComparable: Bool {
        switch self {
        case .key(let parts): parts.allSatisfy(\.value.isExactlyComparable)
        case .filter(let test): test.isExactlyComparable
        case .operation(_, let arguments): arguments.isEmpty
        default: true
        }
    }
}

extension Expression {
    fileprivate var isExactlyComparable: Bool {
        switch self {
        case .literal(let value, _): value.isExactlyComparable
        case .path, .alias: true
        case .enumeration(_, let text), .json(let text): text.utf8.allSatisfy { $0 < 0x80 }
        case .unary(_, let inner): inner.isExactlyComparable
        case .binary(.eq, let left, let right), .binary(.ne, let left, let right),
            .binary(.gt, let left, let right), .binary(.ge, let left, let right),
            .binary(.lt, let left, let right), .binary(.le, let left, let right):
            // Instants are compared whatever their offsets; elsewhere an offset counts.
            (left.isInstant || left.isExactlyComparable)
                && (right.isInstant || right.isExactlyComparable)
        case .binary(_, let left, let right):
            left.isExactlyComparable && right.isExactlyComparable
        case .isIn(let left, let list):
            left.isExactlyComparable && list.allSatisfy(\.isExactlyComparable)
        case .call(_, let arguments), .custom(_, let arguments):
            arguments.allSatisfy(\.isExactlyComparable)
        case .cast(let inner, _), .isOf(let inner, _): inner?.isExactlyComparable ?? true
        case .lambda(_, _, _, let test), .count(_, let test): test?.isExactlyComparable ?? true
        case .aggregate: false
        }
    }
}

extension Expression {
    fileprivate var isInstant: Bool {
        if case .literal(.dateTimeOffset, _) = self { true } else { false }
    }
}

extension Scalar {
    fileprivate var isExactlyComparable: Bool {
        switch self {
        case .string(let text): text.utf8.allSatisfy { $0 < 0x80 }
        case .double(let number): !number.isNaN && number != 0
        case .dateTimeOffset, .geo: false
        default: true
        }
    }
}
