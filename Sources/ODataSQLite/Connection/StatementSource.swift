import GRDB
import ODataSQL
import Synchronization

/// A connection that its caller has to itself, as far as running statements goes.
package protocol StatementSource {
    /// Prepares a statement, or takes it from those that the connection keeps, with these values bound.
    func statement(
        _ statement: SQLStatement, _ arguments: [SQLArgument], _ id: StatementID?
    ) throws -> RawStatement

    /// A statement that the connection keeps, with these values bound; nil when it keeps none by that id.
    func kept(_ id: StatementID, _ arguments: [SQLArgument]) throws -> RawStatement?
}

extension StatementSource {
    package func kept(_ id: StatementID, _ arguments: [SQLArgument]) throws -> RawStatement? { nil }
}

/// Stands for the text of a statement that runs often, so that it is found without reading the text.
package struct StatementID: Sendable, Hashable {
    fileprivate let number: Int

    /// An id that no other statement has.
    package init() { number = Self.next.add(1, ordering: .relaxed).newValue }

    private static let next = Atomic(0)
}

/// Handles by the ids of their statements. Each id has one place; where two ids meet, the one used last stays and the
/// other is found by its text.
struct StatementTable {
    private var places = [(number: Int, handle: OpaquePointer?)](
        repeating: (0, nil), count: placeCount)

    subscript(id: StatementID) -> OpaquePointer? {
        get {
            let place = places[id.number & (Self.placeCount - 1)]
            return place.number == id.number ? place.handle : nil
        }
        set { places[id.number & (Self.placeCount - 1)] = (id.number, newValue) }
    }

    mutating func removeAll() { self = StatementTable() }

    /// A power of two.
    private static let placeCount = 256
}

extension Database: StatementSource {
    package func statement(
        _ statement: SQLStatement, _ arguments: [SQLArgument], _ id: StatementID?
    ) throws -> RawStatement {
        // Statements with long lists come in too many shapes to be kept.
        let isKept = arguments.count <= RawStatement.maximumKeptArguments
        let prepared =
            isKept
            ? try cachedStatement(sql: statement.text) : try makeStatement(sql: statement.text)
        return RawStatement(prepared.sqliteStatement, arguments, owner: prepared)
    }

    /// Runs a statement that gives no rows.
    ///
    /// - Parameter isKept: It stays prepared, whatever number of values it takes; for texts that there are few of.
    /// - Throws: `DatabaseError`.
    package func run(_ text: String, _ arguments: [SQLArgument], isKept: Bool = true) throws {
        let prepared = isKept ? try cachedStatement(sql: text) : try makeStatement(sql: text)
        try RawStatement(prepared.sqliteStatement, arguments, owner: prepared).run()
    }
}
