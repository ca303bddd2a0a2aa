/// Which tables and views a service exposes.
package struct TableChoice: Sendable, Hashable {
    /// Names, in which `*` stands for any characters; empty for everything.
    package var included: [String]
    /// Names in the same form that are left out even if they are included.
    package var excluded: [String]

    package init(included: [String] = [], excluded: [String] = []) {
        self.included = included
        self.excluded = excluded
    }

    /// True for a name that is chosen.
    package func includes(_ name: String) -> Bool {
        (included.isEmpty || included.contains { Self.matches(name, $0) })
            && !excluded.contains { Self.matches(name, $0) }
    }

    /// Compares without regard to case, as SQLite compares names.
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let pieces = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
        var rest = name.lowercased()[...]
        guard let first = pieces.first, rest.hasPrefix(first) else { return false }
        if pieces.count == 1 { return rest == first }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pieces[pieces.count - 1])
    }
}
