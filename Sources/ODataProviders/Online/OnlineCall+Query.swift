import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataTransport
import ODataWire

/// A query on its way: the request, and how its answer is read.
struct OnlineRead {
    var message: RequestMessage
    var resource: ResolvedResource
    var model: MetadataModel
    var dialect: Dialect
    /// Whether pages are asked for until the result is whole; false where the caller asked for pages.
    var followsPages: Bool
    /// The query names the properties that it wants, so that others are missing on purpose.
    var isSelective = false
    /// The query makes properties that no type declares.
    var keepsComputed = false
    /// Rows that steps of `$apply` made need not be what the model says of entities.
    var isApplied = false
}

extension OnlineCall {
    /// The most pages that one query may bring.
    private static let maximumPages = 100_000

    func writer(_ model: MetadataModel) -> OnlineWriter {
        let dialect = dialect(model)
        return OnlineWriter(
            dialect: dialect, address: OnlineAddress(dialect: dialect, root: connection.root),
            service: service)
    }

    func reader(_ model: MetadataModel, isSelective: Bool = false) -> OnlineReader {
        OnlineReader(
            model: model, dialect: dialect(model), root: connection.root,
            checks: ResultChecks(
                isStrict: service.checkResults, addsNulls: service.fixMissingNullValues,
                addsEmptyLists: service.fixMissingEmptyLists, isSelective: isSelective))
    }

    private func reader(_ read: OnlineRead) -> OnlineReader {
        var reader = reader(read.model, isSelective: read.isSelective)
        reader.keepsComputed = read.keepsComputed
        if read.isApplied { reader.checks.isStrict = false }
        return reader
    }

    /// Executes a query or a call of an operation.
    func execute(_ query: DataQuery) throws -> QueryResult {
        let read = try plan(query, headers)
        let answer = try exchange(read.message, read.dialect)
        let found = QueryResult(
            query: query, result: try result(of: answer, read), status: answer.status)
        found.messages = OnlineMessages.list(of: answer)
        return found
    }

    /// The request of a query.
    ///
    /// - Throws: What the checker throws, unless `checkQueries` is off.
    func plan(_ query: DataQuery, _ headers: HeaderFields) throws -> OnlineRead {
        let wanted = query.copy()
        if wanted.model == nil { wanted.target.model = model }
        let model = wanted.model ?? model
        let dialect = dialect(model)
        var read = OnlineRead(
            message: RequestMessage(method: "GET", url: ""), resource: fallback(wanted, model),
            model: model, dialect: dialect,
            followsPages: query.pageSize == nil && service.supportsNext
                && Preferences(requestedBy: headers).maximumPageSize == nil)
        // What a URL of the caller's, a compute or an apply leaves out cannot be told from the query.
        read.isSelective =
            wanted.url != nil || !wanted.query.select.isEmpty || !wanted.query.apply.isEmpty
        read.keepsComputed = NestedOptions(wanted.query).computes
        read.isApplied = !wanted.query.apply.isEmpty
        if let url = wanted.url {
            read.message.url = ServiceURL.relative(url, root: connection.root)
            let parsed = try? URLParser.parse(
                read.message.url, graph: model.graph, dialect: dialect)
            if let parsed {
                read.keepsComputed = NestedOptions(parsed).computes
                read.isApplied = !parsed.apply.isEmpty
                if let found = try? ResourceResolver.resolve(parsed.path, in: model.graph) {
                    read.resource = found
                }
            }
        } else if let call = wanted.methodCall, call.method.isAction {
            read.message = try writer(model).action(wanted, call)
            read.resource = try ResourceResolver.resolve(wanted.query.path, in: model.graph)
        } else {
            let checked =
                service.checkQueries
                ? try wanted.checkedQuery() : (try? wanted.checkedQuery()) ?? wanted.query
            read.message.url = try URLWriter.text(
                checked, graph: model.graph, dialect: dialect,
                inlinesAliases: !service.supportsAlias || dialect.wrapsPayload)
            if let found = try? ResourceResolver.resolve(checked.path, in: model.graph) {
                read.resource = found
            }
        }
        read.message.headers.merge(readHeaders(wanted, read.resource, dialect))
        return read
    }

