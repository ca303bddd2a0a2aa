import ODataQuery

/// Rows that a step treats by themselves: those of one expanded parent, or of one group.
struct RowPartition: Sendable {
    /// The value that tells its rows from those of all others; never null.
    var sql: SQLText
    /// The name of the column that carries it through subselects.
    var name: String
    /// A SELECT of all parts, with or without rows: this part's number and those of the parts around it, and what the
    /// rows of a group have in common.
    var all: SQLText
    /// The values that are the same in all rows of a group, as columns of ``all``.
    var shared: [DerivedColumn] = []
    /// The values of ``shared`` take the place of those that rows have under the same names.
    var overrides = false

    static let parentName = "_odata_parent_row"

    init(
        sql: SQLText, name: String, all: SQLText, shared: [DerivedColumn] = [],
        overrides: Bool = false
    ) {
        self.sql = sql
        self.overrides = overrides
        self.name = name
        self.all = all
        self.shared = shared
    }

    /// The parents that an expanded level is read for.
    init(parentsIn dialect: SQLDialect) {
        let key: SQLText = "\(name: "k").\(name: "key")"
        let parents = dialect.elements(of: SQLText(argument: .parentRows), alias: "k")
        self.init(
            sql: key, name: Self.parentName,
            all: "SELECT \(key) AS \(name: Self.parentName) FROM \(parents)")
    }
}

/// The rows that `$these` stands for: the input of the step that is compiled.
struct InputRows: Sendable {
    var from: SQLText
    var conditions: [SQLText]
    var scope: ExpressionCompiler.Scope
    /// Tells the rows of the part at hand from others; nil where the rows are in one part.
    var part: SQLText?
}
