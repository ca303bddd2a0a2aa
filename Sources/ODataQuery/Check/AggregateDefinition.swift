import ODataModel
import ODataText

/// What a custom aggregate means here (Data Aggregation 4.0, section 4.3, leaves that to the service): the text that a
/// model gives beside its declaration, an aggregate such as `Amount with sum` or an expression of several of them such
/// as `$these/aggregate(Amount with sum) divby $these/aggregate($count)`.
package enum AggregateDefinition: Sendable, Hashable {
    case term(AggregateTerm)
    case expression(Expression)

    /// The term of the annotation on `Aggregation.CustomAggregate` that holds the text.
    package static let termName = "OfflineOData.V1.Definition"

    /// - Throws: `invalidQuery` or `unknownName` for a text that is no aggregate of instances of the type.
    package init(_ text: String, of type: StructureID, graph: MetadataGraph) throws {
        let checker = try ExpressionChecker(
            graph: graph, item: TypeReference(.structure(type)), aliases: AliasExpansion())
        let steps = try? URLParser.parseApply("aggregate(\(text) as Value)", graph: graph)
        if case .aggregate(let terms)? = steps?.first, steps?.count == 1, var term = terms.first,
            terms.count == 1
        {
            _ = try checker.check(&term)
            self = .term(term)
            return
        }
        let expression = try URLParser.parseExpression(text, graph: graph, dialect: .v401)
        self = .expression(try checker.check(expression).expression)
    }
}

extension MetadataGraph {
    /// The definition of a custom aggregate of the type, its sets or the container; nil where the model has none.
    package func aggregateDefinition(_ name: String, of type: StructureID?) -> String? {
        guard
            let annotation = customAggregateAnnotation(name, of: type),
            case .string(let text)? = annotation.annotations.first(
                term: AggregateDefinition.termName)?.value
        else { return nil }
        return text
    }
}
