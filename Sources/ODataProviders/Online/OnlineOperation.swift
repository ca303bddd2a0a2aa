import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataWorld

/// One call of the online provider: what the app hands over becomes what the engine takes, and back.
struct OnlineOperation {
    let call: ServiceCall
    /// The model that results are read with unless the operation brings its own.
    let model: MetadataModel
    let options: RequestOptions

    // MARK: Reading

    /// - Parameter isBatched: The query goes in a batch of its own.
    func execute(_ query: DataQuery, isBatched: Bool) throws -> QueryResult {
        guard isBatched else {
            return result(try call.execute(input(query)), of: query)
        }
        let batch = RequestBatch()
        batch.addQuery(query, headers: HTTPHeaders(call.headers), options: options)
        return try process(batch, alone: { try execute(query, isBatched: false) }) {
            try batch.queryResult(for: query)
        }
    }

    func result(_ answer: QueryAnswer, of query: DataQuery) -> QueryResult {
        let found = QueryResult(
            query: query, result: results(query).value(answer.content), status: answer.status)
        found.messages = OnlineMessages.list(answer.messages)
        return found
    }

    func results(_ query: DataQuery) -> OnlineResults {
        OnlineResults(model: query.model ?? model)
    }

    /// The query as the engine takes it.
    func input(_ query: DataQuery) -> QueryInput {
        let wanted = query.copy()
        if wanted.model == nil { wanted.target.model = model }
        var input = QueryInput(graph: (wanted.model ?? model).graph, query: wanted.query)
        input.url = wanted.url
        if let call = wanted.methodCall, call.method.isAction {
            input.action = OperationCall(wanted, call)
        }
        input.tracksChanges = wanted.trackChanges
        input.expectsSingle = wanted.expectSingle || wanted.entityKey != nil
        input.type = wanted.entityType?.structureID
        input.set = wanted.entitySet?.id
        return input
    }

    /// Fills an entity with its present state.
    func load(_ entity: EntityValue, _ query: DataQuery?) throws {
        let set = entity.entitySet
        if set !== EntitySet.undefined, set.isSingleton || entity.hasKey() {
            let wanted = query?.copy() ?? DataQuery()
            (wanted.entitySet, wanted.url) = (set, nil)
            if !set.isSingleton { wanted.withKey(entity.entityKey) }
            entity.take(
                read: try call.load(
                    input(wanted), type: entity.entityType.structureID, set: entity.knownSet))
            return
        }
        var entities = EntityInput()
        let plan = try call.plan(
            entities.place(entity), options: query?.query ?? Query(path: ResourcePath()))
        entity.take(
            read: try call.load(
                plan, type: entity.entityType.structureID, set: entity.knownSet))
    }

    // MARK: Changes

    func create(_ entity: EntityValue) throws {
        try make { .create(try $0.creation(entity)) }
    }

    func update(_ entity: EntityValue) throws {
        try make { .update(try $0.update(entity)) }
    }

    func delete(_ entity: EntityValue) throws { try make { $0.delete(entity) } }

    func delete(matching query: DataQuery) throws {
        try call.delete(matching: try call.plan(input(query)), changeOptions(options))
    }

    func putLink(_ source: EntityValue, _ property: Property, _ target: EntityValue) throws {
        try make { $0.putLink(source, property, target) }
    }

    func deleteLink(_ source: EntityValue, _ property: Property, _ target: EntityValue) throws {
        try make { $0.deleteLink(source, property, target) }
    }

    func createMedia(_ entity: EntityValue, _ content: StreamBase) throws {
        defer { try? content.close() }
        try make(content: try StreamContent(content)) {
            .createMedia(try $0.update(entity), RequestWriter.StreamBody(content))
        }
    }

    private func make(
        content: StreamContent? = nil, _ change: (inout EntityInput) throws -> EntityChange
    ) throws {
        var entities = EntityInput()
        let change = try change(&entities)
        try call.make(change, changeOptions(options), content: content) { entities.apply($0) }
    }

    /// The options as the engine takes them; an identity that has to be made is kept in them.
    func changeOptions(_ options: RequestOptions) -> ChangeOptions {
        var wanted = ChangeOptions()
        wanted.updateMode = options.updateMode == .replace ? .replace : .merge
        wanted.prefersNoContent = options.preferNoContent
        wanted.sendsEmptyUpdate = options.sendEmptyUpdate
        guard options.repeatable else { return wanted }
        let now = call.world.now().seconds * 1000
        if options.requestID == nil {
            let identifier = call.world.makeIdentifier()
            options.requestID = Guid(high: identifier.0, low: identifier.1).description
            options.repeatabilityCreation = GlobalDateTime.milliseconds(now)
        }
        var identity = RepeatabilityIdentity(id: options.requestID ?? "", firstSent: now)
        if case .dateTimeOffset(let sent)? = options.repeatabilityCreation?.scalarValue() {
            identity.firstSent = sent.seconds * 1000
        }
        wanted.identity = identity
        return wanted
    }
}
