import ODataModel
import ODataQuery
import ODataText

/// `isdefined` (Data Aggregation 4.0, section 3.7): whether an instance has a property, be it null.
extension ExpressionCompiler {
    /// The name of the value that tells whether a row has the property of that name; only where some rows lack it.
    static func definition(of name: String) -> String { "_odata_has:" + name }

    func isDefined(_ argument: Expression) throws -> SQLTerm {
        guard case .path(let path) = argument, path.root == .it, !path.memberNames.isEmpty else {
            throw Self.invalid("Expected a property path in isdefined().")
        }
        let cursor = scopes[itScope].cursor
        let name = path.memberNames.joined(separator: "/")
        let made = cursor.dynamic.keys.filter { key in
            key == name || key.hasPrefix(name + "/") || name.hasPrefix(key + "/")
        }
        if !made.isEmpty {
            let tests = made.sorted().compactMap { cursor.dynamic[Self.definition(of: $0)]?.sql }
            guard tests.count == made.count else { return SQLTerm(SQLText(truth: true), .boolean) }
            return SQLTerm("(\(tests.joined(" OR ")))", .boolean)
        }
        guard !cursor.isDerived, let structure = cursor.structure else {
            return SQLTerm(SQLText(truth: false), .boolean)
        }
        let first = path.memberNames[0]
        if graph[structure].slot(named: first) != nil {
            return SQLTerm(SQLText(truth: true), .boolean)
        }
        guard let column = cursor.table?.system.dynamic else {
            return SQLTerm(SQLText(truth: false), .boolean)
        }
        return SQLTerm(
            dialect.hasMember(first, of: "\(name: cursor.alias).\(name: column)"), .boolean)
    }
}
