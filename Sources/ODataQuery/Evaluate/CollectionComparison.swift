/// The functions that compare two collections, whatever their members are (URL Conventions 4.01, sections 5.1.1.5 and 5.1.1.6).
package enum CollectionComparison {
    /// Whether `part` is in `whole` as the function asks; nil for functions that give no truth.
    package static func truth<Member: Equatable>(
        of function: Function, _ whole: [Member], _ part: [Member]
    ) -> Bool? {
        switch function {
        case .contains: return position(of: part, in: whole) != nil
        case .startsWith: return whole.starts(with: part)
        case .endsWith: return whole.reversed().starts(with: part.reversed())
        case .hasSubset:
            var rest = whole
            return part.allSatisfy { member in
                guard let index = rest.firstIndex(of: member) else { return false }
                rest.remove(at: index)
                return true
            }
        case .hasSubsequence:
            var rest = whole[...]
            return part.allSatisfy { member in
                guard let index = rest.firstIndex(of: member) else { return false }
                rest = rest[(index + 1)...]
                return true
            }
        default: return nil
        }
    }

    /// Where the members of `part` begin to stand side by side in `whole`; nil where they do not.
    package static func position<Member: Equatable>(
        of part: [Member], in whole: [Member]
    ) -> Int? {
        guard part.count <= whole.count else { return nil }
        return (0...(whole.count - part.count)).first { whole[$0...].starts(with: part) }
    }
}
