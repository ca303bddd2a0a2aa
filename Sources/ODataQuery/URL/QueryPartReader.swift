import ODataModel
import ODataText

/// Reads the options behind `?` one by one (URL Conventions 4.01, section 5; V2 URI conventions, section 4).
struct QueryPartReader {
    let dialect: Dialect
    let graph: MetadataGraph?
    let limits: URLLimits
    private var shared = NestedOptions()
    private var seen: Set<String> = []
    private var format: String?
    private var skipToken: String?
    private var deltaToken: String?
    private var aliases: [String: Expression] = [:]
    private var custom: [CustomOption] = []

    init(dialect: Dialect, graph: MetadataGraph?, limits: URLLimits) {
        self.dialect = dialect
        self.graph = graph
        self.limits = limits
    }

    mutating func read(_ bytes: ArraySlice<UInt8>, base: Int) throws {
        var start = bytes.startIndex
        while start <= bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            if end > start {
                try option(bytes[start..<end], base: base + start - bytes.startIndex)
            }
            start = end + 1
        }
    }

    private mutating func option(_ bytes: ArraySlice<UInt8>, base: Int) throws {
        let equals = bytes.firstIndex(of: UInt8(ascii: "="))
        let nameText = try DecodedText(
            decoding: bytes[..<(equals ?? bytes.endIndex)], base: base, plusIsSpace: true)
        let name = String(decoding: nameText.bytes, as: UTF8.self)
        let valueStart = equals.map { $0 + 1 } ?? bytes.endIndex
        let value = try DecodedText(
            decoding: bytes[valueStart...], base: base + valueStart - bytes.startIndex,
            plusIsSpace: true)
        if let system = systemName(name) {
            try systemOption(system, nameText, value, hasValue: equals != nil)
        } else if name.hasPrefix("@"), name.utf8.count > 1 {
            try alias(nameText, value)
        } else {
            let text = String(decoding: value.bytes, as: UTF8.self)
            if name == "!deltatoken", dialect.usesTypedLiterals {
                deltaToken = text
            } else {
                custom.append(CustomOption(name: name, value: text))
            }
        }
    }

    private mutating func alias(_ name: DecodedText, _ value: DecodedText) throws {
        var nameParser = parser(name)
        _ = nameParser.scanner.skip("@")
        let alias = try nameParser.qualifiedName("the name of an alias")
        try nameParser.expectEnd("the end of the name")
        var valueParser = parser(value)
        let expression = try valueParser.expression()
        valueParser.scanner.skipSpaces()
        try valueParser.expectEnd("an operator or the end of the alias")
        guard aliases.updateValue(expression, forKey: alias) == nil else {
            throw name.error("Expected each alias once.", at: 0)
        }
    }

    /// The name with `$` when it is, or looks like, a system query option; nil for a custom option.
    private func systemName(_ name: String) -> String? {
        guard dialect.ignoresKeywordCase else { return name.hasPrefix("$") ? name : nil }
        let folded = name.lowercased()
        if name.hasPrefix("$") { return folded }
        return Self.systemNames.contains("$" + folded) ? "$" + folded : nil
    }

    private static let systemNames: Set<String> = [
        "$apply", "$compute", "$count", "$deltatoken", "$expand", "$filter", "$format", "$id",
        "$index", "$levels", "$orderby", "$schemaversion", "$search", "$select", "$skip",
        "$skiptoken", "$top", "$at", "$from", "$to", "$toInclusive", "$toinclusive",
    ]

    private mutating func systemOption(
        _ name: String, _ nameText: DecodedText, _ value: DecodedText, hasValue: Bool
    ) throws {
        guard Self.systemNames.contains(name) || name == "$inlinecount" else {
            var nameParser = parser(nameText)
            _ = nameParser.scanner.skip("$")
            let length = nameParser.scanner.identifierLength()
            throw nameParser.scanner.expected(
                "a system query option", at: min(1 + length, nameText.bytes.count))
        }
        guard seen.insert(name).inserted || name == "$format" else {
            throw nameText.error("Expected \(name) once.", at: 0)
        }
        guard hasValue else { throw value.error("Expected '=' and a value, found the end.", at: 0) }
        var parser = parser(value)
        let text = String(decoding: value.bytes, as: UTF8.self)
        switch name {
        case "$format": format = text
        case "$skiptoken": skipToken = text
        case "$deltatoken": deltaToken = text
        case "$id", "$schemaversion": custom.append(CustomOption(name: name, value: text))
        case "$index":
            let isNegative = parser.scanner.skip("-")
            let index = try parser.count()
            try parser.expectEnd()
            custom.append(CustomOption(name: name, value: isNegative ? "-\(index)" : "\(index)"))
        case "$inlinecount":
            guard text == "allpages" || text == "none" else {
                throw value.error("Expected allpages or none.", at: 0)
            }
            shared.includesCount = text == "allpages"
        default:
            parser.scanner.skipSpaces()
            guard name != "$levels", try parser.sharedOption(name, into: &shared) else {
                throw nameText.error("Expected \(name) inside $expand only.", at: 0)
            }
            try parser.expectEnd("an operator, ',' or the end of the option")
        }
    }

    private func parser(_ text: DecodedText) -> QueryTextParser {
        QueryTextParser(text, dialect: dialect, graph: graph, limits: limits)
    }

    /// Puts what was read into `query`.
    func apply(to query: inout Query) {
        query.filter = shared.filter
        query.orderBy = shared.orderBy
        query.skip = shared.skip
        query.top = shared.top
        query.select = shared.select
        query.selectsAll = shared.selectsAll
        query.expand = shared.expand
        query.includesCount = shared.includesCount
        query.search = shared.search
        query.compute = shared.compute
        query.apply = shared.apply
        query.period = shared.period
        query.format = format
        query.skipToken = skipToken
        query.deltaToken = deltaToken
        query.aliases = aliases
        query.customOptions = custom
        if !dialect.hasExpandOptions { PathExpansion.nest(&query) }
    }
}

extension DecodedText {
    func error(_ message: String, at index: Int) -> ODataError {
        ODataError(.invalidQuery, message, at: .offset(sourceOffset(index)))
    }
}
