import Foundation
import ODataModel
import ODataQuery

/// The functions on collections (URL Conventions 4.01, section 5.1.1.6). Members are the same when a comparison by `eq`
/// would say so, null with the literal null.
enum OracleCollections {
    /// Nil for functions on something else.
    static func value(_ function: Function, _ arguments: [OracleValue]) -> OracleValue? {
        guard arguments.count == 2, case .list(let whole) = arguments[0],
            case .list(let part) = arguments[1]
        else { return nil }
        switch function {
        case .hasSubset: return .truth(hasSubset(whole, part))
        case .hasSubsequence:
            var rest = part[...]
            for member in whole {
                if let next = rest.first, isSame(next, member) { rest.removeFirst() }
            }
            return .truth(rest.isEmpty)
        case .contains: return .truth(position(of: part, in: whole) != nil)
        case .indexOf: return .whole(Int64(position(of: part, in: whole) ?? -1))
        case .startsWith: return .truth(isSame(whole.prefix(part.count), part[...]))
        case .endsWith: return .truth(isSame(whole.suffix(part.count), part[...]))
        default: return nil
        }
    }

    /// Each member of the second has one of its own in the first.
    private static func hasSubset(_ whole: [OracleValue], _ part: [OracleValue]) -> Bool {
        var rest = whole
        for member in part {
            guard let found = rest.firstIndex(where: { isSame($0, member) }) else { return false }
            rest.remove(at: found)
        }
        return true
    }

    private static func position(of part: [OracleValue], in whole: [OracleValue]) -> Int? {
        guard part.count <= whole.count else { return nil }
        return (0...(whole.count - part.count)).first {
            isSame(whole[$0..<($0 + part.count)], part[...])
        }
    }

    private static func isSame(
        _ a: ArraySlice<OracleValue>, _ b: ArraySlice<OracleValue>
    ) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
    }

    private static func isSame(_ a: OracleValue, _ b: OracleValue) -> Bool {
        OracleValue.rank(a, b) == .equal
    }

    /// A collection of texts and whole numbers as JSON has it.
    static func read(_ text: String) throws -> OracleValue {
        let found = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let members = found as? [Any] else { throw OracleEvaluator.unknown() }
        return .list(
            try members.map { member in
                switch member {
                case let text as String: .text(text)
                case let number as Int: .whole(Int64(number))
                case is NSNull: .null
                default: throw OracleEvaluator.unknown()
                }
            })
    }
}
