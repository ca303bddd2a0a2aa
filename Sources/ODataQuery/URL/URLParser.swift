import ODataModel
import ODataText

/// Reads relative URLs into ``Query`` values (URL Conventions 4.01, sections 2 to 5; V2 URI conventions).
///
/// The query is split at `&` and the first `=`, and the path at `/`, before anything is decoded; each part is decoded
/// once. Errors carry the offset in bytes of the text that was given.
package enum URLParser {
    /// Parses a URL relative to the service root.
    ///
    /// - Parameter graph: The model, where there is one; it decides between keys, casts and operations that look alike.
    /// - Throws: `invalidQuery` or `malformedText` with an offset, `limitExceeded` beyond `limits`.
    package static func parse(
        _ relativeURL: String, graph: MetadataGraph? = nil, dialect: Dialect,
        limits: URLLimits = URLLimits()
    ) throws -> Query {
        let bytes = Array(relativeURL.utf8)
        guard bytes.count <= limits.maximumLength else {
            throw ODataError(
                .limitExceeded, "Expected at most \(limits.maximumLength) bytes of URL.",
                at: .offset(limits.maximumLength))
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        let pathText = try DecodedText(decoding: bytes[..<mark], base: 0, plusIsSpace: false)
        var parser = QueryTextParser(pathText, dialect: dialect, graph: graph, limits: limits)
        var query = Query(path: try parser.resourcePath())
        if mark < end {
            var reader = QueryPartReader(dialect: dialect, graph: graph, limits: limits)
            try reader.read(bytes[(mark + 1)..<end], base: mark + 1)
            reader.apply(to: &query)
        }
        if let graph, dialect.usesTypedLiterals { try takeArguments(&query, graph, dialect) }
        return query
    }

    /// In V2 the arguments of a function import are query options (V2 URI conventions, section 3.3).
    private static func takeArguments(
        _ query: inout Query, _ graph: MetadataGraph, _ dialect: Dialect
    ) throws {
        guard case .entitySet(let name)? = query.path.segments.first,
            graph.entitySet(named: name) == nil,
            let found = graph.operationImport(named: name),
            let operation = graph.operations(named: found.operation).first
        else { return }
        var arguments: [NamedArgument] = []
        for parameter in operation.parameters {
            guard
                let position = query.customOptions.firstIndex(where: { $0.name == parameter.name })
            else { continue }
            let option = query.customOptions.remove(at: position)
            let value = try parseExpression(option.value, graph: graph, dialect: dialect)
            arguments.append(NamedArgument(name: option.name, value: value))
        }
        query.path.segments[0] = .operation(name, arguments)
    }

    /// Parses the part behind `?` for a resource whose path is known.
    package static func parseOptions(
        _ text: String, of path: ResourcePath, graph: MetadataGraph? = nil, dialect: Dialect,
        limits: URLLimits = URLLimits()
    ) throws -> Query {
        var query = Query(path: path)
        var reader = QueryPartReader(dialect: dialect, graph: graph, limits: limits)
        try reader.read(Array(text.utf8)[...], base: 0)
        reader.apply(to: &query)
        return query
    }

    /// Parses one expression that is not percent-encoded.
    package static func parseExpression(
        _ text: String, graph: MetadataGraph? = nil, dialect: Dialect,
        limits: URLLimits = URLLimits()
    ) throws -> Expression {
        var parser = QueryTextParser(
            DecodedText(plain: text), dialect: dialect, graph: graph, limits: limits)
        let expression = try parser.expression()
        parser.scanner.skipSpaces()
        try parser.expectEnd("an operator or the end")
        return expression
    }

    /// Parses a condition of a JSON batch request, in which `$id` stands for the body of an earlier answer and
    /// `$id/$succeeded` for its success (JSON Format 4.01, section 19.1).
    ///
    /// They become the variables `$id` and `$id/$succeeded`.
    package static func parseCondition(
        _ text: String, limits: URLLimits = URLLimits()
    ) throws -> Expression {
        var parser = QueryTextParser(
            DecodedText(plain: text), dialect: .v401, graph: nil, limits: limits)
        parser.namesAnswers = true
        let expression = try parser.expression()
        parser.scanner.skipSpaces()
        try parser.expectEnd("an operator or the end")
        return expression
    }

    /// Parses a search expression that is not percent-encoded.
    package static func parseSearch(
        _ text: String, limits: URLLimits = URLLimits()
    ) throws -> SearchExpression {
        var parser = QueryTextParser(
            DecodedText(plain: text), dialect: .v401, graph: nil, limits: limits)
        let expression = try parser.searchExpression()
        parser.scanner.skipSpaces()
        try parser.expectEnd("a search term or the end")
        return expression
    }

    /// Parses the steps of `$apply`, not percent-encoded.
    package static func parseApply(
        _ text: String, graph: MetadataGraph? = nil, limits: URLLimits = URLLimits()
    ) throws -> [Transformation] {
        var parser = QueryTextParser(
            DecodedText(plain: text), dialect: .v401, graph: graph, limits: limits)
        let steps = try parser.transformations()
        parser.scanner.skipSpaces()
        try parser.expectEnd("'/' or the end")
        return steps
    }
}
