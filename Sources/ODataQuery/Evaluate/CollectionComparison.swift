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

    /// So many members from a position on, which counts from the end where it is negative.
    package static func part<Member>(
        of whole: [Member], from start: Int64, length: Int64
    ) -> [Member] {
        let count = Int64(whole.count)
        let first =
            start < 0
            ? max(0, count.addingReportingOverflow(start).partialValue) : min(start, count)
        let taken = min(count - first, max(0, length))
        return Array(whole[Int(first)..<Int(first + taken)])
    }
}
