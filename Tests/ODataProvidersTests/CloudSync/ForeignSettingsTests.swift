import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing

/// Uploads, looks, confirmations and streams under options that most services do without.
@Suite struct ForeignSettingsTests {
    private static func tunnelAll(_ online: OnlineODataProvider) {
        for method in ["GET", "PATCH", "PUT", "DELETE"] {
            online.networkOptions.tunneledMethods.append(method)
        }
        online.serviceOptions.avoidInPaths = "()"
    }

    private static func renameAfterDownload(_ desk: ShelfDesk) throws {
        try desk.sync.open()
        try desk.sync.download()
        try desk.rename()
    }

    @Test func aLookAfterALostAnswerGoesAsEverythingElse() async throws {
        try await ShelfDesk.run(Self.tunnelAll) { desk in
            try Self.renameAfterDownload(desk)
            desk.change { $0.losesAnswers = true }
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            _ = desk.lines()
            desk.change { $0.losesAnswers = false }
            try desk.sync.upload()
            // The row shows the change: it is not sent twice.
            #expect(desk.lines() == ["[GET] Items%281%29"])
            #expect(try desk.sync.queued().isEmpty && desk.sync.failed().isEmpty)
        }
    }

    @Test func aConfirmationReadsAsEverythingElse() async throws {
        try await ShelfDesk.run(Self.tunnelAll) { desk in
            try Self.renameAfterDownload(desk)
            desk.change { ($0.losesAnswers, $0.itemStatus) = (true, 501) }
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            desk.change { $0.losesAnswers = false }
            #expect(throws: DataServiceError.self) { try desk.sync.upload() }
            let unknown = try #require(try desk.sync.failed().toArray().first)
            #expect(unknown.isUnknown)
            desk.change { $0.itemStatus = 200 }
            _ = desk.lines()
            try unknown.confirm()
            #expect(desk.lines() == ["[GET] Items%281%29"])
            #expect(try desk.sync.failed().isEmpty)
        }
    }

    @Test func contentsGoAgainInTunnels() async throws {
        try await ShelfDesk.run(Self.tunnelAll) { desk in
            try desk.sync.open()
            try desk.sync.download()
            _ = desk.lines()
            let item = try desk.first("Items")
            try desk.sync.uploadMedia(
                entity: item, content: ByteStream.fromBinary(data: Data("abc".utf8)),
                headers: .empty, options: .none)
            desk.change { $0.losesAnswers = true }
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            #expect(desk.lines() == ["[PUT] Items%281%29/$value"])
            desk.change { $0.losesAnswers = false }
            try desk.sync.upload()
            // The same content twice does no harm.
            #expect(desk.lines() == ["[PUT] Items%281%29/$value"])
            #expect(try desk.sync.queued().isEmpty && desk.sync.failed().isEmpty)
        }
    }

