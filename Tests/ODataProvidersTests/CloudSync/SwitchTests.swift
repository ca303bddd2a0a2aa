import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataWire
import Testing
import WorkplaceFixture

/// Switches of the provider, by what the service sees.
@Suite struct SwitchTests {
    // CSP-048
    @Test func firstPagesComeInOneBatch() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.batchEntityDownloads)
            try place.prepare()
            try place.sync.clear()
            try place.sync.open()
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("POST $batch").count == 1)
            #expect(place.observer.requests.filter(\.isInBatch).count == 6)
            #expect(place.observer.requests.count == 7)
        }
    }

    // CSP-049
    @Test func setsCanBeReadOneByOne() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.batchEntityDownloads = false
            try place.sync.open()
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("POST").isEmpty)
            #expect(place.requests("GET ").count == 6)
            #expect(place.observer.requests.allSatisfy { !$0.isInBatch })
        }
    }

    // CSP-060
    @Test func dataCanBeFetchedWithoutBeingKept() async throws {
        try await ServiceWorkplace.run(pageSize: 10) { place in
            #expect(place.sync.persistDownloadedEntities)
            place.sync.persistDownloadedEntities = false
            try place.sync.open()
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").count == 3)
            #expect(place.setsRead().count == 6)
            for set in UndoTests.tables { #expect(try place.storeCount(set) == 0) }
            #expect(try !place.sync.hasInitialData() && !place.sync.hasPendingDownload())
            place.sync.persistDownloadedEntities = true
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders") == 25)
        }
    }

    // CSP-062
    @Test func compactAnswersAreAskedForUnlessThatIsSwitchedOff() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.preferCompactResponses)
            try place.prepare()
            for isOn in [true, false] {
                place.sync.preferCompactResponses = isOn
                place.observer.forget()
                try place.sync.download()
                let accepted = place.observer.requests.filter { $0.method == "GET" }
                    .compactMap { $0.headers["Accept"] }
                #expect(accepted.count == 6)
                #expect(accepted.allSatisfy { $0.contains("odata.metadata=minimal") == isOn })
                #expect(accepted.allSatisfy { $0.contains("application/json") })
            }
        }
    }

    // CSP-064, CSP-067
    @Test func waitingForTransfersEndsAtOnceAndOnce() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.backgroundWaitSeconds == 20)
            let calls = Recorder<Int>()
            place.sync.waitForCompletion(sessionIdentifier: "session") { calls.add(1) }
            #expect(calls.all == [1])
        }
    }

    @Test func backgroundTransfersAreTakenAndIgnored() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.downloadInBackground && !place.sync.uploadInBackground)
            place.sync.downloadInBackground = true
            place.sync.uploadInBackground = true
            #expect(place.sync.downloadInBackground && place.sync.uploadInBackground)
            try place.prepare()
            #expect(try place.storeCount("WorkOrders") == 25)
            try place.retitle(1, "sent")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "sent")
        }
    }

    // CSP-068, CSP-069, CSP-070
    @Test func requestsAndBodiesAreLoggedOnlyWhenAsked() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.traceRequests && !place.sync.traceWithData)
            let log = LogRecorder()
            place.sync.onlineProvider.logger.logLevel = .debug
            place.sync.onlineProvider.logger.add(handler: log)
            defer { place.sync.onlineProvider.logger.remove(handler: log) }
            try place.prepare()
            let query = DataQuery(
                try URLParser.parse(
                    "Sites?$filter=Id eq 1", graph: place.sync.metadata.graph, dialect: .v4),
                in: place.sync.metadata)
            let read = {
                _ = try place.sync.onlineProvider.executeQuery(
                    query, headers: .empty, options: .none)
            }
            let lines: (String) -> Int = { text in
                log.entries.all.filter { $0.contains(text) }.count
            }
            place.sync.traceWithData = true
            try read()
            #expect(lines("Sites") == 0)
            place.sync.traceWithData = false
            place.sync.traceRequests = true
            try read()
            #expect(
                log.entries.all.filter { $0.hasPrefix("GET ") && $0.contains("Sites") }.count == 1)
            #expect(lines("HasParking") == 0)
            place.sync.traceWithData = true
            try read()
            #expect(lines("HasParking") == 1)
            // Other providers write to the same logger meanwhile.
            let prettyBodies = {
                log.entries.all.filter { $0.contains("HasParking") && $0.contains("\n  ") }.count
            }
            #expect(prettyBodies() == 0)
            place.sync.prettyTracing = true
            try read()
            #expect(prettyBodies() == 1)
        }
    }
}
