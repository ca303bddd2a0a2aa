import ODataModel
import ODataText

/// `$select` and `$expand` (URL Conventions 4.01, sections 5.1.3 and 5.1.4).
extension QueryTextParser {
    static let selectOptions: Set<String> = [
        "$filter", "$orderby", "$skip", "$top", "$count", "$select", "$expand", "$search",
        "$compute",
    ]
    static let expandOptions: Set<String> = selectOptions.union([
        "$levels", "$apply", "$at", "$from", "$to", "$toInclusive", "$toinclusive",
    ])
    static let referenceOptions: Set<String> = [
        "$filter", "$orderby", "$skip", "$top", "$count", "$search",
    ]
    static let countOptions: Set<String> = ["$filter", "$search"]

    /// A path, perhaps with options; nil for `*`.
    mutating func selectItem() throws -> SelectTerm? {
        if scanner.skip("*") { return nil }
        var segments: [ExpressionPath.Segment] = []
        repeat {
            if scanner.skip("@") {
                let name = try qualifiedName("the name of an annotation")
                segments.append(.annotation(name + annotationQualifier()))
                continue
            }
            let name = try qualifiedName("a property")
            if scanner.starts(with: ".*") {
                scanner.position += 2
                segments.append(.typeCast("\(name).*"))
                return SelectTerm(ExpressionPath(segments))
            }
            if startsParameterNames {
                let names = try list { try $0.identifier("the name of a parameter") }
                segments.append(
                    .function(
                        name, names.map { NamedArgument(name: $0, value: .literal(.null, nil)) }))
                break
            }
            segments.append(segment(named: name))
        } while try nextSegment(segments.count)
        guard dialect.hasExpandOptions, scanner.isNext("(") else {
            return SelectTerm(ExpressionPath(segments))
        }
        let options = try nestedOptions(allowed: Self.selectOptions)
        return SelectTerm(ExpressionPath(segments), options: options)
    }

    /// True when the parentheses at the cursor hold names and no `=`, as for an overload of a function.
    private var startsParameterNames: Bool {
        var ahead = scanner
        guard ahead.skip("(") else { return false }
        repeat {
            ahead.skipSpaces()
            let length = ahead.identifierLength()
            guard length > 0 else { return false }
            _ = ahead.take(length)
            ahead.skipSpaces()
        } while ahead.skip(",")
        return ahead.isNext(")")
    }

    private mutating func nextSegment(_ count: Int) throws -> Bool {
        guard scanner.skip("/") else { return false }
        guard count < limits.maximumDepth else {
            throw scanner.expected("at most \(limits.maximumDepth) path segments")
        }
        return true
    }

    /// A path to a navigation property or `*`, perhaps `/$ref` or `/$count`, perhaps with options.
    mutating func expandItem() throws -> ExpandTerm {
        var item = ExpandTerm(ExpressionPath([]))
        repeat {
            if scanner.skip("*") {
                item.isStar = true
                if scanner.skip("/") { item.kind = try expandKind(isStar: true) }
                break
            }
            if item.path.segments.isEmpty, scanner.isNext("$"),
                folded(scanner.substring(scanner.position + 1, scanner.text.bytes.count))
                    .hasPrefix("value")
            {
                throw notCarriedOut("The content of media entities is not expanded.")
            }
            if scanner.isNext("$"), !item.path.segments.isEmpty {
                item.kind = try expandKind(isStar: false)
                break
            }
            if scanner.skip("@") {
                let name = try qualifiedName("the name of an annotation")
                item.path.segments.append(.annotation(name + annotationQualifier()))
                continue
            }
            let name = try qualifiedName("a navigation property")
            item.path.segments.append(segment(named: name))
        } while try nextSegment(item.path.segments.count)
        guard dialect.hasExpandOptions, scanner.isNext("(") else { return item }
        item.options = try nestedOptions(allowed: allowedOptions(item))
        return item
    }

    private mutating func expandKind(isStar: Bool) throws -> ExpandTerm.Kind {
        let start = scanner.position
        guard scanner.skip("$") else { throw scanner.expected("$ref") }
        switch folded(scanner.take(scanner.identifierLength())) {
        case "ref": return .references
        case "count" where !isStar: return .count
        default: throw scanner.expected("$ref or $count", at: start)
        }
    }

    private func allowedOptions(_ item: ExpandTerm) -> Set<String> {
        if item.isStar { return ["$levels"] }
        switch item.kind {
        case .entities: return Self.expandOptions
        case .references: return Self.referenceOptions
        case .count: return Self.countOptions
        }
    }
}
