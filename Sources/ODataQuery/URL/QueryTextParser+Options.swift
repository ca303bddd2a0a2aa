import ODataModel
import ODataText

/// The system query options that resources, expand items and select items share (URL Conventions 4.01,
/// section 5.1.2 and following). At the top level an option ends with the text; nested, at `;` or `)`.
extension QueryTextParser {
    /// Reads the value of the option `name` (with `$`, folded) into `options`; false when it is not a shared option.
    mutating func sharedOption(_ name: String, into options: inout NestedOptions) throws -> Bool {
        switch name {
        case "$filter":
            options.filter = try expression()
        case "$orderby":
            options.orderBy = try items { try $0.orderItem() }
        case "$skip":
            options.skip = try count()
        case "$top":
            options.top = try count()
        case "$count":
            options.includesCount = try boolean()
        case "$select":
            for item in try items({ try $0.selectItem() }) {
                if let item { options.select.append(item) } else { options.selectsAll = true }
            }
        case "$expand":
            options.expand = try items { try $0.expandItem() }
        case "$search":
            options.search = try searchExpression()
        case "$compute":
            options.compute = try items { try $0.computeItem() }
        case "$apply":
            options.apply = try transformations()
        case "$levels":
            options.levels = try levels()
        default:
            guard let kind = PeriodTerm.Kind.named(name, dialect) else { return false }
            options.period.append(PeriodTerm(kind, try expression()))
        }
        scanner.skipSpaces()
        return true
    }

    /// `(option;option…)` behind an expand or select item; `allowed` names the options that may stand there.
    mutating func nestedOptions(allowed: Set<String>) throws -> NestedOptions {
        try scanner.expect("(")
        var options = NestedOptions()
        var seen: Set<String> = []
        try nested { parser in
            repeat {
                parser.scanner.skipSpaces()
                let start = parser.scanner.position
                if parser.scanner.skip("@") {
                    let name = try parser.identifier("the name of an alias")
                    try parser.scanner.expect("=")
                    options.aliases[name] = try parser.expression()
                    parser.scanner.skipSpaces()
                    continue
                }
                let name = parser.takeOptionName()
                guard allowed.contains(name), seen.insert(name).inserted else {
                    throw parser.scanner.expected(
                        "one of \(allowed.sorted().joined(separator: ", "))", at: start)
                }
                guard parser.scanner.skip("=") else { throw parser.scanner.expected("'='") }
                guard try parser.sharedOption(name, into: &options) else {
                    throw parser.scanner.expected("a query option", at: start)
                }
            } while parser.scanner.skip(";")
        }
        guard scanner.skip(")") else { throw scanner.expected("';' or ')'") }
        return options
    }

    /// The name of an option with its `$`, folded; empty when none is next.
    private mutating func takeOptionName() -> String {
        let hasDollar = scanner.skip("$")
        guard hasDollar || dialect.ignoresKeywordCase else { return "" }
        return "$" + folded(scanner.take(scanner.identifierLength()))
    }

    private mutating func items<Item>(
        _ item: (inout QueryTextParser) throws -> Item
    ) throws -> [Item] {
        var items: [Item] = []
        repeat {
            scanner.skipSpaces()
            items.append(try item(&self))
            scanner.skipSpaces()
        } while scanner.skip(",")
        return items
    }

    mutating func orderItem() throws -> OrderItem {
        let value = try expression()
        let start = scanner.position
        guard scanner.skipSpaces() else { return OrderItem(value) }
        let length = scanner.identifierLength()
        guard length > 0 else { return OrderItem(value) }
        switch folded(scanner.take(length)) {
        case "asc": return OrderItem(value)
        case "desc": return OrderItem(value, isDescending: true)
        default:
            scanner.position = start
            scanner.skipSpaces()
            throw scanner.expected("asc, desc or an operator")
        }
    }

    /// `expression as Name` (section 5.1.10, 4.01).
    mutating func computeItem() throws -> ComputeItem {
        let value = try expression()
        return ComputeItem(value, alias: try alias())
    }

    mutating func count() throws -> Int {
        let start = scanner.position
        var length = 0
        while TextScanner.isDigit(scanner.peek(length)) { length += 1 }
        guard length > 0 else { throw scanner.expected("a number") }
        guard let value = Int(scanner.take(length)), value < Int.max else {
            throw scanner.expected("a smaller number", at: start)
        }
        return value
    }

    private mutating func boolean() throws -> Bool {
        let start = scanner.position
        switch folded(scanner.take(scanner.identifierLength())) {
        case "true": return true
        case "false": return false
        default: throw scanner.expected("true or false", at: start)
        }
    }

    private mutating func levels() throws -> Int {
        let start = scanner.position
        guard scanner.identifierLength() > 0 else { return try count() }
        guard folded(scanner.take(scanner.identifierLength())) == "max" else {
            throw scanner.expected("a number or max", at: start)
        }
        return Int.max
    }
}

extension PeriodTerm.Kind {
    /// The option with this name, folded or not.
    static func named(_ name: String, _ dialect: Dialect) -> Self? {
        allCases.first {
            $0.rawValue == name || dialect.ignoresKeywordCase && $0.rawValue.lowercased() == name
        }
    }
}
