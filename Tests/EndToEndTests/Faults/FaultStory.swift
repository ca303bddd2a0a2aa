import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataTransport

/// The story of the demo, told at length: a first download in small pages, offline work of every kind, competing
/// changes, uploads in batches and one by one, a conflict with its repair, deltas.
struct FaultStory {
    var interval: Int
    /// Only changes meet faults, downloads do not.
    var onlyWrites = false
    var rounds = 7
    /// A planted defect between the client and its network.
    var defect: DefectTransport.Defect?
    /// What else goes wrong whenever the network has failed.
    var afterFailure: (FaultPlace) throws -> Void = { _ in }

    init(faultsEvery interval: Int = 1_000_000) {
        self.interval = interval
    }

    /// Tells the story to its end.
    ///
    /// - Throws: what keeps it from ending, which only a planted defect may do.
    func run() throws -> StoryEnding {
        var faults: FaultTransport?
        let place = try FaultPlace(scale: 300, pageSize: 3) { base in
            let transport = FaultTransport(base, every: interval, onlyWrites: onlyWrites)
            faults = transport
            return defect.map { DefectTransport(transport, $0) } ?? transport
        }
        place.afterFailure = { try afterFailure($0) }
        defer { try? place.close() }
        var findings: [String] = []
        let provider = place.provider
        try place.persist { try provider.open() }
        try place.persist { try provider.download() }
        try workOffline(place)
        try place.changeAtService(
            """
            UPDATE WorkOrders SET Title = 'theirs', Priority = 4 WHERE Number = 'WO-00000001';
            UPDATE WorkOrders SET AssignedTo = 'somebody' WHERE Id BETWEEN 20 AND 30;
            DELETE FROM Photos WHERE Id IN (SELECT Id FROM Photos ORDER BY Id DESC LIMIT 2);
            """)
        try place.persist { try provider.upload() }
        findings += try repair(place)
        try place.persist { try provider.download() }
        for round in 0..<rounds { try work(round, place) }
        let queued = try provider.queued().length
        if queued > 0 { findings.append("\(queued) requests stay queued") }
        for request in try provider.failed() {
            findings.append("\(request.toString()) failed with \(request.httpStatus ?? 0)")
        }
        var ending = try StoryEnding(of: place, faults)
        ending.findings += findings
        return ending
    }

    private func workOffline(_ place: FaultPlace) throws {
        let provider = place.provider
        let orders = try place.entities("WorkOrders", by: "Number")
        for index in 0..<6 {
            place.set("Title", "ours \(index)", of: orders[index])
            try provider.update(orders[index])
        }
        for index in 0..<4 {
            let order = place.newOrder("NEW-\(index)", like: orders[index + 6])
            try provider.create(order)
            guard index == 0 else { continue }
            place.set("Title", "created, then changed", of: order)
            try provider.update(order)
        }
        for index in 10..<13 {
            let entry = try place.entities("TimeEntries", by: "WorkOrderId")[index]
            try provider.delete(entry)
        }
        let sites = try place.entities("Sites", by: "Id")
        let site = orders[0].entityType.property(withName: "Site")
        try provider.updateLink(
            from: orders[8], property: site, to: sites[3], headers: HTTPHeaders(),
            options: RequestOptions())
    }

    /// The refused update gets the state of the service below it, is corrected in its place and sent again.
    private func repair(_ place: FaultPlace) throws -> [String] {
        let provider = place.provider
        var findings: [String] = []
        let statuses = try provider.failed().map(\.httpStatus)
        if statuses != [412] { findings.append("the conflict ended in \(statuses)") }
        try place.persist { try provider.download() }
        guard let request = Array(try provider.failed()).first,
            let order = try request.affectedEntity(fixRequest: true)
        else { return findings + ["the conflict has no entity"] }
        place.set("Title", "ours after theirs", of: order)
        try provider.update(order)
        try place.persist { try provider.upload() }
        let merged = try place.serviceRows(
            "SELECT Title, Priority FROM WorkOrders WHERE Number = 'WO-00000001'")
        if merged != [["ours after theirs".databaseValue, 4.databaseValue]] {
            findings.append("the repaired conflict shows \(merged)")
        }
        return findings
    }

    /// One round of work, upload and delta: requests one by one, every third time in a batch; reads the other way.
    private func work(_ round: Int, _ place: FaultPlace) throws {
        let provider = place.provider
        provider.batchEntityUploads = round % 3 == 2
        provider.batchEntityDownloads = round % 3 == 0
        let orders = try place.entities("WorkOrders", by: "Number").filter {
            $0.entityType.property(withName: "Number").stringValue(from: $0).hasPrefix("WO-")
        }
        for index in 0..<3 {
            let order = orders[(10 + round * 3 + index) % orders.count]
            place.set("Title", "round \(round) \(index)", of: order)
            try provider.update(order)
        }
        let parent = place.newOrder("ROUND-\(round)", like: orders[round])
        try provider.create(parent)
        let customers = try place.entities("Customers", by: "Number")
        place.set("Notes", "seen in round \(round)", of: customers[round % customers.count])
        try provider.update(customers[round % customers.count])
        let sites = try place.entities("Sites", by: "Id")
        let site = place.newEntity(like: sites[0])
        place.set("Name", "Site of round \(round)", of: site)
        try provider.create(site)
        let entries = try place.entities("TimeEntries", by: "WorkOrderId")
        try provider.delete(entries[20 + round])
        place.set("Note", "noted in round \(round)", of: entries[40 + round])
        try provider.update(entries[40 + round])
        let entry = place.newEntity(like: entries[0], keeping: ["Position"])
        entry.parentEntity = parent
        entry.parentProperty = parent.entityType.property(withName: "TimeEntries")
        try provider.create(entry)
        try place.changeAtService(
            """
            UPDATE Equipment SET Status = 'round \(round)' WHERE SerialNumber IN (
                SELECT SerialNumber FROM Equipment ORDER BY 1 LIMIT 7 OFFSET \(round));
            DELETE FROM Photos WHERE Id IN (SELECT Id FROM Photos ORDER BY Id LIMIT 1);
            UPDATE Sites SET Street = 'Street \(round)' WHERE Id = \(3 + round);
            """)
        try place.persist { try provider.upload() }
        try place.persist { try provider.download() }
    }
}
