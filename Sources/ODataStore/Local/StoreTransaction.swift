import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWorld

/// What one transaction works with: the connection, the tables and the world. Lives as long as the transaction.
struct StoreTransaction {
    let database: Database
    let mapping: SchemaMapping
    let world: any World
    let texts: RowTexts
    /// How keys stand in the paths of the service.
    var keys = KeyStyle.parentheses
    /// Told how requests leave the queue.
    var departures: QueueDepartures?

    var graph: MetadataGraph { mapping.graph }
    var settings: StoreSettings { StoreSettings(database: database) }
    var requests: RequestRows { RequestRows(database: database, graph: graph) }
    var links: LinkRows { LinkRows(database: database, mapping: mapping) }

    /// The same with keys in another style; nil leaves it.
    func with(_ keys: KeyStyle?) -> StoreTransaction {
        var other = self
        other.keys = keys ?? self.keys
        return other
    }

    func table(_ path: String) throws -> TableMapping { try mapping.existingTable(path: path) }

    func texts(of path: String) throws -> TableTexts { try texts.texts(of: path, in: mapping) }

    func access(_ path: String) throws -> RowAccess {
        RowAccess(database: database, texts: try texts(of: path))
    }

    func access(_ table: TableMapping) -> RowAccess {
        RowAccess(database: database, texts: texts.texts(of: table, in: graph))
    }

    func images(_ path: String) throws -> BaseImages {
        BaseImages(database: database, texts: try texts(of: path))
    }

    /// Values and flags of a row in view; nil when it is not there.
    func state(of row: RowReference) throws -> RowState? {
        try visibleRow(row).map { RowState(values: $0.values, flags: RowFlags($0.state)) }
    }

    /// Takes a row out of the store for good.
    func forget(_ row: RowReference) throws {
        let images = try images(row.table)
        try images.drop(id: row.id)
        try images.rows.delete(id: row.id)
        try links.removeAll(of: row)
    }

    /// Runs `body` so that nothing of it stays when it cannot be carried out.
    ///
    /// - Returns: why it could not; nil when it was.
    /// - Throws: what is wrong with the file, and no reason to go on.
    func attempt(_ body: () throws -> Void) throws -> ODataError? {
        var refusal: ODataError?
        try database.inSavepoint {
            do {
                try body()
                return .commit
            } catch let error as ODataError where error.code != .storage {
                refusal = error
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                refusal = ODataError(
                    .conflict, "Expected rows that the tables take, found one that breaks a rule.",
                    underlying: error)
            }
            return .rollback
        }
        return refusal
    }

    /// Milliseconds since 1970.
    var now: Int64 {
        let now = world.now()
        return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
    }

    /// A GUID in lower-case text.
    func makeIdentifier() -> String {
        let (high, low) = world.makeIdentifier()
        return Guid(high: high, low: low).description
    }

    func reference(_ table: TableMapping, _ id: Int64) -> RowReference {
        RowReference(table: table.path, id: id)
    }
}
