import ODataModel
import ODataQuery

/// `$search` (URL Conventions 4.01, section 5.1.8), whose matching is the service's own: words in any case, and phrases as
/// words side by side in one property.
enum OracleSearch {
    /// The properties of an order that its index has.
    static let properties = ["Note", "Title"]

    static func matches(_ item: OracleItem, _ search: SearchExpression) -> Bool {
        switch search {
        case .term(let text), .phrase(let text):
            let wanted = words(text)
            return properties.contains { name in
                guard case .text(let text)? = item.row?.values[name] else { return false }
                let found = words(text)
                guard wanted.count <= found.count else { return false }
                return (0...(found.count - wanted.count)).contains {
                    found[$0..<($0 + wanted.count)].elementsEqual(wanted)
                }
            }
        case .not(let operand): return !matches(item, operand)
        case .and(let left, let right): return matches(item, left) && matches(item, right)
        case .or(let left, let right): return matches(item, left) || matches(item, right)
        }
    }

    private static func words(_ text: String) -> [[Unicode.Scalar]] {
        text.lowercased().unicodeScalars
            .split { !$0.properties.isAlphabetic && !("0"..."9" ~= $0) }
            .map(Array.init)
    }
}
