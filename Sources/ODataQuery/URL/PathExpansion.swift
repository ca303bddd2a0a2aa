import ODataModel

/// V2 writes nested expansion and selection as paths (`$expand=A/B&$select=A/Name`); ``Query`` nests them. This turns
/// one form into the other (V2 URI conventions, sections 4.6 and 4.8).
enum PathExpansion {
    /// Paths to nested items: `A/B` becomes B inside A, and `A/Name` of `$select` moves into A.
    static func nest(_ query: inout Query) {
        var root = NestedOptions()
        for item in query.expand {
            guard let names = item.path.propertyNames, names.count > 1 || !item.isStar else {
                root.expand.append(item)
                continue
            }
            insert(names[...], into: &root)
        }
        for item in query.select {
            guard let names = item.path.propertyNames else {
                root.select.append(item)
                continue
            }
            place(item, names[...], into: &root)
        }
        query.expand = root.expand
        query.select = root.select
    }

    private static func insert(_ names: ArraySlice<String>, into options: inout NestedOptions) {
        guard let first = names.first else { return }
        let path = ExpressionPath([.property(first)])
        let position: Int
        if let known = options.expand.firstIndex(where: { $0.path == path }) {
            position = known
        } else {
            options.expand.append(ExpandTerm(path))
            position = options.expand.count - 1
        }
        insert(names.dropFirst(), into: &options.expand[position].options)
    }

    private static func place(
        _ item: SelectTerm, _ names: ArraySlice<String>, into options: inout NestedOptions
    ) {
        guard let first = names.first else { return }
        let path = ExpressionPath([.property(first)])
        guard let position = options.expand.firstIndex(where: { $0.path == path }) else {
            if names.count == 1, first == "*" {
                options.selectsAll = true
            } else {
                options.select.append(SelectTerm(ExpressionPath(names.map { .property($0) })))
            }
            return
        }
        // The navigation property itself only says that the expansion is wanted.
        guard names.count > 1 else { return }
        place(item, names.dropFirst(), into: &options.expand[position].options)
    }

    /// The `$expand` paths of nested items, each path once.
    static func expandPaths(_ items: [ExpandTerm]) -> [[String]] {
        items.flatMap { item -> [[String]] in
            guard let names = item.path.propertyNames else { return [] }
            let inner = expandPaths(item.options.expand)
            return inner.isEmpty ? [names] : inner.map { names + $0 }
        }
    }

    /// The `$select` paths that say the same as the nested selections; empty when everything is selected.
    static func selectPaths(
        _ select: [SelectTerm], selectsAll: Bool, _ expand: [ExpandTerm]
    ) -> [[String]] {
        let own = select.compactMap(\.path.propertyNames)
        let inner = expand.map { item -> [[String]] in
            let names = item.path.propertyNames ?? []
            return selectPaths(
                item.options.select, selectsAll: item.options.selectsAll, item.options.expand
            ).map { names + $0 }
        }
        guard !own.isEmpty || selectsAll || inner.contains(where: { !$0.isEmpty }) else {
            return []
        }
        var paths = selectsAll || own.isEmpty ? [["*"]] : []
        paths += own
        for (item, nested) in zip(expand, inner) {
            paths += nested.isEmpty ? [item.path.propertyNames ?? []] : nested
        }
        return paths
    }
}
