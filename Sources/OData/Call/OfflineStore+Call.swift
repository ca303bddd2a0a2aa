import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataWorld

extension OfflineStore {
    /// Calls an action or a function of the service. It goes to the service at once, and needs the network: nothing of it
    /// is queued, and changes that wait here are not known to it.
    ///
    /// The answer does not come into the store, and neither do changes that an action makes at the service; both come with
    /// the next ``sync(within:)``.
    ///
    /// - Throws: ``ODataError``: `network` or `timeout` where no answer was obtained (an action may have been carried out all
    ///   the same), `service` with what the service says; `unknownName`, `wrongType` or `notImplemented` for an operation or
    ///   a parameter that does not fit the metadata; `conflict` for an entity that the service does not know yet; `wrongType`
    ///   for an answer that is of another type than the result; `readOnly` for a reader, `storeClosed`, `storeSuspended`;
    ///   `CancellationError`.
    @discardableResult
    public func call<Operation: RemoteOperation>(
        _ operation: Operation
    ) async throws -> Operation.Result {
        let core = core
        return try await core.run(on: core.calls, owner: true) { task in
            // Here as well: it may look for the rows of entities in the store, which blocks.
            try Operation.result(try RemoteCall(core: core).answer(to: operation, task))
        }
    }
}

/// Finds an operation in the metadata, asks the service, and hands over its answer; blocks.
private struct RemoteCall {
    let core: StoreCore

    func answer<Operation: RemoteOperation>(
        to operation: Operation, _ task: CancellationFlag
    ) throws -> OperationAnswer {
        let graph = try core.store.graph()
        var said = Values()
        operation.write(to: &said)
        let definition = try definition(Operation.name, operation.target, said, graph)
        let arguments = try said.arguments(of: definition, in: graph)
        var path = try path(to: operation.target, graph)
        path.segments.append(
            .operation(
                Operation.name,
                definition.hasParametersInURL(in: graph.version)
                    ? arguments.map { NamedArgument(name: $0.name, value: $0.expression) } : []))
        let query = ODataQuery.Query(path: path)
        var input = QueryInput(graph: graph, query: query)
        if definition.isAction {
            input.action = OperationCall(
                graph: graph, operation: definition, name: Operation.name, arguments: arguments,
                query: query)
        }
        let call = try core.call(task)
        let content = try call.execute(try call.plan(input)).content
        let store = core.store
        return OperationAnswer(content, RowModel(graph)) { set, value in
            (try? store.row(in: set, key: EntityPlace.key(of: value, in: graph)))??.id
        }
    }

    /// The overload for what it is called on whose parameters are said; the first one where none fits, so that its checks
    /// say what is wrong.
    private func definition(
        _ name: String, _ target: OperationTarget, _ said: Values, _ graph: MetadataGraph
    ) throws -> OperationDefinition {
        let isBound = target != .service
        var full = name
        if !isBound {
            guard let found = graph.operationImports.first(where: { $0.name == name }) else {
                throw Self.unknown(name)
            }
            full = found.operation
        }
        let qualified = graph.unaliased(full)
        let all = graph.operations.filter {
            $0.qualifiedName == qualified && $0.isBound == isBound
        }
        let bound = Self.bound(to: target, all, graph)
        let candidates = bound.isEmpty ? all : bound
        let names = Set(said.names)
        let fitting = candidates.first { candidate in
            Set(candidate.ownParameters.map(\.name)) == names
        }
        guard let definition = fitting ?? candidates.first else { throw Self.unknown(name) }
        return definition
    }

    /// The overloads of an operation that take what it is called on, the one for the most derived type first.
    private static func bound(
        to target: OperationTarget, _ overloads: [OperationDefinition], _ graph: MetadataGraph
    ) -> [OperationDefinition] {
        let (table, name, isCollection): (String, String?, Bool)
        switch target.content {
        case .service: return overloads
        case .row(let row, let type): (table, name, isCollection) = (row.table, type, false)
        case .set(let set, let type): (table, name, isCollection) = (set, type, true)
        }
        guard
            let type = name.flatMap({ graph.structure(named: $0) })
                ?? graph.declaredType(ofTable: table)
        else { return [] }
        var found: [(binding: StructureID, overload: OperationDefinition)] = []
        for overload in overloads {
            guard let parameter = overload.parameters.first?.type,
                parameter.isCollection == isCollection, let binding = parameter.structure,
                graph.isA(type, binding)
            else { continue }
            let place = found.firstIndex { $0.binding != binding && graph.isA(binding, $0.binding) }
            found.insert((binding, overload), at: place ?? found.endIndex)
        }
        return found.map(\.overload)
    }

    private static func unknown(_ name: String) -> ODataError {
        ODataError(
            .unknownName, "Expected an operation of the service, found none of this name.",
            at: name)
    }

    private func path(
        to target: OperationTarget, _ graph: MetadataGraph
    ) throws -> ResourcePath {
        var path = ResourcePath()
        let type: String?
        switch target.content {
        case .service: type = nil
        case .row(let row, let name):
            let address = try core.store.knownAddress(of: row, keys: .parentheses)
            path = try URLParser.parse(address, graph: graph, dialect: Dialect.of(graph.version))
                .path
            type = name
        case .set(let set, let name):
            path = ResourcePath([.entitySet(set)])
            type = name
        }
        if let type { path.segments.append(.typeCast(type)) }
        return path
    }
}
