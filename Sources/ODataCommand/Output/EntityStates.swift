import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import SAPOData

/// The entity of a pending request as each side has it: `base` as the service last said it, `local` as it is here,
/// `server` as the service says it now. A side is null where it does not have the entity, and missing where nobody knows.
struct EntityStates {
    private(set) var sides: [(name: String, state: JSONValue)] = []
    /// The service lets nobody in who asks like this.
    private(set) var refusal: CommandError?
    /// The rows that came since and may be what a creation of unknown fate made.
    private(set) var candidates: [JSONValue] = []

    /// Asks the store and, for a request that has failed, the service; why that cannot be reached is a note.
    ///
    /// - Throws: a failed operation when the store cannot be read.
    init(of request: PendingRequest, _ session: StoreSession, _ console: Console) throws {
        guard let row = request.request?.target else { return }
        let json = ResultJSON(graph: session.graph)
        try CommandError.operation {
            let store = try session.provider.scope().store
            let local = try store.entity(row)?.values
            let base = try store.base(of: row)
            sides = [("base", base), ("local", local)].map { name, values in
                (name, values.map(json.structure) ?? .null)
            }
            if let request = request.request, request.state.isUnknown {
                let candidates = try store.candidates(of: request)
                if !candidates.isEmpty {
                    self.candidates = candidates.map(json.structure)
                }
            }
            // What waits is looked at without a network; a creation has no address there before it was answered.
            guard request.isFailed, request.request?.operation != .create else { return }
            do {
                sides.append(("server", try Self.server(try store.address(of: row), session, json)))
            } catch let error as DataServiceError where [401, 403].contains(error.status) {
                refusal = .failed("server: " + CommandError(error).description)
            } catch {
                console.note("server: " + CommandError(error).description)
            }
        }
    }

    private static func server(
        _ address: String, _ session: StoreSession, _ json: ResultJSON
    ) throws -> JSONValue {
        let query = try ResourceArgument(address, in: session.document).dataQuery()
        do {
            let found = try session.provider.onlineProvider.executeQuery(
                query, headers: .empty, options: .none)
            return json.value(try found.optionalEntity())
        } catch let error as DataServiceError where error.status == 404 || error.status == 410 {
            return .null
        }
    }

    /// What the sides see differently, a line for each property.
    var table: TextTable {
        var table = TextTable(["property"] + sides.map(\.name))
        var names: [String] = []
        for side in sides {
            for member in side.state.object?.members ?? [] where !names.contains(member.name) {
                names.append(member.name)
            }
        }
        for name in names {
            let values = sides.map { $0.state[name] }
            guard Set(values).count > 1 else { continue }
            table.append([name] + values.map { ResultJSON.cell($0) })
        }
        return table
    }
}