    private func readHeaders(
        _ query: DataQuery, _ resource: ResolvedResource, _ dialect: Dialect
    ) -> HeaderFields {
        var fields = HeaderFields()
        switch resource.form {
        case .count: fields["Accept"] = "text/plain, */*;q=0.5"
        case .rawValue: fields["Accept"] = "*/*"
        default: fields["Accept"] = resource.kind == .stream ? "*/*" : accepted(dialect)
        }
        guard !dialect.wrapsPayload else { return fields }
        var preferences = Preferences()
        preferences.maximumPageSize = query.pageSize
        preferences.tracksChanges = query.trackChanges && service.supportsDelta
        fields["Prefer"] = preferences.text()
        return fields
    }

    /// The formats that results are asked for in; V4 services have no Atom that could be read.
    private func accepted(_ dialect: Dialect) -> String {
        dialect.wrapsPayload && service.dataFormat == DataFormat.atom
            ? "application/atom+xml, application/xml;q=0.9, application/json;q=0.5"
            : "application/json"
    }

    /// What a URL that is not understood is taken to lead to: entities of the set that the query names.
    private func fallback(_ query: DataQuery, _ model: MetadataModel) -> ResolvedResource {
        let isSingle = query.expectSingle || query.entityKey != nil
        var resource = ResolvedResource(kind: isSingle ? .entity : .entities)
        guard let type = query.entityType else { return resource }
        resource.type = TypeReference(.structure(type.structureID), isCollection: !isSingle)
        resource.targetSet = query.entitySet?.id
        return resource
    }

    /// What the answer to a query says, further pages read where the caller did not ask for pages.
    func result(of answer: ResponseMessage, _ read: OnlineRead) throws -> DataValue? {
        let reader = reader(read)
        if read.resource.form == .count { return try reader.count(answer) }
        switch read.resource.kind {
        case .entities:
            let list = try reader.list(answer, read.resource)
            if read.followsPages { try readOn(list, read, reader) }
            return list
        case .entity: return try reader.entity(answer, read.resource)
        case .value: return try reader.value(answer, read.resource)
        case .stream:
            let stream = ByteStream.fromBinary(data: Data(answer.body))
            stream.mediaType = answer.headers["Content-Type"]
            stream.entityTag = answer.headers["ETag"]
            return stream
        case .nothing: return nil
        default:
            throw ODataError(
                .notImplemented, "Expected a query for entities or values.",
                at: .path(read.message.url))
        }
    }

    /// Follows next links until there is none (Protocol 4.01, section 11.2.6.7).
    private func readOn(
        _ list: EntityValueList, _ read: OnlineRead, _ reader: OnlineReader
    ) throws {
        var pages = 1
        var seen: Set<String> = []
        while let next = list.nextLink {
            pages += 1
            guard pages <= Self.maximumPages, seen.insert(next).inserted else {
                throw ODataError(
                    .limitExceeded, "Expected next links that come to an end, found none that do.",
                    at: .path(next))
            }
            list.nextLink = nil
            let message = RequestMessage(method: "GET", url: next)
            try reader.append(exchange(message, read.dialect), read.resource, to: list)
        }
    }

    /// Fills an entity with its present state.
    func load(_ entity: EntityValue, _ query: DataQuery?) throws {
        let model = entity.entityType.model
        let read: OnlineRead
        if entity.entitySet !== EntitySet.undefined, entity.entitySet.isSingleton || entity.hasKey()
        {
            let wanted = query?.copy() ?? DataQuery()
            wanted.entitySet = entity.entitySet
            wanted.url = nil
            if !entity.entitySet.isSingleton { wanted.withKey(entity.entityKey) }
            read = try plan(wanted, headers)
        } else {
            let wanted = query?.query ?? Query(path: ResourcePath())
            let options = try URLWriter.optionsText(
                wanted, graph: model.graph, dialect: dialect(model))
            let url = try writer(model).address.text(entity)
            read = OnlineRead(
                message: RequestMessage(
                    method: "GET", url: options.isEmpty ? url : "\(url)?\(options)"),
                resource: ResolvedResource(kind: .entity), model: model, dialect: dialect(model),
                followsPages: false)
        }
        let answer = try exchange(read.message, read.dialect)
        let value = try reader(read).structure(
            answer, entity.entityType.structureID, entity.knownSet)
        entity.takeOver(value, type: (model[value.type] as? EntityType) ?? entity.entityType)
    }
}

extension NestedOptions {
    /// True when results have properties that `$apply` or `$compute` make, at the top or in expanded entities.
    var computes: Bool {
        !apply.isEmpty || !compute.isEmpty || expand.contains { $0.options.computes }
    }
}

extension EntityValue {
    /// The set by its place in the model; nil until it is known.
    var knownSet: EntitySetID? {
        entitySet === EntitySet.undefined ? nil : entitySet.id
    }
}
