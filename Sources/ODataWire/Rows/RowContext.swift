/// A row's own context URL tells the special entries of a 4.0 delta apart (JSON Format 4.01, sections 10 and 15).
extension ContextURL {
    /// What a row with this context is in a page of the set or containment path.
    func rowKind(in path: String) -> IncomingRow.Kind {
        switch kind {
        case .deletedEntity: removalKind(in: path)
        case .deletedLink: .deletedLink
        case .link: .link
        case .entity: rowPath == path ? .entity : .foreign(path: rowPath)
        case .plain, .delta: .entity
        }
    }

    /// What the row is when it says that it is removed: a removal from another set is that set's.
    func removalKind(in path: String) -> IncomingRow.Kind {
        let own = rowPath
        return kind == .plain || own.isEmpty || own == path ? .removed : .foreign(path: own)
    }

    /// `Tools(7)/Parts` without what stands in parentheses: `Tools/Parts`; type casts fall away too.
    package var rowPath: String {
        var result = ""
        var depth = 0
        for character in path {
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
