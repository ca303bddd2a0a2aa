import ODataModel
import ODataSQLite
import ODataStore
import ODataSyncPlan

/// The engine's session behind a ``Transaction``, with errors of this face: the body of a write may catch them.
struct TypedSession {
    private let session: ChangeSession

    init(_ session: ChangeSession) { self.session = session }

    /// Makes one change, or none of it where it throws.
    @discardableResult
    func perform(_ write: LocalWrite, _ options: WriteOptions) throws -> RowReference {
        try ODataError.translating { try session.perform(write, options) }
    }

    /// Makes changes all or not at all.
    func together<Result>(_ body: () throws -> Result) throws -> Result {
        try ODataError.translating { try session.together(body) }
    }

    /// Values and flags of a row in view; nil when it is not there.
    ///
    /// - Throws: `notLoaded` where nothing but its key is known.
    func state(of row: RowReference) throws -> RowState? {
        try ODataError.translating {
            let state = try session.state(of: row)
            try state?.checkLoaded(at: row.table)
            return state
        }
    }

    /// Answers a query from what the changes so far have left.
    func run(_ shape: QueryShape, in graph: MetadataGraph) throws -> ODataSQLite.ResultPage {
        try ODataError.translating { try session.run(try shape.checked(in: graph)) }
    }
}
