import ODataModel
import ODataText

/// Resource paths (URL Conventions 4.01, section 4; V2 URI conventions, section 3).
extension QueryTextParser {
    mutating func resourcePath() throws -> ResourcePath {
        isInPath = true
        defer { isInPath = false }
        var segments: [ResourcePath.Segment] = []
        guard !scanner.isAtEnd else { return ResourcePath() }
        var isLast = try firstSegment(&segments)
        while !scanner.isAtEnd {
            guard !isLast else { throw scanner.expected("the end of the path") }
            guard scanner.isNext("/"), !scanner.text.wasEncoded(scanner.position) else {
                throw scanner.expected("'/', '(' or the end of the path")
            }
            scanner.position += 1
            guard segments.count < limits.maximumDepth else {
                throw scanner.expected("at most \(limits.maximumDepth) path segments")
            }
            isLast = try nextSegment(&segments)
        }
        return ResourcePath(segments)
    }

    /// True when nothing may follow.
    private mutating func firstSegment(_ segments: inout [ResourcePath.Segment]) throws -> Bool {
        if scanner.isNext("$") { return try systemRoot(&segments) }
        let name = try firstName()
        guard scanner.isNext("(") else {
            segments.append(.entitySet(name))
            return false
        }
        let isSet = graph?.entitySet(named: name) != nil
        if isEmptyCall {
            _ = try list { try $0.identifier() }
            let stands = isSet && graph?.operationImport(named: name) == nil
            segments.append(stands ? .entitySet(name) : .operation(name, []))
        } else if !isSet, startsNamedArguments, graph?.operationImport(named: name) != nil {
            segments.append(.operation(name, try namedArguments()))
        } else {
            let key = try keyPredicate()
            if graph == nil, scanner.isNext("("), let arguments = key.asArguments {
                // Without a model a second predicate tells that the first one was the arguments of a function.
                segments.append(.operation(name, arguments))
                segments.append(.key(try keyPredicate()))
            } else {
                segments.append(.entitySet(name))
                segments.append(.key(key))
            }
            return false
        }
        if scanner.isNext("(") { segments.append(.key(try keyPredicate())) }
        return false
    }

    /// The name of a set, singleton or operation; a set that V2 addresses with its container gets its own name.
    private mutating func firstName() throws -> String {
        let length = qualifiedNameLength()
        if dialect.usesTypedLiterals, let graph, length > scanner.identifierLength() {
            let start = scanner.position
            if let set = graph.entitySet(named: scanner.take(length)) { return graph[set].name }
            scanner.position = start
        }
        return try identifier("an entity set, singleton or operation")
    }

    private mutating func systemRoot(_ segments: inout [ResourcePath.Segment]) throws -> Bool {
        let start = scanner.position
        scanner.position += 1
        switch folded(scanner.take(scanner.identifierLength())) {
        case "metadata": segments.append(.metadata)
        case "batch": segments.append(.batch)
        case "all":
            segments.append(.all)
            return false
        case "entity":
            segments.append(.entity)
            return false
        case "crossjoin":
            let names = try list { try $0.identifier("an entity set") }
            guard !names.isEmpty else { throw scanner.expected("an entity set") }
            segments.append(.crossjoin(names))
            return false
        default:
            throw scanner.expected("$metadata, $batch, $all, $entity or $crossjoin", at: start)
        }
        return true
    }

    private mutating func nextSegment(_ segments: inout [ResourcePath.Segment]) throws -> Bool {
        if scanner.isNext("$") { return try systemSegment(&segments) }
        if segments.last == .links {
            segments.append(.property(try identifier("a navigation property")))
            if scanner.isNext("(") { segments.append(.key(try keyPredicate())) }
            return true
        }
        let length = qualifiedNameLength()
        guard length > 0, endsSegment(length) else {
            segments.append(.key([try keySegment()]))
            return false
        }
        let name = scanner.take(length)
        if scanner.isNext("(") {
            try nested { try $0.parenthesized(name, &segments) }
            return false
        }
        let isOperation = isOperationName(name)
        if isOperation {
            segments.append(.operation(name, []))
        } else {
            segments.append(name.contains(".") ? .typeCast(name) : .property(name))
        }
        return false
    }

    private func endsSegment(_ length: Int) -> Bool {
        let end = scanner.position + length
        guard end < scanner.text.bytes.count, scanner.peek(length) != UInt8(ascii: "(") else {
            return true
        }
        return scanner.peek(length) == UInt8(ascii: "/") && !scanner.text.wasEncoded(end)
    }

    /// A key written as a segment (section 4.3.6, 4.01): text up to the next bare slash.
    private mutating func keySegment() throws -> KeyValue {
        let start = scanner.position
        guard dialect.ignoresKeywordCase else { throw scanner.expected("a path segment") }
        while !scanner.isAtEnd,
            !scanner.isNext("/") || scanner.text.wasEncoded(scanner.position)
        {
            let byte = scanner.peek()
            guard byte != UInt8(ascii: "(") || scanner.text.wasEncoded(scanner.position) else {
                throw scanner.expected("a path segment")
            }
            scanner.position += 1
        }
        guard scanner.position > start else { throw scanner.expected("a path segment") }
        let text = scanner.substring(start, scanner.position)
        return KeyValue(name: nil, value: .literal(.string(text), nil), isSegment: true)
    }

    /// `name(…)`: an operation with arguments, a cast or property with a key.
    private mutating func parenthesized(
        _ name: String, _ segments: inout [ResourcePath.Segment]
    ) throws {
        let isType = graph?.structure(named: name) != nil
        if isEmptyCall {
            _ = try list { try $0.identifier() }
            segments.append(.operation(name, []))
        } else if startsNamedArguments, !isType,
            name.contains(".") || isOperationName(name)
        {
            segments.append(.operation(name, try namedArguments()))
        } else {
            segments.append(name.contains(".") ? .typeCast(name) : .property(name))
        }
        if scanner.isNext("(") { segments.append(.key(try keyPredicate())) }
    }

    private func isOperationName(_ name: String) -> Bool {
        guard let graph, graph.structure(named: name) == nil else { return false }
        let isProperty =
            !name.contains(".")
            && graph.structures.contains { $0.slot(named: name) != nil }
        return !isProperty && graph.operations(named: name).contains(where: \.isBound)
    }

    private mutating func systemSegment(_ segments: inout [ResourcePath.Segment]) throws -> Bool {
        let start = scanner.position
        scanner.position += 1
        switch folded(scanner.take(scanner.identifierLength())) {
        case "count":
            if segments.last == .ref { throw scanner.expected("the end of the path", at: start) }
            segments.append(.count)
            return true
        case "value":
            segments.append(.value)
            return true
        case "ref":
            segments.append(.ref)
            if scanner.isNext("(") { segments.append(.key(try keyPredicate())) }
            return true
        case "links" where dialect.usesTypedLiterals:
            segments.append(.links)
            return false
        case "each":
            segments.append(.each)
            return false
        case "filter":
            try scanner.expect("(")
            isInPath = false
            defer { isInPath = true }
            let filter = try expression()
            scanner.skipSpaces()
            try scanner.expect(")")
            segments.append(.filter(filter))
            if scanner.isNext("(") { segments.append(.key(try keyPredicate())) }
            return false
        default:
            throw scanner.expected("a path segment", at: start)
        }
    }
}

extension [KeyValue] {
    /// The same values as arguments; nil where one has no name.
    fileprivate var asArguments: [NamedArgument]? {
        let named = compactMap { value in
            value.name.map { NamedArgument(name: $0, value: value.value) }
        }
        return named.count == count ? named : nil
    }
}
