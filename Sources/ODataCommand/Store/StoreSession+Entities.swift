import SAPOData
import ODataModel
import ODataQuery

extension StoreSession {
    func resource(_ text: String) throws -> ResourceArgument {
        try ResourceArgument(text, in: document)
    }

    /// Answers a query from the store.
    func execute(_ resource: ResourceArgument) throws -> QueryResult {
        let query = try resource.dataQuery()
        return try CommandError.operation {
            try provider.executeQuery(query, headers: .empty, options: .none)
        }
    }

    /// The entity that is meant.
    ///
    /// - Throws: a failed operation when the store does not have it.
    func entity(_ resource: ResourceArgument) throws -> EntityValue {
        try resource.requireEntity()
        let result = try execute(resource)
        guard let entity = try CommandError.operation({ try result.optionalEntity() }) else {
            throw CommandError.failed("'\(resource.text)': no such entity in the store.")
        }
        return entity
    }

    /// The entity that a text addresses.
    func entity(_ text: String) throws -> EntityValue { try entity(try resource(text)) }

    /// The entity that a text names by its key, whether the store has it or not.
    func namedEntity(_ text: String) throws -> EntityValue {
        let argument = try resource(text)
        try argument.requireEntity()
        guard let set = argument.resource.entitySet, argument.resource.isDirect,
            let key = argument.resource.key
        else { return try entity(argument) }
        let graph = document.graph
        var value = StructureValue(type: graph[set].type, in: graph)
        for (part, scalar) in zip(graph[value.type].key, key) {
            guard let slot = graph[value.type].slot(named: part.path) else { continue }
            value.slots[slot] = .scalar(scalar)
        }
        let entity = EntityValue.ofType(document[set].entityType).inSet(document[set])
        entity.takeOver(value, type: document[set].entityType)
        return entity
    }
}
