import GRDB
import ODataText

/// What a change would have broken, as any of the databases says it.
package struct ViolatedConstraint: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The key of another row.
        case key
        case unique
        case foreignKey
        case notNull
        case check
        /// Anything else that the database's owner asks of rows, by triggers for example.
        case rule
    }

    package var kind: Kind
    /// What the database names: columns, or the constraint; never values.
    package var place: String?
    /// The one column that it is about; nil where there are several, or none is named.
    package var column: String?

    package init(_ kind: Kind, place: String? = nil, column: String? = nil) {
        self.kind = kind
        self.place = place
        self.column = column
    }

    /// As the protocol says it: 409 for keys and references in the way, 400 for values that columns refuse.
    package var answer: ODataError {
        let named = place.map { " (\($0))" } ?? ""
        var result: ODataError
        switch kind {
        case .key:
            result = ODataError(
                .conflict, "Expected a key that is free, found an entity that has it\(named).",
                status: 409)
        case .unique:
            result = ODataError(
                .conflict, "Expected values that no other entity has, as UNIQUE asks\(named).",
                status: 409)
        case .foreignKey:
            result = ODataError(
                .conflict, "Expected related entities to exist, a FOREIGN KEY points nowhere.",
                status: 409)
        case .notNull:
            result = ODataError(
                .invalidPayload,
                "Expected a value for every property that is not nullable, as NOT NULL asks"
                    + "\(named).", status: 400)
        case .check:
            result = ODataError(
                .invalidValue, "Expected values that a CHECK of the database accepts\(named).",
                status: 400)
        case .rule:
            result = ODataError(
                .invalidValue, "Expected values that the database accepts, a rule refused them.",
                status: 400)
        }
        if let column { result.location = .path(column) }
        return result
    }
}

extension ViolatedConstraint {
    /// What SQLite refuses.
    init(_ error: DatabaseError) {
        let kind: Kind =
            switch error.extendedResultCode {
            case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: .key
            case .SQLITE_CONSTRAINT_UNIQUE: .unique
            case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey
            case .SQLITE_CONSTRAINT_NOTNULL: .notNull
            case .SQLITE_CONSTRAINT_CHECK: .check
            default: .rule
            }
        let place = Self.place(error)
        self.init(kind, place: place, column: Self.column(place))
    }

    /// The constraint or the columns that SQLite names behind `… constraint failed: `; never values.
    private static func place(_ error: DatabaseError) -> String? {
        guard let message = error.message, let colon = message.firstRange(of: " failed: ") else {
            return nil
        }
        return String(message[colon.upperBound...].prefix(200))
    }

    /// `Title` of `Tools.Title`; nil where several columns or none are named.
    private static func column(_ place: String?) -> String? {
        guard let place, !place.contains(","), !place.contains(" "),
            let dot = place.lastIndex(of: ".")
        else { return nil }
        return String(place[place.index(after: dot)...])
    }
}

/// What SQLite refuses, as the protocol says it.
enum SQLFailure {
    /// - Throws: 409 for keys and references in the way, 400 for values that columns refuse.
    static func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw translated(error)
        }
    }

    static func translated(_ error: DatabaseError) -> ODataError {
        ViolatedConstraint(error).answer
    }
}
