import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Reads single rows at the service.
struct RowLook {
    let store: LocalStore
    let connection: ServiceConnection
    let writer: RequestWriter
    let cancellation: CancellationFlag

    /// The row as the service has it now; nil where it is gone.
    ///
    /// - Throws: `network` for an answer that is not the service's, `service` for a refusal.
    func entity(_ row: RowReference) throws -> StructureValue? {
        let url = try store.knownAddress(of: row)
        let answer = try connection.exchange(
            writer.alone(RequestMessage(method: "GET", url: url)), cancellation: cancellation)
        let marks = ServiceMarks(sendsVersion: connection.hasSeenVersion)
        guard marks.origin(of: answer, to: .data) == .service else {
            var error = ForeignAnswer.error(answer, of: connection.absolute(url))
            error.status = answer.status
            throw error
        }
        if answer.status == 404 || answer.status == 410 { return nil }
        guard answer.status == 200 else {
            throw ErrorPayload(answer).error(status: answer.status)
        }
        let graph = writer.graph
        let mapping = try store.mapping()
        let type = try mapping.existingTable(path: row.table).structure
        return try AnswerReader(graph: graph, dialect: writer.dialect)
            .entity(answer, of: type, in: graph.entitySet(named: row.table))
    }
}
