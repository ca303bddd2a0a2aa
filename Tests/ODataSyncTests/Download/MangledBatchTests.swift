import Foundation
import ODataClasses
import ODataProviders
import ODataQuery
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import Synchronization
import Testing

/// A part of a batch whose length is not the one that it states is not believed.
@Suite struct MangledBatchTests {
    private static func part(_ body: String, lost: Int = 0) -> String {
        "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nOData-Version: 4.0\r\n"
            + "Content-Length: \(body.utf8.count + lost)\r\n\r\n\(body)\r\n"
    }

    @Test(arguments: [0, 38]) func aPageThatLostBytesIsAskedForAlone(lost: Int) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "$batch":
                return StubDesk.Said(
                    type: "multipart/mixed; boundary=b",
                    body: Self.part(#"{"value":[{"ID":1,"Name":"a"}]}"#)
                        + Self.part(#"{"value":[{"ID":1,"Title":"x"}]}"#, lost: lost)
                        + Self.part(#"{"ID":1,"Title":"head"}"#) + "--b--\r\n")
            case "Orders": return .page(#"{"ID":1,"Title":"x"},{"ID":2,"Title":"y"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityDownloads = true
            try desk.sync.download()
            let alone = desk.asked.map(\.resource).filter { $0 != "$batch" }
            #expect(alone == (lost > 0 ? ["Orders"] : []))
            #expect(
                try desk.rows("SELECT ID FROM Orders ORDER BY ID")
                    == (lost > 0 ? ["1", "2"] : ["1"]))
            #expect(try desk.rows("SELECT ID, Name FROM Customers") == ["1 a"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
        }
    }

    /// Two renamed orders go up in one batch; the answer to the first has another length than it states.
    @Test(arguments: [0, 7]) func aMangledAnswerToAChangeIsNone(lost: Int) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "$batch":
                return StubDesk.Said(
                    type: "multipart/mixed; boundary=b",
                    body: Self.part(#"{"ID":1,"Title":"z"}"#, lost: lost)
                        + Self.part(#"{"ID":2,"Title":"z"}"#) + "--b--\r\n")
            case "Orders": return .page(#"{"ID":1,"Title":"x"},{"ID":2,"Title":"y"}"#)
            case "Customers": return .page("")
            case "Orders(1)": return .json(#"{"ID":1,"Title":"z"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            try? desk.sync.download()
            let before = desk.asked.count
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let title = set.entityType.property(withName: "Title")
            let orders = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).entityList()
            for order in orders.toArray() {
                title.setStringValue(in: order, to: "z")
                try desk.sync.updateEntity(order, headers: .empty, options: .none)
            }
            desk.sync.batchEntityUploads = true
            try desk.sync.upload()
            let asked = desk.asked.dropFirst(before).map { "\($0.method) \($0.resource)" }
            // It is open, and sent once more, since that does no harm.
            #expect(asked == ["POST $batch"] + (lost > 0 ? ["PATCH Orders(1)"] : []))
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test(arguments: [0, 3]) func aMangledAnswerToAReadIsReadByItself(lost: Int) async throws {
        let lines = Mutex<[String]>([])
        let page = #"{"value":[{"ID":1,"Title":"x"}]}"#
        let online = OnlineODataProvider(
            serviceName: "Stub", serviceRoot: "http://h/s",
            transport: LoopbackTransport { request in
                lines.withLock { $0.append("\(request.method) \(request.url)") }
                let isBatch = request.url.hasSuffix("$batch")
                return ResponseMessage(
                    status: 200,
                    headers: [
                        "Content-Type": isBatch
                            ? "multipart/mixed; boundary=b" : "application/json",
                        "OData-Version": "4.0",
                    ],
                    body: Array((isBatch ? Self.part(page, lost: lost) + "--b--\r\n" : page).utf8))
            }, folder: PrivateFolder(path: "/nowhere"))
        online.serviceOptions.metadataText = StubDesk.schema
        try await onOwnThread {
            try online.loadMetadata()
            let query = DataQuery().from(online.metadata.entitySet(withName: "Orders"))
            let batch = RequestBatch()
            batch.addQuery(query)
            try online.processBatch(batch)
            #expect(try batch.queryResult(for: query).entityList().length == 1)
        }
        #expect(
            lines.withLock { $0 } == ["POST http://h/s/$batch"]
                + (lost > 0 ? ["GET http://h/s/Orders"] : []))
    }

    @Test func aMangledAnswerToAnOnlineChangeIsAnError() async throws {
        let row = #"{"ID":1,"Title":"z"}"#
        let online = OnlineODataProvider(
            serviceName: "Stub", serviceRoot: "http://h/s",
            transport: LoopbackTransport { _ in
                ResponseMessage(
                    status: 200,
                    headers: [
                        "Content-Type": "multipart/mixed; boundary=b", "OData-Version": "4.0",
                    ], body: Array((Self.part(row, lost: 3) + "--b--\r\n").utf8))
            }, folder: PrivateFolder(path: "/nowhere"))
        online.serviceOptions.metadataText = StubDesk.schema
        try await onOwnThread {
            try online.loadMetadata()
            let set = online.metadata.entitySet(withName: "Orders")
            let order = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "ID").setIntValue(in: order, to: 1)
            let changes = ChangeSet()
            changes.createEntity(order)
            let batch = RequestBatch()
            batch.addChanges(changes)
            try online.processBatch(batch)
            #expect(changes.error != nil)
        }
    }
}
