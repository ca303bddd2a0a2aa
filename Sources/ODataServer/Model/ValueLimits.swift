import ODataModel
import ODataSQLite
import ODataText

/// Which values a document lets a property have: the facets of its type, and what the Validation vocabulary says of it.
struct ValueLimits: Sendable {
    private struct Bound: Sendable {
        var value: Double
        var isExclusive: Bool
    }

    private let maxLength: Int?
    private let precision: Int?
    private let minimum: Bound?
    private let maximum: Bound?
    private let pattern: TextPattern?
    /// `AllowedValues`: nil where every value is.
    private let allowed: [Scalar]?

    init(_ property: PropertyDefinition) {
        let (facets, annotations) = (property.type.facets, property.annotations)
        maxLength = facets.maxLength == Int.max ? nil : facets.maxLength
        precision = facets.precision
        minimum = Self.bound("Minimum", annotations)
        maximum = Self.bound("Maximum", annotations)
        pattern = Self.pattern(annotations).flatMap { TextPattern($0) }
        allowed = Self.allowed(property)
    }

    /// What of the annotations says nothing about a value, as `expected` and `found`; nil where all of them do.
    static func misfit(in property: PropertyDefinition) -> (expected: String, found: String)? {
        guard let text = pattern(property.annotations), TextPattern(text) == nil else { return nil }
        return ("a regular expression as Validation.Pattern", "another text")
    }

    /// What was expected in place of a value; nil for one that is within the limits.
    ///
    /// - Throws: `limitExceeded` (400) for a text whose comparison with the pattern takes too many steps.
    func expected(insteadOf scalar: Scalar) throws -> String? {
        if let maxLength, let length = Self.length(scalar), length > maxLength {
            return "at most \(maxLength) characters"
        }
        if let precision, case .decimal(let number) = scalar {
            let digits = number.withoutTrailingZeros.description.filter(\.isWholeNumber)
                .drop { $0 == "0" }.count
            if digits > precision { return "at most \(precision) digits" }
        }
        if minimum != nil || maximum != nil, let value = scalar.nearestDouble {
            if let minimum, minimum.isExclusive ? value <= minimum.value : value < minimum.value {
                return "no value below the minimum"
            }
            if let maximum, maximum.isExclusive ? value >= maximum.value : value > maximum.value {
                return "no value above the maximum"
            }
        }
        if let pattern, case .string(let text) = scalar, try !pattern.matches(text) {
            return "a text of the pattern"
        }
        if let allowed, !allowed.contains(scalar) { return "one of the values that are allowed" }
        return nil
    }

    private static func length(_ scalar: Scalar) -> Int? {
        switch scalar {
        case .string(let text): text.unicodeScalars.count
        case .binary(let bytes): bytes.count
        default: nil
        }
    }

    // MARK: Annotations

    private static func bound(_ name: String, _ annotations: [AnnotationDefinition]) -> Bound? {
        guard let annotation = annotations.first(term: Terms.validation + name),
            let value = text(annotation.value).flatMap(Double.init)
        else { return nil }
        return Bound(
            value: value,
            isExclusive: annotation.annotations.flag(Terms.validation + "Exclusive") == true)
    }

    private static func pattern(_ annotations: [AnnotationDefinition]) -> String? {
        guard case .string(let text)? = annotations.first(term: Terms.validation + "Pattern")?.value
        else { return nil }
        return text
    }

    /// A collection of records whose `Value` is one of them.
    private static func allowed(_ property: PropertyDefinition) -> [Scalar]? {
        let annotation = property.annotations.first(term: Terms.validation + "AllowedValues")
        guard case .collection(let items)? = annotation?.value, let type = property.type.primitive
        else { return nil }
        return items.compactMap { item in
            guard case .record(_, let properties) = item else { return nil }
            return text(properties.first(term: "Value")?.value).flatMap {
                Lexical.scalar($0, as: type)
            }
        }
    }

    /// A constant as it is written.
    private static func text(_ value: AnnotationExpression?) -> String? {
        switch value {
        case .integer(let number)?: String(number)
        case .constant(_, let text)?, .string(let text)?: text
        case .boolean(let value)?: String(value)
        default: nil
        }
    }
}

extension Scalar {
    /// Numbers of every type as they compare with bounds; nil for what is no number.
    var nearestDouble: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }
}
