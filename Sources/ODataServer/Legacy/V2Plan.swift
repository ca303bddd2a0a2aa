import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// What a V2 request is in V4, and what its answer will hold.
struct V2Plan {
    /// Relative to the root.
    var url: String
    var resource: ResolvedResource
    /// The name of the property that the path ends with, for answers that name it.
    var property: String
    /// True for a function import.
    var callsOperation = false
    /// The arguments of a function import, as JSON of V4.
    var arguments = JSONObject()

    /// The set and type of the entities that are sent or answered.
    var set: EntitySetID? { resource.targetSet }
    var type: StructureID? { resource.structure }
}

/// Puts relative URLs of V2 into V4 (V2 URI conventions), and those of V4 that clients are given into V2.
struct V2Addresses {
    let old: MetadataGraph
    let new: MetadataGraph

    /// The sets of entities made by earlier members of a change set, by Content-ID.
    typealias Made = [String: EntitySetID]

    func plan(_ relativeURL: String, made: Made = [:]) throws -> V2Plan {
        if let link = Self.unwrapped(relativeURL) {
            let query = try URLParser.parse(link, graph: new, dialect: .v4)
            return try plan(link, query.path)
        }
        if relativeURL.hasPrefix("$"), let plan = try plan(reference: relativeURL, made) {
            return plan
        }
        try checkSet(relativeURL)
        var query = try URLParser.parse(relativeURL, graph: old, dialect: .v2)
        if let format = query.format, format != "json", !format.hasPrefix("application/json") {
            throw ODataError(
                ServiceCode.notAcceptable, "Expected $format=json.", status: 406)
        }
        query.format = nil
        query.customOptions = []
        query.path = try arguments(of: Self.inV4(query.path))
        try checkNames(query.path)
        try QueryChecker.check(&query, graph: new)
        return try plan(try URLWriter.text(query, graph: new, dialect: .v4), query.path)
    }

    /// - Throws: 404 for a URL whose first segment is nothing of the service.
    private func checkSet(_ relativeURL: String) throws {
        guard let name = RequestRules.firstName(relativeURL), !name.hasPrefix("$"),
            !old.entitySets.contains(where: { $0.name == name }), Self.imported(name, old) == nil
        else { return }
        throw ODataError(
            .unknownName, "Expected an entity set of the service, found another name.",
            at: .path(String(name.prefix(100))), status: 404)
    }

    private func plan(_ url: String, _ path: ResourcePath) throws -> V2Plan {
        switch path.segments.first {
        case .all?, .crossjoin?:
            throw ODataError(
                .notImplemented, "Expected a resource of V2, which has no $all and $crossjoin.",
                status: 501)
        default: break
        }
        var property = ""
        for case .property(let name) in path.segments { property = name }
        var plan = V2Plan(
            url: url, resource: try ResourceResolver.resolve(path, in: new), property: property)
        if case .operation(let name, let arguments)? = path.segments.first {
            plan.property = name
            plan.callsOperation = true
            let writer = EntityJSONWriter(new, dialect: .v4)
            for argument in arguments {
                guard case .literal(let scalar, let type?) = argument.value else { continue }
                let text = writer.property(
                    .scalar(scalar), named: "value", as: ServiceOperation.reference(type))
                plan.arguments[argument.name] =
                    scalar == .null ? .null : try JSONValue(parsing: text)["value"]
            }
        }
        return plan
    }

    /// - Throws: 404 for a path with a name that the model does not have.
    private func checkNames(_ path: ResourcePath) throws {
        do {
            _ = try ResourceResolver.resolve(path, in: new)
        } catch var error as ODataError where error.code == .unknownName {
            error.status = 404
            throw error
        }
    }

    private static func imported(_ name: String, _ graph: MetadataGraph) -> OperationDefinition? {
        guard let found = graph.operationImports.first(where: { $0.name == name }) else {
            return nil
        }
        return graph.operations.first { $0.qualifiedName == found.operation }
    }

