import ODataSQL

/// What SQLite says about a database file: its tables and views as they are, nothing decided yet.
package struct DatabaseSchema: Sendable, Hashable {
    /// By name, tables before views.
    package var tables: [Table]
    /// What could not be read, and values that are not of their column's type, for people.
    package var problems: [String]

    package init(tables: [Table], problems: [String] = []) {
        self.tables = tables
        self.problems = problems
    }

    package struct Table: Sendable, Hashable {
        package var name: String
        package var isView: Bool
        /// False for a view and for a `WITHOUT ROWID` table.
        package var hasRowID: Bool
        package var columns: [Column]
        package var foreignKeys: [ForeignKey]
        /// Column names of every unique index over plain columns, without the primary key; for a view, columns whose
        /// values were found to be unique and never null.
        package var uniqueKeys: [[String]]
        /// The column that has the entity tag of each row; nil where there is none.
        package var tagColumn: String?
        /// The columns that an index over all rows begins with, in lower case.
        var indexed: Set<String> = []

        package init(
            name: String, isView: Bool = false, hasRowID: Bool = true, columns: [Column],
            foreignKeys: [ForeignKey] = [], uniqueKeys: [[String]] = []
        ) {
            self.name = name
            self.isView = isView
            self.hasRowID = hasRowID
            self.columns = columns
            self.foreignKeys = foreignKeys
            self.uniqueKeys = uniqueKeys
        }

        /// The columns of the primary key in its order; empty when there is none.
        package var primaryKey: [Column] {
            columns.filter { $0.primaryKeyPosition > 0 }
                .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
        }

        /// True for another name of the row id, which SQLite draws where none is given: `INTEGER PRIMARY KEY`, no other type.
        package func isRowID(_ column: Column) -> Bool {
            hasRowID && column.declaredType.uppercased() == "INTEGER" && primaryKey == [column]
        }

        /// The name of the row id that no column takes; nil where columns take all of them.
        var rowIDName: String? {
            let taken = Set(columns.map { $0.name.lowercased() })
            return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        }

        /// True for a column by which rows are found, from here or from another table; what it holds is shown as it is.
        func identifiesRows(_ column: Column) -> Bool {
            let name = column.name.lowercased()
            return column.primaryKeyPosition > 0
                || (uniqueKeys + foreignKeys.map(\.columns)).joined()
                    .contains { $0.lowercased() == name }
        }

        package func column(named name: String) -> Column? {
            columns.first { $0.name == name }
                ?? columns.first { $0.name.lowercased() == name.lowercased() }
        }
    }

    package struct Column: Sendable, Hashable {
        package var name: String
        /// As declared, such as `DECIMAL(10,2)`; empty when nothing was.
        package var declaredType: String
        package var isNotNull: Bool
        package var defaultSQL: String?
        /// One-based; 0 outside the primary key.
        package var primaryKeyPosition: Int
        package var isGenerated: Bool
        /// The database makes a value, not always the same, where a new row has none.
        package var hasComputedDefault = false
        /// What a sample of the column's values looks like; nil when it holds no value yet.
        package var observed: ObservedValues?
        /// What the type is where the database says so itself; nil leaves it to the declared type's words.
        package var typing: ColumnTyping?
        /// The column as it is, where another form of it is read.
        package var native: NativeColumn?

        package init(
            name: String, declaredType: String = "", isNotNull: Bool = false,
            defaultSQL: String? = nil, primaryKeyPosition: Int = 0, isGenerated: Bool = false,
            observed: ObservedValues? = nil
        ) {
            self.name = name
            self.declaredType = declaredType
            self.isNotNull = isNotNull
            self.defaultSQL = defaultSQL
            self.primaryKeyPosition = primaryKeyPosition
            self.isGenerated = isGenerated
            self.observed = observed
        }
    }

    package struct ForeignKey: Sendable, Hashable {
        package var columns: [String]
        package var targetTable: String
        /// As many as ``columns``; the target's primary key where the declaration names none.
        package var targetColumns: [String]
        package var cascadesDelete: Bool
        package var setsNullOnDelete: Bool

        package init(
            columns: [String], targetTable: String, targetColumns: [String],
            cascadesDelete: Bool = false, setsNullOnDelete: Bool = false
        ) {
            self.columns = columns
            self.targetTable = targetTable
            self.targetColumns = targetColumns
            self.cascadesDelete = cascadesDelete
            self.setsNullOnDelete = setsNullOnDelete
        }
    }

    /// The storage classes met in a sample of a column's values.
    package struct ObservedValues: Sendable, Hashable {
        package var holdsNumbers = false
        package var holdsTexts = false
        package var holdsBlobs = false
        package var greatestInteger: Int64?

        package init() {}
    }
}
