import ODataSQL

/// A table of a ``ServedDatabase`` whose changes are wanted, with what names its rows.
package struct KeyedTable: Sendable, Hashable {
    package var name: String
    /// Columns, in key order.
    package var key: [String]

    package init(_ name: String, key: [String]) {
        self.name = name
        self.key = key
    }
}

/// Which tables' changes are noted, and why those of others are not.
package struct NotedTables: Sendable, Hashable {
    package var names: Set<String>
    /// One sentence each, for people.
    package var problems: [String]

    package init(names: Set<String> = [], problems: [String] = []) {
        self.names = names
        self.problems = problems
    }
}

/// What one page of a delta asks of the log.
package struct LogSpan: Sendable, Hashable {
    package var table: String
    /// Changes that this place saw are known to the client.
    package var from: String
    /// Of changes up to this place the client has perhaps seen some, in pages that it read behind the first; nil where there were
    /// none.
    package var until: String?
    /// Later changes belong to the next delta; nil for the present place.
    package var through: String?
    /// The number of the last change of the row that was told last.
    package var after: Int64
    /// How many rows there may be.
    package var limit: Int
}

/// Rows of a ``LogSpan``, in the order of their last changes.
package struct LoggedRows: Sendable {
    package struct Row: Sendable {
        /// The values of the key, as queries read them.
        package var key: [SQLArgument]
        /// The numbers of its first and of its last change in the span.
        package var first: Int64
        package var last: Int64
        /// All of its changes in the span, where the client has perhaps seen some of them; else nil.
        package var seen: [Int64]?

        package init(key: [SQLArgument], first: Int64, last: Int64, seen: [Int64]?) {
            self.key = key
            self.first = first
            self.last = last
            self.seen = seen
        }
    }

    /// The place where the span ends.
    package var through: String
    package var rows: [Row]

    package init(through: String, rows: [Row]) {
        self.through = through
        self.rows = rows
    }
}

/// What a log may grow to; the oldest changes beyond it are forgotten.
package struct LogBounds: Sendable, Hashable {
    package var changes: Int
    /// About.
    package var bytes: Int64
    package var seconds: Int64
    /// Seconds since 1970, from which ``seconds`` are counted back.
    package var now: Int64

    package init(changes: Int = .max, bytes: Int64 = .max, seconds: Int64 = .max, now: Int64) {
        self.changes = changes
        self.bytes = bytes
        self.seconds = seconds
        self.now = now
    }
}
