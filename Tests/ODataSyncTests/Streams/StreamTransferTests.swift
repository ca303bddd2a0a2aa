import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// Which streams a download brings, and how streams travel.
@Suite struct StreamTransferTests {
    private func streamReads(_ desk: PictureDesk) -> [String] {
        desk.place.requests("GET Pictures(").filter {
            $0.hasSuffix("$value") || $0.hasSuffix("Thumb")
        }
    }

    // CSP-116
    @Test func setsWithoutStreamsByDefaultBringTheirEntitiesOnly() async throws {
        try await PictureDesk.run(downloads: false) { desk in
            desk.sync.noDefaultStreamDownload(desk.pictures)
            try desk.sync.download(["pictures"])
            #expect(try desk.place.storeText("SELECT count(*) FROM Pictures") == "3")
            #expect(streamReads(desk).isEmpty)
            #expect(
                failure { try desk.media(1) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
        }
    }

    // CSP-117
    @Test func withAnEmptyListNoSetBringsStreams() async throws {
        try await PictureDesk.run(downloads: false) { desk in
            desk.sync.noDefaultStreamDownload()
            try desk.sync.download()
            #expect(streamReads(desk).isEmpty)
            #expect(try desk.storedParts == 0)
        }
    }

    // CSP-121
    @Test func aDownloadQueryMayAskForTheStreamsOfItsRows() async throws {
        try await PictureDesk.run(downloads: false) { desk in
            desk.sync.noDefaultStreamDownload(desk.pictures)
            desk.sync.noDefaultEntityDownload(desk.pictures)
            try desk.sync.createDownloadQuery(
                name: "lakes", query: desk.place.query("Pictures?$filter=Title eq 'Lake'"),
                streams: true)
            try desk.sync.createDownloadQuery(
                name: "hills", query: desk.place.query("Pictures?$filter=Title eq 'Hill'"),
                streams: false)
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
            #expect(
                failure { try desk.media(2) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
        }
    }

    // CSP-061
    @Test func streamsThatAreNotKeptAreReadAllTheSame() async throws {
        try await PictureDesk.run(
            downloads: false, adjust: { $0.persistDownloadedStreams = false }
        ) { desk in
            try desk.sync.download(["pictures"])
            #expect(streamReads(desk).contains("GET Pictures(1)/$value"))
            #expect(try desk.storedParts == 0)
            #expect(try desk.place.storeText("SELECT count(*) FROM Pictures") == "3")
        }
    }

    // CSP-052
    @Test func readsOfStreamsShareABatchUnlessToldOtherwise() async throws {
        for isBatched in [true, false] {
            try await PictureDesk.run(
                downloads: false, adjust: { $0.batchStreamDownloads = isBatched }
            ) { desk in
                try desk.sync.download(["pictures"])
                let reads = desk.place.observer.requests.filter { $0.url.hasSuffix("$value") }
                #expect(reads.count == 3)
                #expect(reads.allSatisfy { $0.isInBatch == isBatched })
                #expect(try desk.media(1) == Data([1, 2, 3, 4]))
            }
        }
    }

    // CSP-053
    @Test func changesOfStreamsShareABatchUnlessToldOtherwise() async throws {
        for isBatched in [true, false] {
            try await PictureDesk.run(adjust: { $0.batchStreamUploads = isBatched }) { desk in
                try desk.put(1, Data([9]))
                try desk.put(2, Data([8]))
                try desk.sync.upload()
                let writes = desk.place.observer.requests.filter { $0.method == "PUT" }
                #expect(writes.count == 2)
                #expect(writes.allSatisfy { $0.isInBatch == isBatched })
                #expect(try desk.atService(2) == Data([8]))
            }
        }
    }

    /// How many were inside at once. Who is alone waits for company at first, so that the answer does not hang on how
    /// fast the machine is. Guarded by the condition.
    private final class Crowd: @unchecked Sendable {
        private let condition = NSCondition()
        private var now = 0
        private var most = 0

        func pass() {
            let end = Date(timeIntervalSinceNow: 20)
            condition.lock()
            now += 1
            most = max(most, now)
            condition.broadcast()
            while most < 2, condition.wait(until: end) {}
            condition.unlock()
            Thread.sleep(forTimeInterval: 0.03)
            condition.lock()
            now -= 1
            condition.unlock()
        }

        func largest() -> Int {
            condition.lock()
            defer { condition.unlock() }
            return most
        }
    }

    // CSP-055
    @Test func atMostSoManyStreamsAreReadAtOnce() async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: {
                $0.batchStreamDownloads = false
                $0.streamDownloadThreads = 3
            }
        ) { desk in
            for id in 10..<30 {
                try desk.place.atService(
                    "INSERT INTO Pictures (Id, Title, Content) VALUES (\(id), 'p', x'0\(id % 10)')")
            }
            let crowd = Crowd()
            desk.place.observer.setFaults { request, _ in
                if request.url.hasSuffix("$value") { crowd.pass() }
                return nil
            }
            try desk.sync.download(["pictures"])
            #expect((2...3).contains(crowd.largest()))
            #expect(try desk.media(29) == Data([9]))
        }
    }

