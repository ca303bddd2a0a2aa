import ODataModel
import ODataQuery
import ODataText

/// The `if` of a JSON batch request (JSON Format 4.01, section 19.1): any Boolean expression of URL Conventions 4.01,
/// section 5.1.1, in which `$id/$succeeded` says whether an earlier request succeeded, and `$id` and `$id/path` are the
/// body of its answer and a part of that.
///
/// Bodies are JSON without a model: members that are not there are null, and text that is compared with a number, a
/// GUID or an instant is read as one.
package struct JSONBatchCondition: Sendable, Hashable {
    /// What a condition may ask of an earlier request.
    package struct Answer: Sendable {
        package let succeeded: Bool
        /// The body; nil where there is none, or none of JSON. Made once, however many conditions look at it.
        fileprivate let value: ODataValue?

        package init(succeeded: Bool, body: JSONValue? = nil) {
            self.succeeded = succeeded
            value = body.map(JSONBatchCondition.value)
        }
    }

    private let expression: Expression

    /// - Throws: `invalidQuery` with the offset in `text`, `limitExceeded` for more than 64 KiB.
    package init(parsing text: String) throws {
        guard text.utf8.count <= Self.maximumLength else {
            throw ODataError(
                .limitExceeded, "Expected a condition of at most \(Self.maximumLength) bytes.",
                at: .offset(Self.maximumLength))
        }
        expression = try URLParser.parseCondition(text)
    }

    private static let maximumLength = 64 << 10

    /// Whether it is true after these answers, by id; what is null or not known is not.
    ///
    /// - Throws: `invalidQuery` where operands do not fit, or the result is no Boolean.
    package func isTrue(
        after answers: [String: Answer], now: OffsetDateTime? = nil
    ) throws -> Bool {
        var evaluator = ExpressionEvaluator(graph: Self.model)
        evaluator.readsText = true
        evaluator.now = now
        for (id, answer) in answers {
            evaluator.variables["$\(id)/$succeeded"] = .scalar(.boolean(answer.succeeded))
            evaluator.variables["$\(id)"] = answer.value
        }
        switch try evaluator.evaluate(expression, for: .null) {
        case .scalar(.boolean(let holds)): return holds
        case .scalar(.null): return false
        default: throw ODataError(.invalidQuery, "Expected a condition that is true or false.")
        }
    }

    // MARK: Values

    /// A model of one open type, which every JSON object is of.
    private static let model: MetadataGraph = {
        let text = """
            <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="Json" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <ComplexType Name="Object" OpenType="true"/></Schema></edmx:DataServices></edmx:Edmx>
            """
        return (try? CSDLReader.read(Array(text.utf8))) ?? MetadataGraph(version: .v401)
    }()

    private static let object = model.structure(named: "Json.Object")

    fileprivate static func value(_ json: JSONValue) -> ODataValue {
        switch json {
        case .null: return .null
        case .boolean(let flag): return .scalar(.boolean(flag))
        case .string(let text): return .scalar(.string(text))
        case .number(let text): return .scalar(Lexical.scalar(text, as: .decimal) ?? .null)
        case .array(let items): return .list(items.map(value))
        case .object(let members):
            guard let object else { return .null }
            var result = StructureValue(type: object, in: model)
            for member in members.members {
                if member.name.hasPrefix("@") {
                    result.control.annotations[String(member.name.dropFirst())] = value(
                        member.value)
                } else {
                    result.dynamicValues[member.name] = value(member.value)
                }
            }
            return .structure(result)
        }
    }
}
