import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// Media entities and stream properties in the store: read without a network, changed, and sent.
@Suite struct StreamTests {
    @Test func aMediaEntityOfAChangeSetIsCreatedWithItOrNotAtAll() async throws {
        try await PictureDesk.run { desk in
            func changes(_ title: String, failing: Bool) throws -> (ChangeSet, EntityValue) {
                let (changes, entity) = (ChangeSet(), desk.newPicture(title))
                changes.createMedia(entity, content: ByteStream.fromBinary(data: Data([1, 9])))
                if failing {
                    let gone = desk.newPicture("")
                    desk.place.property("Pictures", "Id").setLongValue(in: gone, to: 77)
                    changes.deleteEntity(gone)
                }
                return (changes, entity)
            }
            let service = OfflineDataService(provider: desk.sync)
            let before = try desk.storedParts
            #expect(
                failure {
                    try service.applyChanges(try changes("Lost", failing: true).0)
                } == Failure(DataServiceError.self, .notFound, at: "Pictures", status: 404))
            #expect(try desk.storedParts == before)
            let (kept, entity) = try changes("Peak", failing: false)
            try service.applyChanges(kept)
            #expect(try desk.media(entity) == Data([1, 9]))
            #expect(desk.title.stringValue(from: entity) == "Peak")
            try desk.sync.upload()
            #expect(try desk.place.serviceText("SELECT Title FROM Pictures WHERE Id = 4") == "Peak")
            #expect(try desk.atService(4) == Data([1, 9]))
        }
    }

    // CSP-091, CSP-092
    @Test func aMediaEntityIsReadableAtOnceAndGoesUpAsContentThenProperties() async throws {
        try await PictureDesk.run { desk in
            let content = PictureDesk.bytes(600_000)
            let left = Mutex<Data?>(content)
            let isClosed = Mutex(false)
            let stream = ByteStream(
                source: {
                    left.withLock { data in
                        defer { data = nil }; return data.map { Array($0) }
                    }
                },
                onClose: { isClosed.withLock { $0 = true } })
            stream.mediaType = "image/png"
            stream.fileName = "peak.png"
            desk.place.cutNetwork()
            let entity = desk.newPicture("Peak")
            try desk.create(entity, stream)
            #expect(isClosed.withLock { $0 })
            #expect(entity.isLocal && entity.hasPendingChanges)
            #expect(try desk.media(entity) == content)
            let found = try desk.place.entity("Pictures", "Title eq 'Peak'")
            #expect(try desk.media(found) == content)
            #expect(try desk.storedParts > 3)

            desk.place.restoreNetwork()
            desk.place.observer.forget()
            try desk.sync.upload()
            #expect(desk.place.requests() == ["POST Pictures", "PATCH Pictures(4)"])
            let post = try #require(desk.place.observer.requests.first)
            #expect(post.headers["Content-Type"] == "image/png")
            #expect(post.headers["Slug"] == "peak.png")
            #expect(try desk.atService(4) == content)
            #expect(try desk.place.serviceText("SELECT Title FROM Pictures WHERE Id = 4") == "Peak")
            #expect(try desk.sync.queued().isEmpty)
            #expect(try desk.sync.failed().isEmpty)
            #expect(try desk.media(4) == content)

            desk.place.observer.forget()
            try desk.sync.download(["pictures"])
            #expect(try desk.media(4) == content)
            #expect(!desk.place.requests().contains("GET Pictures(4)/$value"))
        }
    }

    @Test func contentOfARowMadeHereIsDownloadedAsOfAnyOther() async throws {
        try await PictureDesk.run { desk in
            try desk.create(desk.newPicture("Peak"), ByteStream.fromBinary(data: Data([1])))
            try desk.sync.upload()
            try desk.place.atService("UPDATE Pictures SET Thumb = x'dd' WHERE Id = 4")
            try desk.sync.download(["pictures"])
            #expect(try desk.media(4) == Data([1]))
            #expect(try desk.thumb(4) == Data([0xdd]))
            try desk.place.atService("UPDATE Pictures SET Content = x'0708' WHERE Id = 4")
            try desk.sync.download(["pictures"])
            #expect(try desk.media(4) == Data([7, 8]))
            // What waits to be sent stays in view.
            try desk.put(4, Data([9]))
            try desk.place.atService("UPDATE Pictures SET Content = x'0a' WHERE Id = 4")
            try desk.sync.download(["pictures"])
            #expect(try desk.media(4) == Data([9]))
        }
    }

    // CSP-093, CSP-096
    @Test func downloadedStreamsAreReadWithoutANetwork() async throws {
        try await PictureDesk.run { desk throws in
            desk.place.cutNetwork()
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
            #expect(try desk.media(2) == Data([5, 6]))
            #expect(try desk.thumb(1) == Data([0xaa]))
            #expect(try desk.thumb(3) == Data([0xbb, 0xcc]))
            #expect(
                failure { try desk.media(3) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
            #expect(
                failure { try desk.thumb(2) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
        }
    }

    // CSP-094, CSP-095
    @Test func contentIsReplacedLocallyAndQueuedForEntitiesThatExist() async throws {
        try await PictureDesk.run { desk in
            try desk.put(1, Data([9, 9]), type: "image/jpeg")
            #expect(try desk.media(1) == Data([9, 9]))
            #expect(try desk.picture(1).hasPendingChanges)
            #expect(try desk.sync.queued().count == 1)
            #expect(try desk.atService(1) == Data([1, 2, 3, 4]))
            desk.place.observer.forget()
            try desk.sync.upload()
            #expect(desk.place.requests() == ["PUT Pictures(1)/$value"])
            #expect(desk.place.observer.requests[0].headers["If-Match"] != nil)
            #expect(try desk.atService(1) == Data([9, 9]))
            #expect(try !desk.picture(1).hasPendingChanges)
            #expect(try desk.media(1) == Data([9, 9]))

            let stranger = desk.newPicture("nowhere")
            desk.place.property("Pictures", "Id").setLongValue(in: stranger, to: 77)
            let error = #expect(throws: DataServiceError.self) {
                try desk.sync.uploadMedia(
                    entity: stranger, content: ByteStream.fromBinary(data: Data([1])),
                    headers: HTTPHeaders(), options: RequestOptions())
            }
            #expect(error?.code == .notFound)
            #expect(error?.place?.path == "Pictures")
            #expect(error?.status == 404)
            #expect(try desk.sync.queued().isEmpty)
        }
    }

    // CSP-097, CSP-098
    @Test func streamPropertiesAreReplacedAndDeletedHereAndThere() async throws {
        try await PictureDesk.run { desk in
            try desk.putThumb(1, Data([7]))
            #expect(try desk.thumb(1) == Data([7]))
            try desk.deleteThumb(3)
            let error = #expect(throws: DataServiceError.self) { try desk.thumb(3) }
            #expect(error?.code == .notFound)
            #expect(error?.place?.path == "Pictures")
            #expect(error?.status == 404)
            #expect(try desk.sync.queued().count == 2)
            try desk.sync.upload()
            let sent = desk.place.requests().filter {
                !$0.contains("$batch") && !$0.hasPrefix("GET")
            }
            #expect(sent == ["PUT Pictures(1)/Thumb", "DELETE Pictures(3)/Thumb"])
            #expect(try desk.atService(1, "Thumb") == Data([7]))
            #expect(try desk.atService(3, "Thumb").isEmpty)
            #expect(
                failure { try desk.thumb(3) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
        }
    }

    @Test func changesOfStreamsAreSentInTheOrderInWhichTheyWereMade() async throws {
        try await PictureDesk.run(adjust: { $0.batchEntityUploads = false }) { desk in
            let entity = try desk.picture(1)
            desk.title.setStringValue(in: entity, to: "first")
            try desk.sync.update(entity)
            try desk.put(1, Data([1]))
            let again = try desk.picture(1)
            desk.title.setStringValue(in: again, to: "second")
            try desk.sync.update(again)
            try desk.put(1, Data([2]))
            try desk.sync.upload()
            #expect(
                desk.place.requests() == [
                    "PATCH Pictures(1)", "PUT Pictures(1)/$value", "PATCH Pictures(1)",
                    "PUT Pictures(1)/$value",
                ])
            #expect(try desk.atService(1) == Data([2]))
            #expect(
                try desk.place.serviceText("SELECT Title FROM Pictures WHERE Id = 1") == "second")
            #expect(try desk.sync.failed().isEmpty)
        }
    }

    @Test func undoneContentShowsWhatWasDownloaded() async throws {
        try await PictureDesk.run { desk in
            let parts = try desk.storedParts
            try desk.put(1, PictureDesk.bytes(700_000))
            try desk.deleteThumb(1)
            #expect(try desk.storedParts == parts + 3)
            try desk.sync.undoPendingChanges(
                for: EntityValueList.fromArray([try desk.picture(1)]))
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
            #expect(try desk.thumb(1) == Data([0xaa]))
            #expect(try desk.storedParts == parts)
            #expect(try desk.sync.queued().isEmpty)
        }
    }

    @Test func contentThatSomebodyElseReplacedIsAFailedRequestAndStaysHere() async throws {
        try await PictureDesk.run { desk in
            try desk.put(1, Data([9]))
            try desk.place.atService("UPDATE Pictures SET Content = x'0102' WHERE Id = 1")
            #expect(
                failure { try desk.sync.upload() }
                    == Failure(
                        DataServiceError.self, .service,
                        "The service refused 1 of 1 requests, the first with: Expected the entity in the state that If-Match names; it has changed since.",
                        status: 412))
            #expect(try desk.sync.failed().count == 1)
            #expect(try desk.picture(1).inErrorState)
            #expect(try desk.media(1) == Data([9]))
            #expect(try desk.atService(1) == Data([1, 2]))
            try desk.sync.cancelPendingRequests(nil)
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1) == Data([1, 2]))
        }
    }

    @Test(arguments: [ConflictPolicy.clientWins, .serverWins])
    func aPolicyOfTheSetDoesNotDecideAboutContent(policy: ConflictPolicy) async throws {
        try await PictureDesk.run { desk in
            desk.sync.setConflictPolicy(policy, for: desk.place.set("Pictures"))
            try desk.put(1, Data([9]))
            try desk.place.atService("UPDATE Pictures SET Content = x'0102' WHERE Id = 1")
            desk.sync.throwUploadFailures = false
            let progress = try desk.sync.uploadReporting(groups: [], SyncOptions())
            #expect(progress.refused == 1 && progress.overwrites.isEmpty)
            #expect(progress.undecidedConflicts.count == 1)
            #expect(
                progress.undecidedConflicts.first?.contains("what the content belongs to") == true)
            #expect(try desk.sync.failed().map(\.httpStatus) == [412])
            #expect(try desk.media(1) == Data([9]))
            #expect(try desk.atService(1) == Data([1, 2]))
        }
    }

    @Test func anUploadThatLostItsAnswerIsRepeatedOverARestart() async throws {
        try await PictureDesk.run { desk in
            let content = PictureDesk.bytes(1_500_000)
            try desk.put(1, content)
            desk.place.observer.setFaults { request, _ in
                request.method == "PUT" ? .loseAnswer : nil
            }
            #expect(
                failure { try desk.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Pictures/$value"))
            desk.place.restoreNetwork()
            try desk.place.reopen()
            try desk.sync.upload()
            #expect(try desk.sync.queued().isEmpty)
            #expect(try desk.sync.failed().isEmpty)
            #expect(try desk.atService(1) == content)
        }
    }

    @Test func aDeletedEntityTakesItsContentAlong() async throws {
        try await PictureDesk.run { desk in
            let parts = try desk.storedParts
            try desk.sync.delete(try desk.picture(1))
            try desk.sync.upload()
            #expect(try desk.storedParts == parts - 2)
            try desk.place.atService("DELETE FROM Pictures WHERE Id = 2")
            try desk.sync.download(["pictures"])
            #expect(try desk.storedParts == parts - 3)
        }
    }

    @Test func contentThatArrivedUnansweredIsFoundAtAServiceWithoutRepeatableRequests() async throws
    {
        try await PictureDesk.run(adjust: { $0.sendRepeatableRequests = false }) { desk in
            let content = PictureDesk.bytes(1_500_000)
            try desk.put(1, content)
            try desk.put(2, Data([1]))
            desk.place.observer.setFaults { request, _ in
                request.url.hasSuffix("Pictures(1)/$value") && request.method == "PUT"
                    ? .loseAnswer : request.method == "GET" ? nil : .loseRequest
            }
            #expect(
                failure { try desk.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Pictures/$value"))
            desk.place.restoreNetwork()
            desk.place.observer.forget()
            try desk.sync.upload()
            let sent = desk.place.requests().filter { $0.hasPrefix("PUT") }
            #expect(sent == ["PUT Pictures(2)/$value"])
            #expect(try desk.sync.failed().isEmpty)
            #expect(try desk.sync.queued().isEmpty)
            #expect(try desk.atService(1) == content)
            #expect(try desk.atService(2) == Data([1]))
            // The tag that it has there now is known: a later change is not refused.
            try desk.put(1, Data([2]))
            try desk.sync.upload()
            #expect(try desk.sync.failed().isEmpty)
            #expect(try desk.atService(1) == Data([2]))
        }
    }

    @Test func aChangeSetTakesSmallContentsOnly() async throws {
        try await PictureDesk.run { desk in
            let options = RequestOptions()
            options.changeSet = "one"
            func put(_ count: Int) throws {
                try desk.sync.uploadMedia(
                    entity: try desk.picture(1),
                    content: ByteStream.fromBinary(data: PictureDesk.bytes(count)),
                    headers: HTTPHeaders(), options: options)
            }
            #expect(
                failure { try put(1_100_000) }
                    == Failure(
                        DataFormatError.self, .limitExceeded,
                        "Expected at most 1048576 bytes of content in a change set, found 1100000.")
            )
            #expect(try desk.sync.queued().isEmpty)
            try put(1_000)
            #expect(try desk.sync.queued().count == 1)
        }
    }

    @Test func aPageOfSomebodyElseIsNoContent() async throws {
        try await PictureDesk.run(downloads: false, adjust: { $0.batchStreamDownloads = false }) {
            desk in
            for status in [200, 404] {
                desk.place.observer.setFaults { request, _ in
                    guard request.url.hasSuffix("$value") || request.url.hasSuffix("Thumb") else {
                        return nil
                    }
                    return .answer(
                        ResponseMessage(
                            status: status, headers: ["Content-Type": "text/html"],
                            body: Array("<html><title>Log on</title></html>".utf8)))
                }
                let error = #expect(throws: DataServiceError.self) {
                    try desk.sync.download(["pictures"])
                }
                #expect(error?.message?.contains("Log on") == true)
                #expect(try desk.storedParts == 0)
            }
            desk.place.observer.setFaults { _, _ in nil }
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
        }
    }

    @Test(arguments: [(404, "text/html"), (200, "text/html"), (500, "application/json")])
    func oneDeadContentIsReportedAndStallsNoOther(status: Int, type: String) async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: {
                $0.batchStreamDownloads = false
                $0.streamDownloadThreads = 1
            }
        ) { desk in
            for id in 10..<30 {
                try desk.place.atService(
                    "INSERT INTO Pictures (Id, Title, Content) VALUES (\(id), 'p', x'0\(id % 10)')")
            }
            desk.place.observer.setFaults { request, _ in
                guard request.url.hasSuffix("Pictures(1)/$value") else { return nil }
                return .answer(
                    ResponseMessage(
                        status: status, headers: ["Content-Type": type],
                        body: Array("<html><title>Gone</title></html>".utf8)))
            }
            for _ in 0..<2 {
                let error = #expect(throws: DataServiceError.self) {
                    try desk.sync.download(["pictures"])
                }
                #expect(error?.message?.contains("content of a stream") == true)
            }
            #expect(try desk.media(2) == Data([5, 6]))
            #expect(try desk.thumb(1) == Data([0xaa]))
            for id in 10..<30 { #expect(try desk.media(id) == Data([UInt8(id % 10)])) }
            #expect(
                failure { try desk.media(1) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
            #expect(
                try desk.place.storeText(
                    "SELECT count(*) FROM _odata_event WHERE details LIKE '%refused Pictures%'")
                    == "2")
            let progress = try desk.sync.downloadReporting(
                groups: ["pictures"], SyncOptions(), loadsLinks: false)
            #expect(progress.skipped["set:Pictures"]?.contains("content of a stream") == true)
            desk.place.restoreNetwork()
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
        }
    }
}
