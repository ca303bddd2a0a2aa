import ODataModel
import ODataText

/// Finds what a path addresses (URL Conventions 4.01, section 4).
package enum ResourceResolver {
    /// - Parameter aliases: Parameter aliases that keys may name.
    /// - Throws: `unknownName` for a segment the model does not define, `invalidQuery` for one that does not fit where
    ///   it stands, each with the path up to it.
    package static func resolve(
        _ path: ResourcePath, in graph: MetadataGraph, aliases: [String: Expression] = [:]
    ) throws -> ResolvedResource {
        var walk = ResourceWalk(graph: graph, aliases: aliases)
        for segment in path.segments { try walk.step(segment) }
        try walk.end()
        return walk.result
    }
}

/// The state of a walk along a path: the result so far, and where the next segment starts from.
struct ResourceWalk {
    let graph: MetadataGraph
    let aliases: [String: Expression]
    var result = ResolvedResource(kind: .serviceDocument)
    /// Names since the last entity of a set, for bindings of navigation inside complex values.
    private var bindingPath: [String] = []
    private var place: [String] = []
    private var expectsLink = false
    /// The first values of a key that has more.
    private var keySegments: [Expression] = []
    /// True behind `$each`: what follows is for each member of the collection.
    private var isForEach = false

    init(graph: MetadataGraph, aliases: [String: Expression]) {
        self.graph = graph
        self.aliases = aliases
    }

    mutating func step(_ segment: ResourcePath.Segment) throws {
        place.append(segment.placeText)
        guard result.form == .whole || isReferenceKey(segment) else {
            throw misfit("the end of the path")
        }
        switch segment {
        case .key, .property: break
        default: try end()
        }
        switch segment {
        case .entitySet(let name): try begin(name)
        case .metadata: result.kind = .metadata
        case .batch: result.kind = .batch
        case .all: result.kind = .all
        case .entity: result.kind = .entityReference
        case .crossjoin(let names): result.kind = .crossjoin(try names.map(set))
        case .key(let values): try apply(key: values)
        case .property(let name): try property(name)
        case .typeCast(let name): try cast(name)
        case .operation(let name, let arguments): try operation(name, arguments)
        case .links: expectsLink = true
        case .filter(let expression): result.steps.append(.filter(expression))
        case .each:
            guard result.kind == .entities else { throw misfit("a collection of entities") }
            result.steps.append(.each)
            isForEach = true
        case .count, .value, .ref: try finish(segment)
        }
    }

    private func isReferenceKey(_ segment: ResourcePath.Segment) -> Bool {
        if case .key = segment { return result.form == .reference }
        return false
    }

    func misfit(_ expected: String) -> ODataError {
        ODataError(
            .invalidQuery, "Expected \(expected) here.",
            at: .path(place.joined(separator: "/")))
    }

    func unknown(_ expected: String, _ name: String) -> ODataError {
        ODataError(
            .unknownName, "Expected \(expected), found \(name).",
            at: .path(place.joined(separator: "/")))
    }

    // MARK: Beginnings

    private func set(_ name: String) throws -> EntitySetID {
        guard let id = graph.entitySet(named: name) else {
            throw unknown("an entity set or singleton", name)
        }
        return id
    }

    private mutating func begin(_ name: String) throws {
        guard let id = graph.entitySet(named: name) else {
            guard graph.operationImport(named: name) != nil else {
                throw unknown("an entity set, singleton or operation", name)
            }
            return try operation(name, [])
        }
        let definition = graph[id]
        result.entitySet = id
        result.targetSet = id
        result.kind = definition.isSingleton ? .entity : .entities
        result.type = TypeReference(
            .structure(definition.type), isCollection: !definition.isSingleton)
    }

    // MARK: Keys

