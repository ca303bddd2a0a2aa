import ODataModel
import ODataQuery

/// Canonical functions of a value that the service computes (URL Conventions 4.01, sections 5.1.1.5 to 5.1.1.11).
extension QueryValue {
    private func called(_ function: Function, _ others: Expression...) -> QueryValue {
        QueryExpression(.call(function, [queryExpression] + others))
    }

    private func condition(_ function: Function, _ other: Expression) -> QueryFilter {
        QueryFilter(.call(function, [queryExpression, other]))
    }

    /// The smallest integer not below the number (section 5.1.1.9.1).
    public final func ceiling() -> QueryValue { called(.ceiling) }

    /// The largest integer not above the number (section 5.1.1.9.2).
    public final func floor() -> QueryValue { called(.floor) }

    /// The nearest integer, halves away from zero (section 5.1.1.9.3).
    public final func round() -> QueryValue { called(.round) }

    /// The text in lower case (section 5.1.1.7.2).
    public final func toLower() -> QueryValue { called(.toLower) }

    /// The text in upper case (section 5.1.1.7.3).
    public final func toUpper() -> QueryValue { called(.toUpper) }

    /// The text without white space around it (section 5.1.1.7.4).
    public final func trim() -> QueryValue { called(.trim) }

    /// The year (section 5.1.1.8.14).
    public final func year() -> QueryValue { called(.year) }

    /// The month, 1 to 12 (section 5.1.1.8.8).
    public final func month() -> QueryValue { called(.month) }

    /// The day of the month (section 5.1.1.8.2).
    public final func day() -> QueryValue { called(.day) }

    /// The hour (section 5.1.1.8.4).
    public final func hour() -> QueryValue { called(.hour) }

    /// The minute (section 5.1.1.8.7).
    public final func minute() -> QueryValue { called(.minute) }

    /// The second, without its fraction (section 5.1.1.8.10).
    public final func second() -> QueryValue { called(.second) }

    /// The fraction of the second (section 5.1.1.8.3).
    public final func fractionalSeconds() -> QueryValue { called(.fractionalSeconds) }

    /// The date (section 5.1.1.8.1).
    public final func date() -> QueryValue { called(.date) }

    /// The time of day (section 5.1.1.8.11).
    public final func time() -> QueryValue { called(.time) }

    /// The offset from UTC in minutes (section 5.1.1.8.12).
    public final func totalOffsetMinutes() -> QueryValue { called(.totalOffsetMinutes) }

    /// How many characters the text, or members the collection, has (section 5.1.1.5.5).
    public final func length() -> QueryValue { called(.length) }

    /// The length of the line (section 5.1.1.11.3).
    public final func geoLength() -> QueryValue { called(.geoLength) }

    /// The distance to another shape (section 5.1.1.11.1).
    public final func geoDistance(_ other: DataValue) -> QueryValue {
        called(.geoDistance, other.queryExpression)
    }

    /// Holds where the shapes meet (section 5.1.1.11.2).
    public final func geoIntersects(_ other: DataValue) -> QueryFilter {
        condition(.geoIntersects, other.queryExpression)
    }

    /// The part of the text from `start` on, at most `length` characters of it (section 5.1.1.5.7).
    public final func substring(_ start: Int, _ length: Int? = nil) -> QueryValue {
        let first = Expression.literal(.integer(Int64(start)), nil)
        guard let length else { return called(.substring, first) }
        return called(.substring, first, .literal(.integer(Int64(length)), nil))
    }

    /// The value as one of another type (section 5.1.1.10.1).
    public final func asType(_ type: DataType) -> QueryValue {
        QueryExpression(.cast(queryExpression, type: type.queryName))
    }

    /// Holds where the value has the type (section 5.1.1.10.2).
    public final func isType(_ type: DataType) -> QueryFilter {
        QueryFilter(.isOf(queryExpression, type: type.queryName))
    }

    /// Holds where all flags of `flag` are set (section 5.1.1.1.10).
    public final func has(_ flag: DataValue) -> QueryFilter {
        compared(.has, flag.queryExpression)
    }

    /// Holds where a member of the collection, called `lambda` in `match`, meets it (section 5.1.1.13.1).
    public final func any(_ lambda: DataPath, _ match: QueryFilter) -> QueryFilter {
        quantified(.any, lambda, match)
    }

    /// Holds where the collection has members.
    public final func any() -> QueryFilter {
        QueryFilter(.lambda(.any, quantifiedPath, variable: "", predicate: nil))
    }

