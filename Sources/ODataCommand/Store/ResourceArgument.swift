import ODataClasses
import ODataModel
import ODataQuery
import ODataText

/// A resource as the command line gives it: a URL relative to the service root, checked against metadata.
struct ResourceArgument {
    let text: String
    let query: Query
    let resource: ResolvedResource
    let document: CSDLDocument

    /// - Throws: bad input naming the place, for a URL that does not parse or does not fit the model.
    init(_ text: String, in document: CSDLDocument) throws {
        let graph = document.graph
        let dialect = Dialect.of(graph.version)
        do {
            var query = try URLParser.parse(text, graph: graph, dialect: dialect)
            try QueryChecker.check(&query, graph: graph)
            resource = try ResourceResolver.resolve(query.path, in: graph)
            self.query = query
        } catch let error as ODataError {
            throw CommandError.badInput("'\(text)': \(error)")
        }
        self.text = text
        self.document = document
        switch resource.kind {
        case .entities, .entity, .value, .stream: break
        default:
            throw CommandError.badInput("'\(text)': expected entities, an entity or a value.")
        }
    }

    /// The query as providers take it.
    func dataQuery() throws -> DataQuery {
        let graph = document.graph
        let result = DataQuery()
        if let set = resource.entitySet { _ = result.from(document[set]) }
        result.url = try URLWriter.text(
            query, graph: graph, dialect: Dialect.of(graph.version))
        result.expectSingle = resource.kind == .entity && resource.form == .whole
        return result
    }

    /// The set that is meant, for creating in it.
    func entitySet() throws -> EntitySet {
        guard let id = resource.entitySet, resource.isDirect, resource.key == nil,
            !document.graph[id].isSingleton
        else { throw CommandError.badInput("'\(text)': expected an entity set such as Orders.") }
        return document[id]
    }

    /// Checks that one entity is meant.
    func requireEntity() throws {
        guard resource.kind == .entity, resource.form == .whole else {
            throw CommandError.badInput("'\(text)': expected one entity such as Orders(1).")
        }
    }
}