    private mutating func apply(key: [KeyValue]) throws {
        guard result.kind == .entities, let type = result.structure else {
            throw misfit("a collection of entities in front of a key")
        }
        guard let key = gathered(key, of: type) else { return }
        let reader = KeyReader(graph: graph, aliases: aliases)
        let place = place.joined(separator: "/")
        if let values = try reader.alternate(key, of: type, place: place) {
            let tests = values.map { property, value in
                Expression.binary(
                    .eq, .path(ExpressionPath(property.path)), .literal(value, nil))
            }
            result.steps.append(
                .filter(tests.dropFirst().reduce(tests[0]) { .binary(.and, $0, $1) }))
            result.kind = .entity
            result.type?.isCollection = false
            bindingPath = []
            return
        }
        let scalars = try reader.scalars(key, of: type, place: place)
        switch result.steps.last {
        case nil where result.entitySet != nil:
            result.key = scalars
        case .navigation(let source, let slot, nil, let target):
            result.steps[result.steps.count - 1] = .navigation(
                source: source, slot: slot, key: scalars, target: target)
        default:
            result.steps.append(.key(scalars))
        }
        result.kind = .entity
        result.type?.isCollection = false
        bindingPath = []
    }

    /// A key whose values stand in segments, in the order of its properties (section 4.3.6); nil while some are to come.
    private mutating func gathered(_ key: [KeyValue], of type: StructureID) -> [KeyValue]? {
        let names = graph[type].key.map(\.name)
        guard names.count > 1, key.count == 1, key[0].isSegment else { return key }
        keySegments.append(key[0].value)
        guard keySegments.count == names.count else { return nil }
        defer { keySegments = [] }
        return zip(names, keySegments).map { KeyValue(name: $0, value: $1) }
    }

    /// - Throws: `invalidQuery` when values of a key are missing.
    func end() throws {
        guard !keySegments.isEmpty, let type = result.structure else { return }
        _ = try KeyReader(graph: graph).scalars(
            keySegments.map { KeyValue(name: nil, value: $0) }, of: type,
            place: place.joined(separator: "/"))
    }

    // MARK: Properties

    private mutating func property(_ name: String) throws {
        if result.kind == .entities, graph.version >= .v401, !expectsLink, result.form == .whole {
            // A key as a segment that looks like a name (section 4.3.6).
            return try apply(
                key: [
                    KeyValue(name: nil, value: .literal(.string(name), nil), isSegment: true)
                ])
        }
        guard result.kind == .entity || result.kind == .value, let source = result.structure,
            result.type?.isCollection == false
        else { throw misfit("a single entity or complex value in front of \(name)") }
        guard let slot = graph[source].slot(named: name) else {
            guard graph[source].isOpen else {
                throw unknown("a property of \(graph[source].qualifiedName)", name)
            }
            result.steps.append(.dynamic(name))
            result.kind = .value
            result.type = TypeReference(.primitive(.untyped))
            return
        }
        let definition = graph[source].properties[slot]
        if definition.isNavigation {
            try navigate(source, slot, definition)
        } else {
            guard !expectsLink else { throw misfit("a navigation property") }
            result.steps.append(.property(source: source, slot: slot))
            result.kind = definition.type.primitive == .stream ? .stream : .value
            result.type = definition.type
            bindingPath.append(name)
        }
    }

    private mutating func navigate(
        _ source: StructureID, _ slot: Int, _ definition: PropertyDefinition
    ) throws {
        let target = target(of: slot, definition)
        result.steps.append(.navigation(source: source, slot: slot, key: nil, target: target))
        result.kind = definition.type.isCollection ? .entities : .entity
        result.type = definition.type
        result.targetSet = target
        bindingPath = []
        if expectsLink {
            expectsLink = false
            result.form = .reference
        }
    }

    private func target(of slot: Int, _ definition: PropertyDefinition) -> EntitySetID? {
        guard definition.navigation?.containsTarget != true else { return nil }
        if let set = result.targetSet {
            let path = (bindingPath + [definition.name]).joined(separator: "/")
            if let target = graph[set].target(of: path) ?? graph[set].target(of: definition.name) {
                return graph.entitySet(named: target)
            }
        }
        guard let type = definition.type.structure else { return nil }
        let candidates = graph.entitySets.indices.filter {
            !graph.entitySets[$0].isSingleton && graph.isA(type, graph.entitySets[$0].type)
        }
        return candidates.count == 1 ? EntitySetID(candidates[0]) : nil
    }