    /// The arguments of a function import as values of the types that its parameters have in V4.
    private func arguments(of path: ResourcePath) throws -> ResourcePath {
        var path = path
        if case .entitySet(let name)? = path.segments.first, Self.imported(name, new) != nil,
            new.entitySet(named: name) == nil
        {
            path.segments[0] = .operation(name, [])
        }
        guard case .operation(let name, let arguments)? = path.segments.first,
            let operation = Self.imported(name, new)
        else { return path }
        path.segments[0] = .operation(
            name,
            try arguments.map { argument in
                guard case .literal(let scalar, let written) = argument.value,
                    let type = operation.parameters.first(where: { $0.name == argument.name })?.type
                        .primitive
                else { return argument }
                guard let value = LiteralConversion.scalar(scalar, written: written, as: type)
                else {
                    throw ODataError(
                        .invalidValue, "Expected a value of type Edm.\(type.name).",
                        at: .path(argument.name), status: 400)
                }
                return NamedArgument(name: argument.name, value: .literal(value, type))
            })
        return path
    }

    /// `$links/Items` is `Items/$ref`.
    private static func inV4(_ path: ResourcePath) -> ResourcePath {
        guard path.segments.contains(.links) else { return path }
        return ResourcePath(path.segments.filter { $0 != .links } + [.ref])
    }

    // MARK: References to members of a change set

    /// `$1`, `$1/Items` or `$1/$links/Items`: planned as an entity of the set in which the member made one.
    private func plan(reference url: String, _ made: Made) throws -> V2Plan? {
        let end = url.firstIndex { "/?(".contains($0) } ?? url.endIndex
        guard let set = made[String(url[..<end].dropFirst())] else { return nil }
        let key = try old[old[set].type].key.map { part in
            KeyValue(name: part.path, value: .literal(try anyScalar(part.path, of: set), nil))
        }
        var entity = Query(path: ResourcePath([.entitySet(old[set].name), .key(key)]))
        let before = try URLWriter.text(entity, graph: old, dialect: .v2)
        entity.path.segments = [.entitySet(new[set].name), .key(key)]
        let after = try URLWriter.text(entity, graph: new, dialect: .v4)
        var found = try plan(before + url[end...])
        guard found.url.hasPrefix(after) else { return nil }
        found.url = String(url[..<end]) + found.url.dropFirst(after.count)
        return found
    }

    /// A value that a key property may have.
    private func anyScalar(_ name: String, of set: EntitySetID) throws -> Scalar {
        let type = new[new[set].type].slot(named: name)
            .flatMap { new[new[set].type].properties[$0].type.primitive }
        switch type {
        case .byte, .sbyte, .int16, .int32, .int64: return .integer(0)
        case .string: return .string("x")
        default:
            throw ODataError(
                .notImplemented, "Expected a key of one number or text behind a reference.",
                status: 501)
        }
    }

    // MARK: Entity references

    /// What an entity reference of V2 is in V4; references to members stay.
    func inV4(_ reference: String, _ address: ServiceAddress, rootPath: String) throws -> String {
        guard !reference.hasPrefix("$") else { return reference }
        let named = try ServiceAddress(reference, within: address, rootPath: rootPath)
        return address.root + (try plan(named.relativeURL).url)
    }

    /// What an entity reference of V4 is in V2; nil for one that leads elsewhere.
    func inV2(_ reference: String, _ address: ServiceAddress, rootPath: String) -> String? {
        guard let named = try? ServiceAddress(reference, within: address, rootPath: rootPath),
            var query = try? URLParser.parse(named.relativeURL, graph: new, dialect: .v4),
            (try? QueryChecker.check(&query, graph: old)) != nil,
            let text = try? URLWriter.text(query, graph: old, dialect: .v2)
        else { return nil }
        return address.root + text
    }

    // MARK: Links that clients follow

    /// A next or delta link of V4 as one of V2, which holds it as a token.
    static func wrapped(_ link: String, root: String, isDelta: Bool) -> String {
        let inner = link.hasPrefix(root) ? String(link.dropFirst(root.count)) : link
        let path = inner.prefix { $0 != "?" }
        let token = mark + Base64.text(Array(inner.utf8))
        return root + path + "?" + (isDelta ? "!deltatoken" : "$skiptoken") + "='\(token)'"
    }

    /// The link of V4 in a token that ``wrapped(_:root:isDelta:)`` made.
    static func unwrapped(_ relativeURL: String) -> String? {
        guard let start = relativeURL.firstRange(of: mark),
            relativeURL[..<start.lowerBound].contains("token")
        else { return nil }
        let token = relativeURL[start.upperBound...].prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
        }
        guard let bytes = Base64.bytes(token) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let mark = "v4."
}
