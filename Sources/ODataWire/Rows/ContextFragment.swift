/// The fragment of a row's own context URL, which tells the special entries of a 4.0 delta apart
/// (JSON Format 4.01, sections 10 and 15).
struct ContextFragment {
    let text: Substring

    init(_ context: String) {
        let fragment = context.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        text = fragment.count > 1 ? fragment[1] : fragment[0]
    }

    /// What a row with this context is in a page of the set or containment path.
    func kind(in path: String) -> IncomingRow.Kind {
        guard let slash = text.lastIndex(of: "/") else { return .entity }
        let set = text[..<slash]
        switch text[text.index(after: slash)...] {
        case "$deletedEntity": return removal(in: path)
        case "$deletedLink": return .deletedLink
        case "$link": return .link
        case "$entity":
            let plain = Self.withoutSelection(set)
            return plain == path ? .entity : .foreign(path: plain)
        default: return .entity
        }
    }

    /// What the row is when it says that it is removed: a removal from another set is that set's.
    func removal(in path: String) -> IncomingRow.Kind {
        guard let slash = text.lastIndex(of: "/"), text[slash...].hasPrefix("/$") else {
            return .removed
        }
        let plain = Self.withoutSelection(text[..<slash])
        return plain.isEmpty || plain == path ? .removed : .foreign(path: plain)
    }

    /// `Tools(Id,Title)/Parts` without what stands in parentheses: `Tools/Parts`; type casts fall away too.
    private static func withoutSelection(_ text: Substring) -> String {
        var result = ""
        var depth = 0
        for character in text {
            switch character {
            case "(": depth += 1
            case ")": depth -= 1
            default: if depth == 0 { result.append(character) }
            }
        }
        // A dot in the first name belongs to a container, in any other to a type.
        let names = result.split(separator: "/")
        return
            (names.prefix(1).map { $0.split(separator: ".").last ?? $0 }
            + names.dropFirst().filter { !$0.contains(".") }).joined(separator: "/")
    }
}
