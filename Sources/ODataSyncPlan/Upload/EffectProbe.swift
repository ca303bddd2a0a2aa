import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// How the service is asked whether a request took effect of which no answer came, and what its answer means (pure).
package struct EffectProbe: Sendable {
    /// What to read at the service.
    package enum Question: Sendable, Hashable {
        /// The entity that the create makes, by its key.
        case entity(url: String)
        /// The entities, two at most, that have the alternate key of the create.
        case alternateKey(url: String)
        /// The entity that the request changes.
        case target
        /// The content that the request replaces or removes.
        case content
        /// What the link leads to, or would.
        case link(url: String)
        /// Nothing would tell.
        case nothing(ResendPolicy.Finding)
    }

    let graph: MetadataGraph
    let dialect: Dialect
    let keys: KeyStyle
    /// Properties that the app has named to find creations by, by entity set.
    private let probes: [String: String]

    package init(
        graph: MetadataGraph, dialect: Dialect, keys: KeyStyle = .parentheses,
        probes: [String: String] = [:]
    ) {
        self.graph = graph
        self.dialect = dialect
        self.keys = keys
        self.probes = probes
    }

    /// Whether a creation is looked for by the property that the app has named.
    package func isProbed(_ request: QueuedRequest) -> Bool {
        guard request.operation == .create, request.navigation?.isContained != true,
            let name = probes[request.target.table], let values = sentValues(of: request),
            let slot = graph[values.type].slot(named: name)
        else { return false }
        return values.slots[slot].map { $0.scalar != nil && !$0.isNull } ?? false
    }

    // MARK: Questions

    /// - Parameters:
    ///   - isAnswered: an answer came that may be somebody else's, so that even what does no harm twice is looked at.
    ///   - address: the URL of a row relative to the service root; throws for one that the service does not know.
    ///   - key: its key as the service has it, likewise.
    package func question(
        for request: QueuedRequest, isAnswered: Bool = false,
        address: (RowReference) throws -> String, key: (RowReference) throws -> [Scalar]
    ) -> Question {
        // What is not sent again has to be looked for in any case.
        let isAnswered = isAnswered || request.isCancelled
        if request.operation.isLink {
            let url = isAnswered ? linkURL(of: request, address, key) : nil
            return url.map { .link(url: $0) } ?? .nothing(.repeatable)
        }
        if !isAnswered, ResendPolicy.isHarmless(request) { return .nothing(.repeatable) }
        if request.operation.isStream { return .content }
        guard request.operation == .create else { return .target }
        // Its key is not in the content, so that an entity with that key proves nothing.
        if request.bringsStream { return .nothing(.undecided) }
        // The key of a parent that the service does not know yet would be a provisional one.
        let parents = request.effects.filter { $0.writtenRows == [request.target] }
            .compactMap(\.principal)
        guard let values = sentValues(of: request),
            parents.allSatisfy({ (try? address($0)) != nil })
        else { return .nothing(.undecided) }
        if let url = entityURL(of: request, values, address) { return .entity(url: url) }
        if let url = alternateURL(of: request, values) { return .alternateKey(url: url) }
        return .nothing(.undecided)
    }

    /// The URL of an entity that was found by its alternate key.
    package func url(of entity: StructureValue, for request: QueuedRequest) -> String? {
        let key = EntityPlace.key(of: entity, in: graph)
        return try? EntityURL(graph: graph, dialect: dialect, keys: keys)
            .text(set: request.target.table, key: key)
    }

    /// The values that a create sent, foreign keys that followed a parent included.
    private func sentValues(of request: QueuedRequest) -> StructureValue? {
        guard var values = request.body?.values else { return nil }
        for case .values(request.target, let change, _?) in request.effects {
            values = StructureMerge.merge(change, over: values)
        }
        return values
    }

    /// Nil where the service chooses a part of the key.
    private func entityURL(
        of request: QueuedRequest, _ values: StructureValue,
        _ address: (RowReference) throws -> String
    ) -> String? {
        let urls = EntityURL(graph: graph, dialect: dialect, keys: keys)
        let key = EntityPlace.key(of: values, in: graph)
        let definition = graph[values.type]
        guard key.count == definition.key.count, !key.contains(.null),
            !definition.key.contains(where: { isComputed($0.path, of: values.type) })
        else { return nil }
        if let navigation = request.navigation, navigation.isContained {
            guard let parent = navigation.row, let base = try? address(parent),
                let owner = graph.entitySet(named: parent.table).map({ graph[$0].type }),
                let slot = graph[owner].slot(named: navigation.property)
            else { return nil }
            return try? urls.text(
                parent: base, navigation: graph[owner].properties[slot], key: key)
        }
        return try? urls.text(set: request.target.table, key: key)
    }

    private func isComputed(_ path: String, of type: StructureID) -> Bool {
        guard let slot = graph[type].slot(named: path) else { return false }
        return graph[type].properties[slot].isMadeByService
    }

    /// A filter for the first alternate key of which the create sent every part (vocabulary term
    /// `Core.AlternateKeys`).
    private func alternateURL(of request: QueuedRequest, _ values: StructureValue) -> String? {
        guard request.navigation?.isContained != true,
            let set = graph.entitySet(named: request.target.table)
        else { return nil }
        let annotations = graph[values.type].annotations + graph[set].annotations
        let probe = isProbed(request) ? probes[request.target.table] : nil
        for names in (probe.map { [[$0]] } ?? []) + Self.alternateKeys(annotations) {
            let parts = names.compactMap { name -> Expression? in
                guard let slot = graph[values.type].slot(named: name),
                    let value = values.slots[slot]?.scalar, value != .null
                else { return nil }
                let type = graph[values.type].properties[slot].type.primitive
                return .binary(.eq, .path(ExpressionPath(name)), .literal(value, type))
            }
            guard parts.count == names.count, let first = parts.first else { continue }
            let filter = parts.dropFirst().reduce(first) { .binary(.and, $0, $1) }
            guard
                let text = try? URLWriter.expressionText(filter, graph: graph, dialect: dialect)
            else { continue }
            return PercentCoding.encode(graph.address(ofSetNamed: request.target.table), for: .path)
                + "?$filter="
                + PercentCoding.encode(text, for: .query) + "&$top=2"
        }
        return nil
    }

    /// The property names of each alternate key.
    private static func alternateKeys(_ annotations: [AnnotationDefinition]) -> [[String]] {
        guard
            case .collection(let keys)? =
                annotations.first(term: "Org.OData.Core.V1.AlternateKeys")?.value
        else { return [] }
        return keys.compactMap { key in
            guard case .record(_, let members) = key,
                case .collection(let parts)? = members.first(term: "Key")?.value
            else { return nil }
            let names = parts.compactMap { part -> String? in
                guard case .record(_, let members) = part else { return nil }
                switch members.first(term: "Name")?.value {
                case .path(_, let text)?, .string(let text)?: return text
                default: return nil
                }
            }
            return names.isEmpty || names.count != parts.count ? nil : names
        }
    }

    // MARK: Answers

    /// What the answer to a question about one entity means.
    ///
    /// - Parameter isProbed: the entity was found by what the app says is the creation's own.
    /// - Throws: `service` for an answer that says nothing about the entity.
    package func finding(
        of answer: ResponseMessage, about request: QueuedRequest, isProbed: Bool = false
    ) throws -> ResendPolicy.Finding {
        if request.operation == .delete {
            switch answer.status {
            case 404, 410: return .carriedOut(ResponseMessage(status: 204))
            case 200: return finding(ofPresent: answer, about: request)
            default: throw ErrorPayload(answer).error(status: answer.status)
            }
        }
        switch answer.status {
        case 404, 410: return .notCarriedOut
        case 200: break
        default: throw ErrorPayload(answer).error(status: answer.status)
        }
        guard let sent = sentValues(of: request) else { return .undecided }
        let set = graph.entitySet(named: request.target.table)
        let found = try AnswerReader(graph: graph, dialect: dialect)
            .entity(answer, of: sent.type, in: set)
        let shows = EffectComparison(graph: graph).shows(sent, in: found)
        guard request.operation != .create else {
            return shows || isProbed ? .carriedOut(answer) : .undecided
        }
        // A change that the row shows needs no second one, whoever made it.
        if shows, request.body?.binds.isEmpty != false { return .carriedOut(answer) }
        if let before = request.ifMatch,
            let now = answer.headers["ETag"] ?? found.control.etag,
            EntityTag(before).matches(EntityTag(now))
        {
            return .notCarriedOut
        }
        return .repeatable
    }

    /// What it means that a row is there which was to go. Services give keys again: only with the tag that the deletion was made
    /// for it is that very row.
    private func finding(
        ofPresent answer: ResponseMessage, about request: QueuedRequest
    ) -> ResendPolicy.Finding {
        guard let before = request.ifMatch, before != "*" else { return .notCarriedOut }
        let set = graph.entitySet(named: request.target.table)
        let found = set.flatMap { set in
            try? AnswerReader(graph: graph, dialect: dialect)
                .entity(answer, of: graph[set].type, in: set)
        }
        guard let now = answer.headers["ETag"] ?? found?.control.etag,
            EntityTag(before).matches(EntityTag(now))
        else { return .repeatable }
        return .notCarriedOut
    }

    /// What the content that the service has now says about a request that replaces or removes it.
    ///
    /// - Parameters:
    ///   - isCertain: The answer is recognisably the service's.
    ///   - isSame: Whether the content is the one that the request sent.
    /// - Throws: `service` for an answer that says nothing about the content.
    package func finding(
        ofContent head: ResponseMessage, about request: QueuedRequest, isCertain: Bool,
        isSame: () throws -> Bool
    ) throws -> ResendPolicy.Finding {
        let isGone = [204, 404, 410].contains(head.status)
        guard isGone || head.status == 200 else {
            throw ErrorPayload(head).error(status: head.status)
        }
        if request.operation == .deleteStream {
            if isGone {
                return isCertain ? .carriedOut(ResponseMessage(status: 204)) : .repeatable
            }
        } else if !isGone, try isSame() {
            return .carriedOut(ResponseMessage(status: 204, headers: head.headers))
        }
        if !isGone, let before = request.ifMatch, let now = head.headers["ETag"],
            EntityTag(before).matches(EntityTag(now))
        {
            return .notCarriedOut
        }
        return .repeatable
    }

    /// The entities of an answer to a question by alternate key, and whether there are others.
    package func entities(
        in answer: ResponseMessage, about request: QueuedRequest
    ) throws -> (found: [StructureValue], hasMore: Bool) {
        guard answer.isSuccess else { throw ErrorPayload(answer).error(status: answer.status) }
        guard let type = request.body?.values.type else { return ([], false) }
        let page = try AnswerReader(graph: graph, dialect: dialect)
            .page(answer, of: type, in: graph.entitySet(named: request.target.table))
        return (page.entities, page.nextLink != nil)
    }
}
