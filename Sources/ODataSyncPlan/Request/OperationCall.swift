import ODataModel
import ODataQuery
import ODataWire

/// The call of an action or function (Protocol 4.01, section 11.5).
package struct OperationCall: Sendable {
    /// The value of one parameter.
    package struct Argument: Sendable {
        package var name: String
        package var value: ODataValue
        /// The value as URLs say it.
        package var expression: Expression

        package init(name: String, value: ODataValue, expression: Expression) {
            self.name = name
            self.value = value
            self.expression = expression
        }
    }

    /// The model that the operation is of.
    package var graph: MetadataGraph
    package var operation: OperationDefinition
    /// The name that it is called by: of its import, or its own.
    package var name: String
    package var arguments: [Argument]
    /// The query that calls it: what it is bound to, and what is asked of its result.
    package var query: Query
    package var url: String?

    package init(
        graph: MetadataGraph, operation: OperationDefinition, name: String,
        arguments: [Argument], query: Query, url: String? = nil
    ) {
        self.graph = graph
        self.operation = operation
        self.name = name
        self.arguments = arguments
        self.query = query
        self.url = url
    }
}

extension RequestWriter {
    /// `POST` of an action with its arguments in the body; V2 has them in the URL.
    ///
    /// - Throws: `invalidQuery`, `unknownName` or `usage` for a call that does not fit the model.
    package func message(of call: OperationCall) throws -> RequestMessage {
        var query = call.query
        if let url = call.url {
            query = try URLParser.parse(url, graph: graph, dialect: Dialect.of(graph.version))
        }
        guard dialect.wrapsPayload else {
            try QueryChecker.check(&query, graph: graph)
            var arguments: [String: ODataValue] = [:]
            for argument in call.arguments { arguments[argument.name] = argument.value }
            return RequestMessage(
                method: "POST",
                url: try URLWriter.text(query, graph: graph, dialect: dialect),
                headers: ["Content-Type": Self.json],
                body: try EntityJSONWriter(graph, dialect: .v4)
                    .argumentsBody(arguments, of: call.operation))
        }
        query.path = ResourcePath([
            .operation(
                call.name,
                call.arguments.map { NamedArgument(name: $0.name, value: $0.expression) })
        ])
        try QueryChecker.check(&query, graph: graph)
        return RequestMessage(
            method: call.operation.httpMethod ?? "POST",
            url: try URLWriter.text(query, graph: graph, dialect: dialect))
    }
}
