import ODataModel
import ODataText

extension URLParser {
    /// Checks `text` against a rule of the OData ABNF (ABNF 4.01, sections 1 to 7), as `odata check-uri` does.
    ///
    /// - Throws: `invalidQuery`, `invalidValue` or `malformedText` where the text does not match, `notImplemented` for a
    ///   rule that is not known here.
    package static func check(
        rule: String, text: String, graph: MetadataGraph? = nil, dialect: Dialect = .v401
    ) throws {
        switch rule {
        case "odataUri":
            try checkAbsolute(text, graph, dialect)
        case "odataRelativeUri":
            // `$query` (section 11.6 of the Protocol) says that the options are in the body.
            let isQuery = text.hasSuffix("/$query")
            _ = try parse(
                isQuery ? String(text.dropLast(7)) : text, graph: graph, dialect: dialect)
        case "resourcePath":
            var parser = try decoded(text, graph, dialect, plusIsSpace: false)
            _ = try parser.resourcePath()
        case "queryOptions", "systemQueryOption", "customQueryOption", "skiptoken":
            _ = try parseOptions(text, of: ResourcePath(), graph: graph, dialect: dialect)
        case "filter", "orderby", "expand", "select", "search", "compute", "orderBy":
            try checkOption(rule, text, graph, dialect)
        default:
            if expressionRules.contains(rule.lowercased()) {
                try checkExpression(rule, text, graph, dialect)
            } else if try !checkOther(rule, text, graph, dialect) {
                try checkValue(rule, text, dialect)
            }
        }
    }

    private static let expressionRules: Set<String> = [
        "commonexpr", "boolcommonexpr", "firstmemberexpr", "propertypathexpr", "isofexpr",
        "notexpr", "primitiveliteral", "stringliteral", "enumliteral", "binaryliteral",
        "geographylinestring", "geographymultipoint", "geographymultipolygon", "geographypoint",
        "geographypolygon", "geometrylinestring", "geometrymultipoint", "geometrymultipolygon",
        "geometrypolygon", "datetimeoffsetliteral", "timeofdayliteral", "decimalliteral",
        "doubleliteral", "singleliteral", "durationliteral", "methodcallexpr",
    ]

    private static func decoded(
        _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect, plusIsSpace: Bool = true
    ) throws -> QueryTextParser {
        let text = try DecodedText(
            decoding: Array(text.utf8)[...], base: 0, plusIsSpace: plusIsSpace)
        return QueryTextParser(text, dialect: dialect, graph: graph, limits: URLLimits())
    }

    private static func checkExpression(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        var parser = try decoded(text, graph, dialect, plusIsSpace: false)
        let expression = try parser.expression()
        try parser.expectEnd("an operator or the end")
        guard rule.hasSuffix("Literal") || rule.hasPrefix("geo") else { return }
        switch expression {
        case .literal, .enumeration: return
        default: throw parser.scanner.expected("a literal", at: 0)
        }
    }

    /// `$name=value` where the option must be the one that the rule names.
    private static func checkOption(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        let name = text.prefix { $0 != "=" }.lowercased()
        let bare = name.hasPrefix("$") ? String(name.dropFirst()) : name
        if !bare.hasSuffix(" "), bare != rule.lowercased() {
            throw ODataError(.invalidQuery, "Expected $\(rule.lowercased()).", at: .offset(0))
        }
        _ = try parseOptions(text, of: ResourcePath(), graph: graph, dialect: dialect)
    }

    /// Tries every split of an absolute URL into service root and relative URL, the shortest root first.
    private static func checkAbsolute(
        _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws {
        let bytes = Array(text.utf8)
        guard text.hasPrefix("http://") || text.hasPrefix("https://"),
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
                _ = try parse(relative, graph: graph, dialect: dialect)
                return
            } catch let error as ODataError {
                failure = error
                if case .offset(let offset)? = error.location {
                    failure.location = .offset(offset + slash + 1)
                }
            }
        }
        throw failure
    }

    private static let valueRules: [String: PrimitiveType] = [
        "booleanValue": .boolean, "boolean": .boolean, "date": .date, "dateValue": .date,
        "dateTimeOffsetValue": .dateTimeOffset, "durationValue": .duration,
        "decimalValue": .decimal, "doubleValue": .double, "singleValue": .single,
        "byteValue": .byte, "sbyteValue": .sbyte, "int16Value": .int16, "int32Value": .int32,
        "int64Value": .int64, "guid": .guid, "guidValue": .guid, "timeOfDayValue": .timeOfDay,
    ]

    private static func checkValue(_ rule: String, _ text: String, _ dialect: Dialect) throws {
        if rule == "dateTimeOffsetValueInUrl" {
            return try checkExpression("dateTimeOffsetLiteral", text, nil, dialect)
        }
        if rule == "odataIdentifier" {
            var parser = try decoded(text, nil, dialect)
            _ = try parser.identifier("a letter or an underscore")
            return try parser.expectEnd()
        }
        guard let type = valueRules[rule] else {
            throw ODataError(.notImplemented, "Expected a rule that is checked here.")
        }
        if type == .boolean, text != "true", text != "false" {
            throw ODataError(.invalidValue, "Expected true or false.", at: .offset(0))
        }
        _ = try Lexical.parse(text, as: type)
    }
}