    /// Holds where every member of the collection, called `lambda` in `match`, meets it (section 5.1.1.13.2).
    public final func all(_ lambda: DataPath, _ match: QueryFilter) -> QueryFilter {
        quantified(.all, lambda, match)
    }

    /// Holds where the value is one of these (section 5.1.1.1.11).
    public final func isIn(_ values: DataValue...) -> QueryFilter {
        QueryFilter(.isIn(queryExpression, values.map(\.queryExpression)))
    }

    /// Holds where the value is one of these (section 5.1.1.1.11).
    public final func isIn(_ values: ListBase) -> QueryFilter {
        QueryFilter(
            .isIn(queryExpression, values.dataValues().map { DataValue.queryExpression($0) }))
    }

    /// Holds where the text matches the regular expression (section 5.1.1.7.1).
    public final func matchesPattern(_ pattern: String) -> QueryFilter {
        condition(.matchesPattern, .literal(.string(pattern), .string))
    }

    /// How many members the collection has (section 5.1.1.15).
    public final func count() -> QueryValue { QueryExpression(.count(quantifiedPath, filter: nil)) }

    /// How many members of the collection meet the condition (section 5.1.1.15).
    public final func count(_ match: QueryFilter) -> QueryValue {
        QueryExpression(.count(quantifiedPath, filter: match.expression))
    }

    private var quantifiedPath: ExpressionPath {
        if case .path(let path) = queryExpression { path } else { ExpressionPath([]) }
    }

    private func quantified(
        _ symbol: LambdaOperator, _ lambda: DataPath, _ match: QueryFilter
    ) -> QueryFilter {
        QueryFilter(
            .lambda(
                symbol, quantifiedPath, variable: lambda.lambdaVariable ?? "x",
                predicate: match.expression))
    }

    /// The query value that stands for a value: itself, or the value as a literal.
    public static func wrap(_ value: DataValue) -> QueryValue {
        (value as? QueryValue) ?? QueryExpression(value.queryExpression)
    }

    /// The value as a tree of calls whose leaves are paths and values.
    public final func unwrap() -> DataValue {
        guard let value = self as? QueryExpression else { return self }
        return QueryCall.tree(value.expression)
    }

    /// The text with another behind it (section 5.1.1.5.1).
    public final func concat(_ other: DataValue) -> QueryValue {
        called(.concat, other.queryExpression)
    }

    /// The text with another behind it.
    public final func concat(_ other: String) -> QueryValue {
        called(.concat, .literal(.string(other), .string))
    }

    /// Where the part begins in the text; -1 where it is not (section 5.1.1.5.4).
    public final func indexOf(_ other: DataValue) -> QueryValue {
        called(.indexOf, other.queryExpression)
    }

    /// Where the part begins in the text; -1 where it is not.
    public final func indexOf(_ other: String) -> QueryValue {
        called(.indexOf, .literal(.string(other), .string))
    }

    /// Holds where the part is in the text (section 5.1.1.5.2).
    public final func contains(_ other: DataValue) -> QueryFilter {
        condition(.contains, other.queryExpression)
    }

    /// Holds where the part is in the text.
    public final func contains(_ other: String) -> QueryFilter {
        condition(.contains, .literal(.string(other), .string))
    }

    /// Holds where the text begins with the part (section 5.1.1.5.6).
    public final func startsWith(_ other: DataValue) -> QueryFilter {
        condition(.startsWith, other.queryExpression)
    }

    /// Holds where the text begins with the part.
    public final func startsWith(_ other: String) -> QueryFilter {
        condition(.startsWith, .literal(.string(other), .string))
    }

    /// Holds where the text ends with the part (section 5.1.1.5.3).
    public final func endsWith(_ other: DataValue) -> QueryFilter {
        condition(.endsWith, other.queryExpression)
    }

    /// Holds where the text ends with the part.
    public final func endsWith(_ other: String) -> QueryFilter {
        condition(.endsWith, .literal(.string(other), .string))
    }
}

extension DataType {
    /// The name as `cast` and `isof` write it.
    package final var queryName: String {
        if let structure = self as? StructureType { return structure.qualifiedName }
        if let enumeration = self as? EnumType { return enumeration.qualifiedName }
        let primitive = PrimitiveType.allCases.first { BasicType.of($0).code == code }
        return primitive.map { "Edm.\($0.name)" } ?? name
    }
}