    private mutating func cast(_ name: String) throws {
        guard let type = graph.structure(named: name) else {
            if !graph.operations(named: name).isEmpty { return try operation(name, []) }
            throw unknown("a type", name)
        }
        switch result.kind {
        case .entityReference, .all:
            result.kind = result.kind == .all ? .entities : .entity
            result.type = TypeReference(.structure(type), isCollection: result.kind == .entities)
        default:
            guard let current = result.structure, graph.isA(type, current) else {
                throw misfit("a type derived from that of the resource")
            }
            result.type?.kind = .structure(type)
        }
        result.steps.append(.cast(type))
        bindingPath.append(graph[type].qualifiedName)
    }

    // MARK: Operations

    private mutating func operation(_ name: String, _ arguments: [NamedArgument]) throws {
        let isFirst = place.count == 1
        var target: EntitySetID?
        let candidates: [Int]
        if isFirst {
            guard let found = graph.operationImport(named: name) else {
                throw unknown("an entity set, singleton or operation", name)
            }
            target = found.entitySet.flatMap(graph.entitySet(named:))
            let full = graph.unaliased(found.operation)
            candidates = graph.operations.indices.filter {
                graph.operations[$0].qualifiedName == full && !graph.operations[$0].isBound
            }
        } else {
            candidates = graph.operations.indices.filter { isBound($0, name) }
        }
        guard !candidates.isEmpty else { throw unknown("an operation", name) }
        let names = Set(arguments.map(\.name))
        let index = candidates.first { index in
            Set(graph.operations[index].ownParameters.map(\.name)) == names
        }
        result.steps.append(.operation(index: index ?? candidates[0], arguments: arguments))
        finish(returning: graph.operations[index ?? candidates[0]].returnType, target)
    }

    /// True when the operation of this name is bound to what the path has led to.
    private func isBound(_ index: Int, _ name: String) -> Bool {
        let definition = graph.operations[index]
        guard definition.isBound, let binding = definition.parameters.first,
            name.contains(".")
                ? definition.qualifiedName == graph.unaliased(name) : definition.name == name
        else { return false }
        guard let type = result.type,
            (type.isCollection && !isForEach) == binding.type.isCollection
        else { return false }
        guard let expected = binding.type.structure, let actual = type.structure else {
            return type.kind == binding.type.kind
        }
        return graph.isA(actual, expected)
    }

    private mutating func finish(returning type: TypeReference?, _ target: EntitySetID?) {
        result.type = type
        result.targetSet = target
        bindingPath = []
        guard let type else {
            result.kind = .nothing
            return
        }
        if let structure = type.structure, graph[structure].kind == .entity {
            result.kind = type.isCollection ? .entities : .entity
        } else {
            result.kind = .value
        }
    }

    // MARK: Endings

    private mutating func finish(_ segment: ResourcePath.Segment) throws {
        switch segment {
        case .count:
            guard result.type?.isCollection == true || result.isVirtualCollection else {
                throw misfit("a collection in front of $count")
            }
            result.form = .count
        case .value:
            if result.kind == .entity {
                guard let type = result.structure, graph[type].hasStream else {
                    throw misfit("a media entity or a primitive property in front of $value")
                }
                result.kind = .stream
            } else {
                guard result.kind != .stream, result.type?.structure == nil,
                    result.type?.isCollection == false
                else { throw misfit("a primitive property in front of $value") }
            }
            result.form = .rawValue
        default:
            guard result.kind == .entity || result.kind == .entities else {
                throw misfit("an entity or a collection of entities in front of $ref")
            }
            result.form = .reference
        }
    }
}

extension ResourcePath.Segment {
    /// The segment as it stands in messages, without key values and arguments.
    fileprivate var placeText: String {
        switch self {
        case .entitySet(let name), .property(let name), .typeCast(let name): name
        case .operation(let name, _): "\(name)()"
        case .key: "(key)"
        case .count: "$count"
        case .value: "$value"
        case .ref: "$ref"
        case .links: "$links"
        case .metadata: "$metadata"
        case .batch: "$batch"
        case .all: "$all"
        case .crossjoin: "$crossjoin"
        case .entity: "$entity"
        case .filter: "$filter"
        case .each: "$each"
        }
    }
}
