import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport

/// A row that the service does not show, so that an update cannot replace it without losing what is not known here.
struct UnshownRow: Error {
    let row: RowReference
    let reason: ODataError

    /// As what stands against the update.
    var failure: RequestFailure {
        RequestFailure(
            status: reason.status, code: nil,
            message:
                "The row has to be replaced as a whole, was downloaded in part, and cannot be read: "
                + reason.message, innerError: nil, responseBody: nil)
    }
}

extension UploadRun {
    /// The rows that updates have to say whole, by request: what the store lacks of them is read from the service first.
    ///
    /// - Throws: what the transport throws, an ``UnshownRow`` where the service does not show one.
    mutating func wholeRows(of requests: [QueuedRequest]) throws -> [Int64: StructureValue] {
        let updates = requests.filter { builder.writer.replaces($0) }
        var shown: [RowReference: StructureValue] = [:]
        for row in Set(updates.map(\.target)) {
            guard try store.hasPartialRows(row.table) else { continue }
            shown[row] = try show(row)
        }
        return try store.rows(after: updates, shown: shown)
    }

    /// A row as the service has it now.
    private mutating func show(_ row: RowReference) throws -> StructureValue? {
        let graph = builder.writer.graph
        guard let set = graph.entitySet(named: row.table) else { return nil }
        let answer: ResponseMessage
        do {
            answer = try readByKey(in: row.table) { [store] in
                try store.address(of: row, keys: $0)
            }
        } catch let error as ODataError where error.code == .network {
            guard isOfOnePlace(error) else { throw error }
            throw UnshownRow(row: row, reason: error)
        }
        let url = try store.address(of: row)
        let place = connection.absolute(url)
        guard answer.isSuccess else {
            let refusal = ServiceRefusal.error(answer, of: place)
            guard !ServiceRefusal.isOfTheMoment(answer.status) else { throw refusal }
            throw UnshownRow(row: row, reason: refusal)
        }
        do {
            return try AnswerReader(
                graph: graph, dialect: builder.writer.dialect, root: connection.root
            ).entity(answer, of: graph[set].type, in: set)
        } catch let error as ODataError {
            throw UnshownRow(
                row: row,
                reason: UnreadableAnswer.error(error, answer, of: place, set: row.table))
        }
    }
}
