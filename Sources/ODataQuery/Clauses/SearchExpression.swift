import ODataModel
import ODataText

/// What `$search` asks for (URL Conventions 4.01, section 5.1.8). Words side by side are joined by `and`.
package indirect enum SearchExpression: Sendable, Hashable {
    /// A word.
    case term(String)
    /// Text between double quotes, without them.
    case phrase(String)
    case not(SearchExpression)
    case and(SearchExpression, SearchExpression)
    case or(SearchExpression, SearchExpression)

    /// The expression that a text states; text that is no expression is one phrase.
    package init(text: String) {
        self = (try? URLParser.parseSearch(text)) ?? .phrase(text)
    }

    /// The expression as text that is not percent-encoded.
    package var text: String {
        var writer = ExpressionWriter(graph: nil, dialect: .v401, encoding: nil)
        writer.write(search: self)
        return writer.output
    }

    /// The text for services that take words only (SAP's `search` of V2): words joined by `and` without the operator.
    package var plainText: String {
        switch self {
        case .term(let text), .phrase(let text): text
        case .and(let left, let right) where left.isPlain && right.isPlain:
            "\(left.plainText) \(right.plainText)"
        default: text
        }
    }

    private var isPlain: Bool {
        switch self {
        case .term: true
        case .and(let left, let right): left.isPlain && right.isPlain
        default: false
        }
    }

    /// The words and phrases that are not negated, from left to right.
    package var positiveTerms: [String] {
        switch self {
        case .term(let text), .phrase(let text): [text]
        case .not: []
        case .and(let left, let right), .or(let left, let right):
            left.positiveTerms + right.positiveTerms
        }
    }

    /// Rank of the operator; `NOT` binds tighter than `AND`, and that than `OR`.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .not: 3
        case .term, .phrase: 4
        }
    }
}
