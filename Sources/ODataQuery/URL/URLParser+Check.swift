import ODataModel
import ODataText

extension URLParser {
    /// Reads `text` as one of the parts of a URL that the OData ABNF gives a name, as a request with such a part would
    /// be read; what only a literal's value can tell is not asked.
    ///
    /// - Throws: `invalidQuery`, `invalidValue` or `malformedText` where nothing can be made of the text; `notImplemented`
    ///   for a rule that has no reader of its own, and for what the language allows and nothing here carries out.
    package static func check(
        rule: String, text: String, graph: MetadataGraph? = nil, dialect: Dialect = .v401
    ) throws {
        switch rule {
        case "odataUri":
            try checkAbsolute(text, graph, dialect)
        case "odataRelativeUri":
            _ = try parse(
                withoutQuerySegment(text), graph: graph, dialect: dialect, limits: .form)
        case "resourcePath":
            var parser = try decoded(
                withoutQuerySegment(text), graph, dialect, plusIsSpace: false)
            _ = try parser.resourcePath()
        case "queryOptions", "systemQueryOption", "customQueryOption", "skiptoken":
            _ = try parseOptions(
                text, of: ResourcePath(), graph: graph, dialect: dialect, limits: .form)
        case "filter", "orderby", "expand", "select", "search", "compute":
            try checkOption(rule, text, graph, dialect)
        default:
            if expressionRules.contains(rule) {
                try checkExpression(rule, text, graph, dialect)
            } else if try !checkPart(rule, text, graph, dialect) {
                try checkInteger(rule, text)
            }
        }
    }

    private static let expressionRules: Set<String> = [
        "commonExpr", "boolCommonExpr", "firstMemberExpr", "propertyPathExpr", "isofExpr",
        "castExpr", "notExpr", "primitiveLiteral", "stringLiteral", "enumLiteral", "binaryLiteral",
        "geographyLineString", "geographyMultiPoint", "geographyMultiPolygon", "geographyPoint",
        "geographyPolygon", "geometryLineString", "geometryMultiPoint", "geometryMultiPolygon",
        "geometryPolygon", "dateTimeOffsetLiteral", "timeOfDayLiteral", "decimalLiteral",
        "doubleLiteral", "singleLiteral", "durationLiteral", "methodCallExpr",
    ]

    private static func decoded(
        _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect, plusIsSpace: Bool = true
    ) throws -> QueryTextParser {
        let text = try DecodedText(
            decoding: Array(text.utf8)[...], base: 0, plusIsSpace: plusIsSpace)
        return QueryTextParser(text, dialect: dialect, graph: graph, limits: .form)
    }

    /// `/$query` (URL Conventions 4.01, section 4.17) says that the options are in the body.
    private static func withoutQuerySegment(_ text: String) -> String {
        let end = text.firstIndex(of: "?") ?? text.endIndex
        guard text[..<end].hasSuffix("/$query") else { return text }
        return String(text[..<end].dropLast(7) + text[end...])
    }

    private static func checkExpression(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        var parser = try decoded(text, graph, dialect, plusIsSpace: false)
        let expression = try parser.expression()
        try parser.expectEnd("an operator or the end")
        if rule == "propertyPathExpr", !mayBePath(expression) {
            throw parser.scanner.expected("a path", at: 0)
        }
        guard rule.hasSuffix("Literal") || rule.hasPrefix("geo") else { return }
        guard isLiteral(expression, of: rule) else {
            throw parser.scanner.expected("a literal", at: 0)
        }
    }

    /// False for what no path is, whatever the model says of its names.
    private static func mayBePath(_ expression: Expression) -> Bool {
        switch expression {
        case .unary, .binary, .isIn, .alias, .json: false
        default: true
        }
    }

    /// Whether an expression is what a rule for literals names; 4.01 lets the prefix of durations and enumerations go.
    private static func isLiteral(_ expression: Expression, of rule: String) -> Bool {
        switch (expression, rule) {
        case (.literal(.string(let text), _), "durationLiteral"):
            LiteralForm.admits(text, as: .duration)
        case (.literal(.string(let text), _), "enumLiteral"): LiteralForm.admitsMembers(text)
        case (.literal(_, let type), "durationLiteral"): type == .duration
        case (.literal(_, let type), "timeOfDayLiteral"): type == .timeOfDay
        case (.literal(_, let type), "dateTimeOffsetLiteral"): type == .dateTimeOffset
        case (.literal(_, let type), "binaryLiteral"): type == .binary
        case (.literal(let value, _), "stringLiteral"):
            if case .string = value { true } else { false }
        case (.literal(_, let type), _):
            !rule.hasPrefix("geo") || type?.isGeospatial == true
        case (.enumeration, let rule): rule == "enumLiteral" || rule == "primitiveLiteral"
        default: false
        }
    }

    /// `$name=value` where the option must be the one that the rule names.
    private static func checkOption(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        let name = text.prefix { $0 != "=" }.lowercased()
        let bare = name.hasPrefix("$") ? String(name.dropFirst()) : name
        if !bare.hasSuffix(" "), bare != rule {
            throw ODataError(.invalidQuery, "Expected $\(rule).", at: .offset(0))
        }
        _ = try parseOptions(
            text, of: ResourcePath(), graph: graph, dialect: dialect, limits: .form)
    }

    /// Tries every split of an absolute URL into service root and relative URL, the shortest root first.
    private static func checkAbsolute(
        _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        let bytes = Array(text.utf8)
        let scheme = text.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme == "https://",
            let authority = bytes.firstIndex(of: UInt8(ascii: "/")).map({ $0 + 2 })
        else {
            throw ODataError(.invalidQuery, "Expected http:// or https://.", at: .offset(0))
        }
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let slashes = bytes[authority..<(end ?? bytes.count)].indices.filter {
            bytes[$0] == UInt8(ascii: "/")
        }
        var failure = ODataError(
            .invalidQuery, "Expected a path, found the end.", at: .offset(bytes.count))
        for slash in slashes.prefix(32) {
            let relative = String(decoding: bytes[(slash + 1)...], as: UTF8.self)
            do {
                _ = try parse(
                    withoutQuerySegment(relative), graph: graph, dialect: dialect, limits: .form)
                return
            } catch let error as ODataError {
                // The root was right: the rest was read up to there.
                if error.code == .notImplemented { throw error }
                failure = error
                if case .offset(let offset)? = error.location {
                    failure.location = .offset(offset + slash + 1)
                }
            }
        }
        throw failure
    }

    /// The integers whose bounds stand in the comments of their rules.
    private static let integers: [String: PrimitiveType] = [
        "byte": .byte, "sbyteValue": .sbyte, "int16Value": .int16, "int32Value": .int32,
        "int64Value": .int64,
    ]

    private static func checkInteger(_ rule: String, _ text: String) throws {
        guard let type = integers[rule] else {
            throw ODataError(.notImplemented, "Expected a rule that is read here.")
        }
        do {
            _ = try Lexical.parse(text, as: type)
        } catch var error as ODataError {
            error.location = error.location ?? .offset(0)
            throw error
        }
    }
}

extension URLLimits {
    /// The usual bounds, without the values of literals.
    static let form: URLLimits = {
        var limits = URLLimits()
        limits.readsValues = false
        return limits
    }()
}
