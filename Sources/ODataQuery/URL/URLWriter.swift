import ODataModel
import ODataText

/// Writes ``Query`` values as relative URLs (URL Conventions 4.01, sections 2 to 5; V2 URI conventions).
///
/// Literals are built first, then data is percent-encoded as UTF-8, a space always as `%20`; delimiters of the grammar
/// stay readable. What the dialect cannot say is an error, never a silent omission.
package enum URLWriter {
    /// The URL of the query relative to the service root, percent-encoded.
    ///
    /// - Parameter graph: The model; used to tell actions from functions and to write enumerations.
    /// - Parameter inlinesAliases: Writes the values of parameter aliases in their places (URL Conventions 4.01,
    ///   section 5.3), for services that know none.
    /// - Parameter keepsTypes: As ``ExpressionWriter/keepsTypes``, for texts that are read here again.
    /// - Parameter keys: How keys stand in the path.
    /// - Throws: `invalidQuery` for what the dialect has no notation for.
    package static func text(
        _ query: Query, graph: MetadataGraph? = nil, dialect: Dialect, inlinesAliases: Bool = false,
        keepsTypes: Bool = false, keys: KeyStyle = .parentheses
    ) throws -> String {
        let options = try optionsText(
            query, graph: graph, dialect: dialect, inlinesAliases: inlinesAliases,
            keepsTypes: keepsTypes)
        let path = try ResourcePathWriter(
            graph: graph, dialect: dialect, inlined: inlinesAliases ? query.aliases : [:],
            keys: keys
        ).text(query.path)
        return options.isEmpty ? path : "\(path)?\(options)"
    }

    /// The path alone.
    package static func pathText(
        _ path: ResourcePath, graph: MetadataGraph? = nil, dialect: Dialect,
        keys: KeyStyle = .parentheses
    ) throws -> String {
        try ResourcePathWriter(graph: graph, dialect: dialect, keys: keys).text(path)
    }

    /// Steps of `$apply` for people: V4.01, not percent-encoded.
    package static func plainText(of steps: [Transformation]) throws -> String {
        var writer = ExpressionWriter(graph: nil, dialect: .v401, encoding: nil)
        try writer.write(apply: steps)
        return writer.output
    }

    /// A term of `aggregate` for people: V4.01, not percent-encoded.
    package static func plainText(of term: AggregateTerm) throws -> String {
        var writer = ExpressionWriter(graph: nil, dialect: .v401, encoding: nil)
        try writer.write(aggregate: term)
        return writer.output
    }

    /// The options behind `?`, without it; empty when there are none.
    package static func optionsText(
        _ query: Query, graph: MetadataGraph? = nil, dialect: Dialect, inlinesAliases: Bool = false,
        keepsTypes: Bool = false
    ) throws -> String {
        let inlined = inlinesAliases ? query.aliases : nil
        var parts = try ResourcePathWriter(graph: graph, dialect: dialect, inlined: inlined ?? [:])
            .importArguments(query.path)
        let writer = OptionsWriter(
            graph: graph, dialect: dialect, inlined: inlined, keepsTypes: keepsTypes)
        parts +=
            try dialect.hasExpandOptions
            ? writer.shared(NestedOptions(query)) : writer.sharedAsPaths(query)
        if let token = query.skipToken {
            parts.append("$skiptoken=\(PercentCoding.encode(token, for: .query))")
        }
        if let token = query.deltaToken {
            let name = dialect.usesTypedLiterals ? "!deltatoken" : "$deltatoken"
            parts.append("\(name)=\(PercentCoding.encode(token, for: .query))")
        }
        if let format = query.format {
            parts.append("$format=\(PercentCoding.encode(format, for: .query))")
        }
        for option in query.customOptions {
            let name = PercentCoding.encode(option.name, for: .query)
            parts.append("\(name)=\(PercentCoding.encode(option.value, for: .query))")
        }
        if inlined == nil { parts += try writer.aliases(query.aliases) }
        return parts.joined(separator: "&")
    }

    /// One expression as text that is not percent-encoded, for messages and logs.
    package static func expressionText(
        _ expression: Expression, graph: MetadataGraph? = nil, dialect: Dialect
    ) throws -> String {
        var writer = ExpressionWriter(graph: graph, dialect: dialect, encoding: nil)
        try writer.write(expression)
        return writer.output
    }
}

extension NestedOptions {
    /// The options that a whole query shares with expand items.
    package init(_ query: Query) {
        self.init()
        filter = query.filter
        orderBy = query.orderBy
        skip = query.skip
        top = query.top
        select = query.select
        selectsAll = query.selectsAll
        expand = query.expand
        includesCount = query.includesCount
        search = query.search
        compute = query.compute
        apply = query.apply
        period = query.period
    }
}
