import ODataModel
import ODataText

/// Bounds on what a URL may ask the parser to build.
package struct URLLimits: Sendable, Hashable {
    /// Bytes of the whole text.
    package var maximumLength = 1 << 20
    /// Parentheses, nested options and nested calls.
    package var maximumDepth = 64
    /// Operators of equal rank in a row, other than `and` and `or`, which have no bound of their own.
    package var maximumChain = 32
    /// Steps of `$apply` in a row.
    package var maximumTransformations = 64
    /// False where only the form of literals counts, not whether their type has such a value (a day that no month has).
    package var readsValues = true

    package init() {}
}

/// The recursive-descent parser behind ``URLParser``: one cursor, one grammar, extended file by file
/// (expressions, literals, paths, options).
struct QueryTextParser {
    var scanner: TextScanner
    let dialect: Dialect
    let graph: MetadataGraph?
    let limits: URLLimits
    /// Lambda variables in scope, innermost last.
    var variables: [String] = []
    var depth = 0
    /// True in the path part, where an unencoded `/` never belongs to a value.
    var isInPath = false
    /// True in front of ` with`, where a type alone is an operand too.
    var isAggregated = false
    /// True in conditions of JSON batches, where `$id` stands for an earlier answer.
    var namesAnswers = false

    init(_ text: DecodedText, dialect: Dialect, graph: MetadataGraph?, limits: URLLimits) {
        scanner = TextScanner(text)
        self.dialect = dialect
        self.graph = graph
        self.limits = limits
    }

    /// Runs `body` one level deeper.
    ///
    /// - Throws: `limitExceeded` below the deepest level.
    mutating func nested<Result>(
        _ body: (inout QueryTextParser) throws -> Result
    ) throws -> Result {
        guard depth < limits.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(limits.maximumDepth) nested levels.",
                at: .offset(scanner.text.sourceOffset(scanner.position)))
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// What the language allows and nothing here carries out.
    func notCarriedOut(_ message: String, at place: Int? = nil) -> ODataError {
        ODataError(
            .notImplemented, message,
            at: .offset(scanner.text.sourceOffset(place ?? scanner.position)))
    }

    /// - Throws: `invalidQuery` unless the whole text was read.
    func expectEnd(_ alternative: String = "the end") throws {
        guard scanner.isAtEnd else { throw scanner.expected(alternative) }
    }

    /// The items between parentheses, separated by commas; the cursor stands on the opening one.
    mutating func list<Item>(
        _ open: Unicode.Scalar = "(", _ close: Unicode.Scalar = ")",
        _ item: (inout QueryTextParser) throws -> Item
    ) throws -> [Item] {
        try scanner.expect(open)
        scanner.skipSpaces()
        var items: [Item] = []
        if scanner.skip(close) { return items }
        repeat {
            scanner.skipSpaces()
            items.append(try nested(item))
            scanner.skipSpaces()
        } while scanner.skip(",")
        guard scanner.skip(close) else { throw scanner.expected("',' or '\(close)'") }
        return items
    }

    /// An identifier, or identifiers joined by dots.
    ///
    /// - Throws: `invalidQuery` when no identifier is next.
    mutating func qualifiedName(_ what: String = "a name") throws -> String {
        let length = qualifiedNameLength()
        guard length > 0 else { throw scanner.expected(what) }
        return scanner.take(length)
    }

    mutating func identifier(_ what: String = "a name") throws -> String {
        let length = scanner.identifierLength()
        guard length > 0, length <= 128 * 4 else { throw scanner.expected(what) }
        return scanner.take(length)
    }

    func qualifiedNameLength() -> Int {
        var length = scanner.identifierLength()
        guard length > 0 else { return 0 }
        while scanner.peek(length) == UInt8(ascii: ".") {
            let part = scanner.identifierLength(from: length + 1)
            guard part > 0 else { break }
            length += part + 1
        }
        return length
    }

    /// A word folded to lower case where the dialect does not care about case (OData 4.01 Protocol, section 11.2.1).
    func folded(_ word: String) -> String {
        dialect.ignoresKeywordCase ? word.lowercased() : word
    }
}

extension Dialect {
    /// Operators, functions and system query options are recognised in any case, and the `$` of options may be left
    /// out (URL Conventions 4.01, section 5.1).
    var ignoresKeywordCase: Bool { version >= .v401 }
}

extension MetadataGraph {
    /// The operations with this qualified or, failing that, unqualified name.
    package func operations(named name: String) -> [OperationDefinition] {
        guard name.contains(".") else { return operations.filter { $0.name == name } }
        let full = unaliased(name)
        return operations.filter { $0.qualifiedName == full }
    }

    package func operationImport(named name: String) -> OperationImportDefinition? {
        operationImports.first { $0.name == name }
    }

    /// The Edm, enumeration or structured type with this name, as a reference; nil when there is none.
    package func type(named name: String) -> TypeReference? {
        if name.hasPrefix("Edm.") {
            return PrimitiveType(name: name).map { TypeReference(.primitive($0)) }
        }
        if let id = structure(named: name) { return TypeReference(.structure(id)) }
        if let id = enumeration(named: name) { return TypeReference(.enumeration(id)) }
        let full = unaliased(name)
        return typeDefinitions.first { $0.qualifiedName == full }.map {
            TypeReference(.primitive($0.underlyingType), facets: $0.facets, typeDefinition: full)
        }
    }
}
