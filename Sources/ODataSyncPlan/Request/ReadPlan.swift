import ODataModel
import ODataQuery
import ODataWire

/// A query as a caller has put it together.
package struct QueryInput: Sendable {
    package var graph: MetadataGraph
    /// Path and options, not checked.
    package var query: Query
    /// A URL that is used in place of the query; the query then only types the result.
    package var url: String?
    /// The operation that is called, where it is an action.
    package var action: OperationCall?
    package var tracksChanges = false
    /// One entity is expected of a URL that is not understood.
    package var expectsSingle = false
    package var type: StructureID?
    package var set: EntitySetID?

    package init(graph: MetadataGraph, query: Query) {
        self.graph = graph
        self.query = query
    }
}

/// A query on its way: the request, and how its answer is read (pure).
package struct ReadPlan: Sendable {
    package var message: RequestMessage
    package var resource: ResolvedResource
    package let graph: MetadataGraph
    package let dialect: Dialect
    /// Whether pages are asked for until the result is whole; false where the caller asked for pages.
    package var followsPages = false
    /// The most entities that were asked for (Protocol 4.01, section 11.2.6.3).
    private var top: Int?
    /// A key stands in the path, as ``RequestSettings/keyStyle`` has it.
    package private(set) var namesKey = false
    /// The query names the properties that it wants, so that others are missing on purpose.
    private var isSelective = false
    /// The query makes properties that no type declares.
    private var keepsComputed = false
    /// Rows that steps of `$apply` made need not be what the model says of entities.
    private var isApplied = false

    /// - Parameter headers: What the caller wants sent.
    /// - Throws: What the checker throws, unless queries are not checked.
    package init(_ input: QueryInput, _ writer: RequestWriter, headers: HeaderFields) throws {
        (graph, dialect) = (input.graph, writer.dialect)
        message = RequestMessage(method: "GET", url: "")
        resource = Self.fallback(input)
        followsPages =
            input.query.pageSize == nil && writer.settings.supportsNext
            && Preferences(requestedBy: headers).maximumPageSize == nil
        // What a URL of the caller's, a compute or an apply leaves out cannot be told from the query.
        isSelective =
            input.url != nil || !input.query.select.isEmpty || !input.query.apply.isEmpty
        learn(input.query)
        if let url = input.url {
            message.url = ServiceURL.relative(url, root: writer.root)
            if let query = try? URLParser.parse(message.url, graph: graph, dialect: dialect) {
                learn(query)
                resolve(query.path)
            }
        } else if let action = input.action {
            message = try writer.message(of: action)
            resource = try ResourceResolver.resolve(input.query.path, in: graph)
        } else {
            let query = try Self.checked(input, writer.settings)
            message.url = try URLWriter.text(
                query, graph: graph, dialect: dialect,
                inlinesAliases: !writer.settings.supportsAlias || dialect.wrapsPayload,
                keys: writer.settings.keyStyle)
            namesKey = query.path.segments.contains {
                if case .key = $0 { true } else { false }
            }
            resolve(query.path)
        }
        message.headers.merge(ownHeaders(for: input, writer.settings))
    }

    /// The read of one entity by its URL, with the options of a query.
    package init(
        _ place: EntityPlace, options: Query, _ writer: RequestWriter, _ address: EntityAddress
    ) throws {
        (graph, dialect) = (place.graph, writer.dialect)
        let options = try URLWriter.optionsText(options, graph: graph, dialect: dialect)
        let url = try address.text(place)
        namesKey = place.hasKey && place.set != nil
        message = RequestMessage(method: "GET", url: options.isEmpty ? url : "\(url)?\(options)")
        resource = ResolvedResource(kind: .entity)
    }

    /// How the result of an action inside a change set is read.
    package init(resultOf call: OperationCall, _ writer: RequestWriter) throws {
        (graph, dialect) = (call.graph, writer.dialect)
        message = RequestMessage(method: "POST", url: "")
        resource = try ResourceResolver.resolve(call.query.path, in: graph)
    }

    /// Whether this many entities are all that were asked for: a next link behind them leads past `$top`.
    package func isWhole(after entities: Int) -> Bool { top.map { entities >= $0 } ?? false }

    /// What reads the answer.
    package func reader(_ settings: RequestSettings, root: String) -> AnswerReader {
        var reader = AnswerReader(graph: graph, dialect: dialect, root: root)
        reader.checks = settings.checks
        reader.checks.isSelective = isSelective
        if isApplied { reader.checks.isStrict = false }
        reader.keepsComputed = keepsComputed
        return reader
    }

    private mutating func learn(_ query: Query) {
        keepsComputed = NestedOptions(query).computes
        isApplied = !query.apply.isEmpty
        top = query.top
    }

    private mutating func resolve(_ path: ResourcePath) {
        if let found = try? ResourceResolver.resolve(path, in: graph) { resource = found }
    }

    private static func checked(_ input: QueryInput, _ settings: RequestSettings) throws -> Query {
        var query = input.query
        do {
            try QueryChecker.check(&query, graph: input.graph)
        } catch {
            guard !settings.checksQueries else { throw error }
            return input.query
        }
        return query
    }

    /// What a URL that is not understood is taken to lead to: entities of the set that the query names.
    private static func fallback(_ input: QueryInput) -> ResolvedResource {
        var resource = ResolvedResource(kind: input.expectsSingle ? .entity : .entities)
        guard let type = input.type else { return resource }
        resource.type = TypeReference(.structure(type), isCollection: !input.expectsSingle)
        resource.targetSet = input.set
        return resource
    }

    private func ownHeaders(for input: QueryInput, _ settings: RequestSettings) -> HeaderFields {
        var fields = HeaderFields()
        switch resource.form {
        case .count: fields["Accept"] = "text/plain, */*;q=0.5"
        case .rawValue: fields["Accept"] = "*/*"
        default: fields["Accept"] = resource.kind == .stream ? "*/*" : accepted(settings)
        }
        guard !dialect.wrapsPayload else { return fields }
        var preferences = Preferences()
        preferences.maximumPageSize = input.query.pageSize
        preferences.tracksChanges = input.tracksChanges && settings.supportsDelta
        fields["Prefer"] = preferences.text()
        return fields
    }

    /// The formats that results are asked for in; V4 services have no Atom that could be read.
    private func accepted(_ settings: RequestSettings) -> String {
        dialect.wrapsPayload && settings.asksForAtom
            ? "application/atom+xml, application/xml;q=0.9, application/json;q=0.5"
            : "application/json"
    }
}

extension NestedOptions {
    /// True when results have properties that `$apply` or `$compute` make, at the top or in expanded entities.
    fileprivate var computes: Bool {
        !apply.isEmpty || !compute.isEmpty || expand.contains { $0.options.computes }
    }
}
