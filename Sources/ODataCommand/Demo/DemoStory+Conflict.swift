import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

extension DemoStory {
    /// Back online: everything is sent, one change meets the competing one.
    func uploadAndMeetConflict(_ changes: Int) throws {
        title("Back online: upload")
        _ = try service.start()
        let provider = try provider
        let options = SyncOptions().listen(
            ProgressListener { [console] progress in
                console.progress(
                    "upload", fraction: progress.fractionCompleted,
                    detail: "\(progress.entityCount) requests")
            })
        try provider.upload(groups: StringList(), options: options)
        let failed = try failedRequests()
        let waiting = try provider.queuedRequests(matching: nil, headers: nil, options: nil).length
        figures.uploaded = changes - failed.count - waiting
        figures.conflicts = failed.count { $0.httpStatus == 412 }
        for request in failed where request.httpStatus != 412 {
            say("refused: \(request.toString()): \(request.errorMessage ?? "")")
        }
        guard failed.count == 1, figures.conflicts == 1, waiting == 0 else {
            throw CommandError.failed(
                "expected one conflict, found \(failed.count) refused and \(waiting) waiting requests."
            )
        }
        say("\(figures.uploaded) changes accepted; refused with 412: \(failed[0].toString())")
        try showConflict()
    }

    /// Base, local and server values of what the two sides see differently.
    private func showConflict() throws {
        let local = try contestedState(online: false)
        let server = try contestedState(online: true)
        var lines = TextTable(["property", "base", "local", "server"])
        for member in baseState.object?.members ?? [] {
            let states = [member.value, local[member.name], server[member.name]]
            guard Set(states).count > 1 else { continue }
            lines.append([member.name] + states.map { ResultJSON.cell($0) })
        }
        table(lines.lines)
    }

    /// The server's state comes first; then the refused request is corrected on top of it and sent again.
    func repair() throws {
        title("Repair: take the server's state, put our credit limit on top, send again")
        figures.deltas += try download("delta")
        guard let request = try failedRequests().first,
            let entity = try request.affectedEntity(fixRequest: true)
        else { throw CommandError.failed("expected the refused request, found none.") }
        try change(entity, #"{"CreditLimit":75000.00}"#)
        try provider.upload(groups: StringList(), options: SyncOptions())
        let failed = try failedRequests()
        guard failed.isEmpty else {
            throw CommandError.failed(
                "the corrected request was refused: \(failed[0].errorMessage ?? "no reason").")
        }
        let sql = "SELECT CreditLimit || ' ' || Notes || ' ' || Phone FROM Customers WHERE Id = ?"
        let merged = try service.value(sql, [contested])
            .flatMap { String.fromDatabaseValue($0) }
        guard
            merged == "75000 called on Monday +49 30 5550100"
                || merged == "75000.0 called on Monday +49 30 5550100"
        else {
            throw CommandError.failed(
                "expected both sides' changes at the service, found \(merged ?? "nothing").")
        }
        figures.repaired = 1
        figures.uploaded += 1
        say("accepted: our limit and phone number, their note")
    }
}
