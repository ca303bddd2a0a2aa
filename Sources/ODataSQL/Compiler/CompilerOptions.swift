import ODataModel
import ODataQuery

/// What a compiler is told beside query and mapping.
package struct CompilerOptions: Sendable {
    package var dialect: SQLDialect
    /// Rows deleted here are not there.
    package var hidesDeleted: Bool
    /// The values that order the rows are read behind all others, and the order is total.
    package var exposesOrder = false
    /// Only rows behind the one with these values, as ``exposesOrder`` gave them.
    package var rowsBehind: [SQLArgument]?
    /// The present for `now()`; nil lets the database tell it.
    package var now: OffsetDateTime?
    /// Compiles functions that are not OData's own, beside those of ``EntityState``: the lower-case name, the
    /// arguments, the table and the alias of the row; nil when the function is unknown.
    package var customFunction:
        (@Sendable (String, [Expression], TableMapping, String) throws -> SQLTerm?)?
    /// The full-text index of a table; nil where it has none.
    package var searchIndex: (@Sendable (TableMapping) -> SearchIndex?)?
    /// A further condition on every row of a table that is read, by table and alias.
    package var visibility: (@Sendable (TableMapping, String) -> SQLText?)?

    package init(
        dialect: SQLDialect = .sqlite, hidesDeleted: Bool = true, now: OffsetDateTime? = nil
    ) {
        self.dialect = dialect
        self.hidesDeleted = hidesDeleted
        self.now = now
    }

    /// The condition under which a row is visible; nil when every row is.
    ///
    /// - Parameter isNamed: The row is reached by its key or by a link, so that it is there even if only its key is known.
    func visible(_ table: TableMapping, alias: String, isNamed: Bool = true) -> SQLText? {
        var conditions: [SQLText] = []
        if hidesDeleted, let state = table.system.state {
            let hidden: EntityState = isNamed ? .deleted : .hidden
            conditions.append(
                "(\(name: alias).\(name: state) & \(number: hidden.rawValue)) = 0")
        }
        if let visibility, let condition = visibility(table, alias) {
            conditions.append("(\(condition))")
        }
        return conditions.isEmpty ? nil : conditions.joined(" AND ")
    }
}
