import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Reads what the body of an answer says, in whatever form it came (JSON Format 4.01; V2 JSON; Atom where a service answers
/// with it): for online calls, for answers to uploads and for looks at the service alike.
package struct AnswerReader: Sendable {
    package let graph: MetadataGraph
    package let dialect: Dialect
    /// The absolute service root, ending in `/`; links beneath it are given relative to it.
    package let root: String
    package var checks = ResultChecks()
    /// The query makes properties that no type declares.
    package var keepsComputed = false

    package init(graph: MetadataGraph, dialect: Dialect? = nil, root: String = "") {
        self.graph = graph
        self.dialect = dialect ?? Dialect.of(graph.version)
        self.root = root
    }

    private var json: EntityJSONReader {
        var reader = EntityJSONReader(graph, dialect: dialect)
        reader.keepsComputed = keepsComputed
        return reader
    }
    private var atom: AtomReader { AtomReader(graph) }

    private func isXML(_ answer: ResponseMessage) -> Bool {
        answer.headers["Content-Type"].flatMap { MediaType(parsing: $0) }?.isXML ?? false
    }

    /// What the answer to a request for a resource says; of a collection the first page.
    ///
    /// - Throws: `malformedText` or `invalidPayload` for an answer that cannot be read.
    package func content(
        _ answer: ResponseMessage, of resource: ResolvedResource, at url: String
    ) throws -> AnswerContent {
        if resource.form == .count { return .number(try count(answer)) }
        switch resource.kind {
        case .entities: return .entities([try page(answer, resource)])
        case .entity: return try entity(answer, resource)
        case .value: return try value(answer, resource)
        case .stream: return .stream(answer)
        case .nothing: return .nothing
        default:
            throw ODataError(
                .notImplemented, "Expected a query for entities or values.", at: .path(url))
        }
    }

    /// One page of a collection.
    package func page(_ answer: ResponseMessage, _ resource: ResolvedResource) throws -> AnswerPage
    {
        guard let type = resource.structure else { throw unreadable("a collection of entities") }
        var page = AnswerPage(type: type, set: resource.targetSet)
        guard !answer.body.isEmpty else { return page }
        if resource.form == .reference {
            let found =
                try isXML(answer) ? atom.references(answer.body) : json.references(answer.body)
            page.isReference = true
            page.items = found.ids.map {
                .entity(named(.id($0), type, page.set))
            }
            page.nextLink = found.nextLink.map(relative)
            return page
        }
        let found = try self.page(answer, of: type, in: resource.targetSet)
        let hasOthers = found.items.contains { if case .entity = $0 { false } else { true } }
        if hasOthers {
            page.items = found.items.compactMap { item($0, type, resource.targetSet) }
        } else {
            page.rows = found.entities
        }
        page.count = found.count
        page.nextLink = found.nextLink.map(relative)
        page.deltaLink = found.deltaLink.map(relative)
        return page
    }

    /// One page as the service said it, entities checked.
    package func page(
        _ answer: ResponseMessage, of type: StructureID, in set: EntitySetID?
    ) throws -> EntityPage {
        var page =
            try isXML(answer)
            ? atom.page(answer.body, of: type, in: set)
            : json.page(answer.body, of: type, in: set)
        guard checks.hasWork else { return page }
        for position in page.items.indices {
            guard case .entity(var value, let set) = page.items[position] else { continue }
            try checks.apply(to: &value, in: graph)
            page.items[position] = .entity(value, set)
        }
        return page
    }

    private func entity(
        _ answer: ResponseMessage, _ resource: ResolvedResource
    ) throws -> AnswerContent {
        guard let type = resource.structure else { throw unreadable("an entity") }
        guard !answer.body.isEmpty, answer.status != 204 else { return .nothing }
        guard resource.form != .reference else {
            let id =
                try isXML(answer) ? atom.reference(answer.body) : json.reference(answer.body)
            return .entity(named(.id(id), type, resource.targetSet))
        }
        guard let value = try optionalEntity(answer, of: type, in: resource.targetSet) else {
            return .nothing
        }
        return .entity(AnswerEntity(value: value, set: resource.targetSet))
    }

    /// The values of one entity, its tag taken from the headers where the body has none.
    package func entity(
        _ answer: ResponseMessage, of type: StructureID, in set: EntitySetID?
    ) throws -> StructureValue {
        guard let value = try optionalEntity(answer, of: type, in: set) else {
            throw unreadable("an entity")
        }
        return value
    }

    /// As ``entity(_:of:in:)``; nil for a body that says null.
    private func optionalEntity(
        _ answer: ResponseMessage, of type: StructureID, in set: EntitySetID?
    ) throws -> StructureValue? {
        let found =
            try isXML(answer)
            ? atom.optionalEntity(answer.body, of: type, in: set)
            : json.optionalEntity(answer.body, of: type, in: set)
        guard var value = found else { return nil }
        if value.control.etag == nil { value.control.etag = answer.headers["ETag"] }
        try checks.apply(to: &value, in: graph)
        return value
    }

    /// What the answer to a change says of the entity; an answer without a body may tell its key and tag.
    ///
    /// - Parameter isCreated: The answer tells where the entity is (Protocol 4.01, sections 8.3.4 and 8.3.5).
    package func entityAnswer(
        _ answer: ResponseMessage, of type: StructureID, in set: EntitySetID?, isCreated: Bool
    ) throws -> EntityAnswer {
        guard answer.status == 204 || answer.body.isEmpty else {
            return EntityAnswer(values: try entity(answer, of: type, in: set))
        }
        var found = EntityAnswer(entityTag: answer.headers["ETag"])
        let location = answer.headers["OData-EntityId"] ?? answer.headers["Location"]
        if isCreated, let location {
            found.readLink = relative(location)
            let named = identity(location, expecting: set)
            found.key = named?.key.count == graph[type].key.count ? named?.key : nil
        }
        return found
    }

    // MARK: Values

    /// The value of a property, or what an operation returned.
    private func value(
        _ answer: ResponseMessage, _ resource: ResolvedResource
    ) throws -> AnswerContent {
        guard let type = resource.type, answer.status != 204, !answer.body.isEmpty else {
            return .nothing
        }
        guard resource.form != .rawValue else { return try raw(answer, type) }
        let value =
            try isXML(answer)
            ? atom.property(answer.body, as: type) : json.property(answer.body, as: type)
        return .value(value, type)
    }

    /// The number that `/$count` answers with.
    private func count(_ answer: ResponseMessage) throws -> Int64 {
        let text = String(decoding: answer.body, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
        guard let number = Int64(text) else { throw unreadable("a number") }
        return number
    }

    /// What `/$value` answers with.
    private func raw(_ answer: ResponseMessage, _ type: TypeReference) throws -> AnswerContent {
        if type.primitive == .binary { return .value(.scalar(.binary(answer.body)), type) }
        let text = String(decoding: answer.body, as: UTF8.self)
        guard let primitive = type.primitive else {
            return .value(.scalar(.string(text)), TypeReference(.primitive(.string)))
        }
        return .value(.scalar(try Lexical.parse(text, as: primitive)), type)
    }

    private func unreadable(_ what: String) -> ODataError {
        ODataError(.invalidPayload, "Expected \(what) in the answer, found something else.")
    }

    func relative(_ url: String) -> String {
        ServiceURL.relative(ServiceLink.followable(url, root: root) ?? url, root: root)
    }
}
