import ODataModel
import ODataText

/// The fragment of a context URL (Protocol 4.01, section 10; ABNF `contextFragment`). No part of it is percent-decoded
/// here, because the ABNF names no escapes but those inside key values.
extension QueryTextParser {
    mutating func contextFragmentRule() throws {
        if scanner.starts(with: "$ref") {
            scanner.position += 4
            return try expectEnd()
        }
        if scanner.starts(with: "Collection(") {
            scanner.position += 11
            if scanner.starts(with: "$ref") {
                scanner.position += 4
            } else {
                _ = try qualifiedName("the name of a type")
            }
            try scanner.expect(")")
            if scanner.isNext("(") { try contextSelectList() }
            return try expectEnd()
        }
        try contextPath()
        try expectEnd("'/', '(' or the end")
    }

    private mutating func contextPath() throws {
        _ = try qualifiedName("an entity set, a singleton or a type")
        while true {
            if scanner.isNext("(") {
                if startsContextKey {
                    _ = try keyPredicate()
                } else {
                    try contextSelectList()
                }
                continue
            }
            guard scanner.skip("/") else { return }
            if scanner.skip("$") {
                let start = scanner.position
                let name = scanner.take(scanner.identifierLength())
                let known = ["entity", "delta", "deletedEntity", "link", "deletedLink"]
                guard known.contains(name) else {
                    throw scanner.expected("entity, delta, link or their like", at: start)
                }
                return
            }
            _ = try qualifiedName("a property or a type")
        }
    }

    /// True when the parentheses at the cursor hold a literal, or values with names.
    private var startsContextKey: Bool {
        let next = scanner.peek(1)
        return TextScanner.isDigit(next) || next == UInt8(ascii: "'") || next == UInt8(ascii: "-")
            || startsNamedArguments
    }

    /// `(Title,Owner(Name),Loans+(Day))`
    private mutating func contextSelectList() throws {
        try scanner.expect("(")
        if scanner.skip(")") { return }
        repeat {
            try nested { try $0.contextSelectItem() }
        } while scanner.skip(",")
        guard scanner.skip(")") else { throw scanner.expected("',' or ')'") }
    }

    private mutating func contextSelectItem() throws {
        if scanner.skip("*") { return }
        repeat {
            _ = scanner.skip("@")
            _ = try qualifiedName("a property")
            if scanner.starts(with: ".*") {
                scanner.position += 2
                return
            }
        } while scanner.skip("/")
        let isRecursive = scanner.skip("+")
        if scanner.isNext("(") {
            try contextSelectList()
        } else if isRecursive {
            return
        }
    }
}
