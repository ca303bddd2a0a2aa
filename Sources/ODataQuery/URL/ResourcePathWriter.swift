import ODataModel
import ODataText

/// Resource paths as text (URL Conventions 4.01, section 4; V2 URI conventions, section 3).
struct ResourcePathWriter {
    let graph: MetadataGraph?
    let dialect: Dialect
    /// Values written in the place of parameter aliases, for services that know none.
    var inlined: [String: Expression] = [:]
    var keys = KeyStyle.parentheses

    func text(_ path: ResourcePath) throws -> String {
        var output = ""
        for (index, segment) in path.segments.enumerated() {
            if let values = keySegments(path, index) {
                for value in values { output += "/" + PercentCoding.encode(value, for: .path) }
                continue
            }
            let part = index == 0 ? PercentCoding.Part.firstSegment : .path
            let isKey = if case .key = segment { true } else { false }
            if index == 1, isKey {
                output += try text(segment, part: .firstSegment, isFirst: false)
            } else {
                if index > 0, !isKey { output += "/" }
                output += try text(segment, part: part, isFirst: index == 0)
            }
        }
        return output
    }

    /// The values of a key as segments of their own, in key order; nil where they stand in parentheses, as those of
    /// alternate keys and of aliases do (URL Conventions 4.01, section 4.3.6).
    private func keySegments(_ path: ResourcePath, _ index: Int) -> [String]? {
        guard keys == .segments, case .key(let given) = path.segments[index] else { return nil }
        var values = given
        if given.count > 1 || given.first?.name != nil {
            guard let graph, index == 1, case .entitySet(let name) = path.segments[0],
                let set = graph.entitySet(named: name)
            else { return nil }
            let names = graph[graph[set].type].key.map(\.name)
            values = names.compactMap { name in given.first { $0.name == name } }
            guard values.count == given.count, names.count == given.count else { return nil }
        }
        let texts = values.compactMap { value -> String? in
            switch value.value {
            case .literal(.null, _): nil
            case .literal(.string(let text), _): text.isEmpty ? nil : text
            case .literal(let scalar, _): Lexical.text(scalar)
            case .enumeration(_, let members): members
            default: nil
            }
        }
        return texts.count == values.count ? texts : nil
    }

    /// The arguments of a V2 function import, which are query options (V2 URI conventions, section 3.3).
    func importArguments(_ path: ResourcePath) throws -> [String] {
        guard dialect.usesTypedLiterals, case .operation(_, let arguments)? = path.segments.first
        else { return [] }
        return try arguments.map { argument in
            var writer = expressionWriter(.query)
            try writer.write(argument.value)
            return "\(PercentCoding.encode(argument.name, for: .query))=\(writer.output)"
        }
    }

    private func expressionWriter(_ part: PercentCoding.Part) -> ExpressionWriter {
        ExpressionWriter(graph: graph, dialect: dialect, encoding: part, inlining: inlined)
    }

    private func text(
        _ segment: ResourcePath.Segment, part: PercentCoding.Part, isFirst: Bool
    ) throws -> String {
        switch segment {
        case .entitySet(let name):
            return PercentCoding.encode(graph?.address(ofSetNamed: name) ?? name, for: part)
        case .property(let name), .typeCast(let name):
            return PercentCoding.encode(name, for: part)
        case .key(let values):
            var writer = expressionWriter(part)
            try writer.write(key: values)
            return writer.output
        case .operation(let name, let arguments):
            let encoded = PercentCoding.encode(name, for: part)
            if isFirst && dialect.usesTypedLiterals || isAction(name, isFirst) { return encoded }
            var writer = expressionWriter(part)
            try writer.write(arguments: arguments)
            return encoded + writer.output
        case .filter(let expression):
            var writer = expressionWriter(part)
            try writer.write(expression)
            return "$filter(\(writer.output))"
        case .crossjoin(let names):
            let encoded = names.map { PercentCoding.encode($0, for: part) }
            return "$crossjoin(\(encoded.joined(separator: ",")))"
        case .count: return "$count"
        case .value: return "$value"
        case .ref: return "$ref"
        case .links: return "$links"
        case .metadata: return "$metadata"
        case .batch: return "$batch"
        case .all: return "$all"
        case .entity: return "$entity"
        case .each: return "$each"
        }
    }

    /// Actions are addressed without parentheses (Protocol 4.01, section 11.5.5.1).
    private func isAction(_ name: String, _ isFirst: Bool) -> Bool {
        guard let graph else { return false }
        if isFirst, let definition = graph.operationImport(named: name) {
            return definition.isAction
        }
        let operations = graph.operations(named: name)
        return !operations.isEmpty && operations.allSatisfy(\.isAction)
    }
}
