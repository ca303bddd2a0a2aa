import Foundation
import SAPOData
import ODataQuery
import ODataSyncPlan

/// Changes that an app has made and not sent: they wait in the queue while something else is killed.
struct PendingWrites {
    /// Makes them and closes the store.
    ///
    /// - Parameters:
    ///   - leavesLog: leaves the last of them in the log beside the file, as a kill does.
    static func make(
        _ round: Int, in store: KilledStore, leavesLog: Bool = false
    ) throws -> WriteNotes {
        var notes = WriteNotes()
        try store.leavingLog(leavesLog) { keep in
            let provider = store.provider()
            try provider.open()
            notes = try make(round, provider)
            try keep()
            try provider.close()
        }
        return notes
    }

    private static func make(_ round: Int, _ provider: CloudSyncProvider) throws -> WriteNotes {
        var notes = WriteNotes()
        let set = provider.metadata.entitySet(withName: "WorkOrders")
        let type = set.entityType
        let (number, title) = (type.property(withName: "Number"), type.property(withName: "Title"))
        let known = try provider.executeQuery(
            DataQuery().from(set).filter(number.startsWith("WO-")).orderBy(number),
            headers: HTTPHeaders(), options: RequestOptions()
        ).entityList().toArray()
        let order = EntityValue.ofType(type).inSet(set)
        for property in type.propertyList where property.isStructural && !property.isKey {
            order.setDataValue(for: property, to: known[0].optionalValue(for: property))
        }
        number.setStringValue(in: order, to: "K-\(round)-m")
        title.setStringValue(in: order, to: "created \(round)")
        try provider.createEntity(order, headers: HTTPHeaders(), options: RequestOptions())
        notes.acknowledge("K-\(round)-m", "created \(round)")
        title.setStringValue(in: order, to: "changed \(round) made")
        try provider.updateEntity(order, headers: HTTPHeaders(), options: RequestOptions())
        notes.acknowledge("K-\(round)-m", "changed \(round) made")
        for step in 0..<2 {
            let changed = known[(round * 2 + step) % (known.count - 6)]
            title.setStringValue(in: changed, to: "changed \(round) \(step)")
            try provider.updateEntity(changed, headers: HTTPHeaders(), options: RequestOptions())
            notes.acknowledge(number.stringValue(from: changed), "changed \(round) \(step)")
        }
        let pair = known[(known.count - 6 + round % 3 * 2)...].prefix(2)
        let changes = ChangeSet()
        for order in pair {
            title.setStringValue(in: order, to: "pair \(round)")
            changes.updateEntity(order)
        }
        let batch = RequestBatch()
        batch.addChanges(changes)
        try provider.processBatch(batch, headers: HTTPHeaders(), options: RequestOptions())
        for order in pair { notes.acknowledge(number.stringValue(from: order), "pair \(round)") }
        return notes
    }
}