    /// Networks do not look into batches: the batch is what it always is, and its parts are, too.
    @Test func partsOfBatchesStayAsTheyAre() async throws {
        try await ShelfDesk.run(Self.tunnelAll) { desk in
            desk.sync.batchEntityUploads = true
            try desk.sync.open()
            try desk.sync.download()
            try desk.rename()
            let item = EntityValue.ofType(desk.set("Shelves").entityType).inSet(desk.set("Shelves"))
            desk.set("Shelves").entityType.property(withName: "Id").setIntValue(in: item, to: 9)
            try desk.sync.create(item)
            _ = desk.lines()
            #expect(throws: (any Error).self) {
                desk.change { $0.losesAnswers = true }
                try desk.sync.upload()
            }
            let batch = try #require(
                desk.state.withLock { $0.requests.first { $0.url.hasSuffix("$batch") } })
            #expect(batch.method == "POST" && batch.headers["X-HTTP-Method"] == nil)
            #expect(batch.text.contains("PATCH Items(1) HTTP/1.1"), "\(batch.text)")
        }
    }

    // MARK: Replacing

    private static func withoutPatch(_ online: OnlineODataProvider) {
        online.serviceOptions.supportsPatch = false
    }

    /// The store has the names of items, and not their sizes.
    private static func downloadPartly(_ desk: ShelfDesk) throws {
        try desk.sync.open()
        let set = desk.set("Items")
        try desk.sync.createDownloadQuery(
            name: "Names",
            query: DataQuery().from(set).select(
                set.entityType.property(withName: "Id"), set.entityType.property(withName: "Name")),
            streams: false)
        desk.sync.noDefaultEntityDownload(set)
        try desk.sync.download()
        _ = desk.lines()
    }

    @Test func aRowThatIsKnownInPartIsReadBeforeItIsReplaced() async throws {
        try await ShelfDesk.run(Self.withoutPatch) { desk in
            try Self.downloadPartly(desk)
            try desk.rename()
            try desk.sync.upload()
            let requests = desk.state.withLock { $0.requests }
            #expect(desk.lines() == ["GET Items(1)", "PUT Items(1)"])
            #expect(requests.last?.text == #"{"Id":1,"Name":"z","Size":7}"#)
        }
    }

    @Test func aRowThatIsNotShownIsNotReplaced() async throws {
        try await ShelfDesk.run(Self.withoutPatch) { desk in
            try Self.downloadPartly(desk)
            try desk.rename()
            desk.change { $0.itemStatus = 403 }
            try? desk.sync.upload()
            #expect(desk.lines() == ["GET Items(1)"])
            let failed = try desk.sync.failed()
            #expect(failed.map(\.httpStatus) == [403])
            #expect(failed.toArray().first?.errorMessage?.contains("downloaded in part") == true)
            #expect(failed.toArray().first?.errorMessage?.hasSuffix("not shown") == true)
            // Once it is shown, the same request goes.
            desk.change { $0.itemStatus = 200 }
            try desk.sync.upload()
            #expect(desk.lines() == ["GET Items(1)", "PUT Items(1)"])
        }
    }

    @Test func aRowThatIsKnownAsAWholeIsNotReadAgain() async throws {
        try await ShelfDesk.run(Self.withoutPatch) { desk in
            try desk.sync.open()
            try desk.sync.download()
            _ = desk.lines()
            try desk.rename()
            try desk.sync.upload()
            #expect(desk.lines() == ["PUT Items(1)"])
        }
    }

    // MARK: Links

    private static func withoutBinds(_ online: OnlineODataProvider) {
        online.serviceOptions.supportsBind = false
    }

    @Test func aLinkWithoutForeignKeyHasARequestOfItsOwn() async throws {
        try await ShelfDesk.run(Self.withoutBinds) { desk in
            desk.change { $0.itemsHaveContent = false }
            try desk.sync.open()
            try desk.sync.download()
            _ = desk.lines()
            let type = desk.set("Items").entityType
            let item = EntityValue.ofType(type).inSet(desk.set("Items"))
            type.property(withName: "Id").setIntValue(in: item, to: 3)
            let shelf = try desk.first("Shelves")
            item.bindEntity(shelf, to: type.property(withName: "Shelf"))
            item.bindEntity(shelf, to: type.property(withName: "Others"))
            try desk.sync.create(item)
            try desk.sync.upload()
            let requests = desk.state.withLock { $0.requests }
            let lines = desk.lines()
            #expect(lines.first == "POST Items", "\(lines)")
            #expect(
                Set(lines.dropFirst()) == ["PUT Items(3)/Shelf/$ref", "POST Items(3)/Others/$ref"],
                "\(lines)")
            #expect(requests.first?.text.contains("bind") == false)
            #expect(requests.dropFirst().allSatisfy { $0.text.contains("Shelves(5)") })
            #expect(try desk.sync.queued().isEmpty && desk.sync.failed().isEmpty)
        }
    }

    @Test func anUpdateThatOnlyBindsIsALink() async throws {
        try await ShelfDesk.run(Self.withoutBinds) { desk in
            try desk.sync.open()
            try desk.sync.download()
            _ = desk.lines()
            let item = try desk.first("Items")
            item.bindEntity(
                try desk.first("Shelves"), to: item.entityType.property(withName: "Shelf"))
            try desk.sync.update(item)
            try desk.sync.upload()
            #expect(desk.lines() == ["PUT Items(1)/Shelf/$ref"])
        }
    }
}