    @Test func onlyNewContentIsReadAgain() async throws {
        try await PictureDesk.run { desk in
            try desk.place.atService("UPDATE Pictures SET Content = x'0707' WHERE Id = 2")
            try desk.sync.download(["pictures"])
            #expect(
                streamReads(desk).filter { $0.hasSuffix("$value") }.sorted().contains(
                    "GET Pictures(2)/$value"))
            #expect(!streamReads(desk).contains("GET Pictures(1)/$value"))
            #expect(try desk.media(2) == Data([7, 7]))
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
        }
    }

    @Test func aBrokenDownloadOfStreamsGoesOnWithWhatIsMissing() async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: {
                $0.batchStreamDownloads = false
                $0.streamDownloadThreads = 1
            }
        ) { desk in
            desk.place.observer.setFaults { request, _ in
                request.url.hasSuffix("Pictures(2)/$value") ? .cutAnswer : nil
            }
            #expect(
                failure { try desk.sync.download(["pictures"]) }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Pictures/$value"))
            // What one content breaks is not broken for those behind it.
            #expect(try desk.thumb(3) == Data([0xbb, 0xcc]))
            desk.place.restoreNetwork()
            desk.place.observer.forget()
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1) == Data([1, 2, 3, 4]))
            #expect(try desk.media(2) == Data([5, 6]))
            #expect(!streamReads(desk).contains("GET Pictures(1)/$value"))
            #expect(
                try desk.place.storeText(
                    "SELECT count(*) FROM _odata_stream WHERE state <> 'whole'")
                    == "0")
        }
    }

    /// Downloads a large content whose first answer breaks off, as do the attempts to go on.
    private func breakOff(_ desk: PictureDesk) throws {
        try desk.place.atService(
            "UPDATE Pictures SET Content = randomblob(8000000) WHERE Id = 1")
        desk.place.observer.setFaults { request, _ in
            guard request.url.hasSuffix("Pictures(1)/$value") else { return nil }
            return request.headers["Range"] == nil ? .cutAnswer : .loseRequest
        }
        #expect(
            failure { try desk.sync.download(["pictures"]) }
                == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Pictures/$value"))
    }

    @Test func aLaterDownloadGoesOnWhereAnEarlierOneBrokeOff() async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: {
                $0.batchStreamDownloads = false
                $0.streamDownloadThreads = 1
            }
        ) { desk in
            try breakOff(desk)
            let parts = try #require(
                Int(
                    try desk.place.storeText(
                        "SELECT count(*) FROM _odata_stream_part WHERE (id >> 24) IN"
                            + " (SELECT id FROM _odata_stream WHERE state = 'arriving')") ?? ""))
            #expect(parts >= 1 && parts < 31)
            #expect(
                failure { try desk.media(1) }
                    == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
            desk.place.restoreNetwork()
            try desk.place.reopen()
            desk.place.sync.downloadInGroup("pictures", desk.place.set("Pictures"))
            desk.place.observer.forget()
            try desk.sync.download(["pictures"])
            let reads = desk.place.observer.requests.filter {
                $0.url.hasSuffix("Pictures(1)/$value")
            }
            #expect(reads.last?.headers["Range"] == "bytes=\(parts * 262_144)-")
            #expect(try desk.media(1) == desk.atService(1))
            #expect(
                try desk.place.storeText(
                    "SELECT count(*) FROM _odata_stream WHERE state <> 'whole'") == "0")
        }
    }

    @Test func contentThatChangedMeanwhileIsReadFromItsBeginning() async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: {
                $0.batchStreamDownloads = false
                $0.streamDownloadThreads = 1
            }
        ) { desk in
            try breakOff(desk)
            #expect(try desk.storedParts >= 1)
            desk.place.restoreNetwork()
            try desk.place.atService(
                "UPDATE Pictures SET Content = randomblob(1000000) WHERE Id = 1")
            try desk.sync.download(["pictures"])
            #expect(try desk.media(1).count == 1_000_000)
            #expect(try desk.media(1) == desk.atService(1))
            #expect(
                try desk.place.storeText(
                    "SELECT count(*) FROM _odata_stream WHERE state <> 'whole'") == "0")
        }
    }
}
