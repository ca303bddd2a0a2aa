import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// What a download reads: groups, phases, switches.
@Suite struct SelectionTests {
    // CSP-099
    @Test func withoutGroupsEverySetIsRead() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try place.sync.download()
            #expect(
                place.setsRead().sorted()
                    == ["Customers", "Equipment", "Photos", "Sites", "TimeEntries", "WorkOrders"])
        }
    }

    // CSP-100, CSP-103
    @Test func ofNamedGroupsOnlyTheirSetsAreRead() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInGroup("places", place.set("Sites"), place.set("Customers"))
            try place.sync.downloadGroup("things").add(place.set("Equipment"))
            #expect(
                place.sync.downloadGroup("places").entities.toArray() == ["Sites", "Customers"])
            try place.sync.download(["places"])
            #expect(place.setsRead().sorted() == ["Customers", "Sites"])
            #expect(try place.storeCount("Equipment") == 0)
            try place.sync.download(["things"])
            #expect(try place.storeCount("Equipment") == place.serviceCount("Equipment"))
        }
    }

    // CSP-101, CSP-107
    @Test func groupsAndPhasesAreMadeOnce() async throws {
        try await ServiceWorkplace.run { place in
            let group = place.sync.downloadGroup("g")
            #expect(place.sync.downloadGroup("g") === group)
            #expect(place.sync.downloadGroup("h") !== group)
            let phase = place.sync.downloadPhase(2)
            #expect(place.sync.downloadPhase(2) === phase)
            #expect(place.sync.downloadPhase(3) !== phase)
        }
    }

    // CSP-102
    @Test func groupsAreForgottenOverARestart() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInGroup("g", place.set("Sites"))
            try place.reopen()
            #expect(place.sync.downloadGroup("g").entities.isEmpty)
        }
    }

    // CSP-104
    @Test func setsOfNestedGroupsAreReadOnce() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInGroup("inner", place.set("Sites"))
            place.sync.downloadInGroup("outer", place.set("Customers"), place.set("Sites"))
            try place.sync.downloadGroup("outer").addGroup(name: "inner")
            try place.sync.downloadGroup("inner").addGroup(name: "outer")
            try place.sync.download(["outer"])
            #expect(place.requests("GET Sites").count == 1)
            #expect(place.requests("GET Customers").count == 1)
            #expect(place.setsRead().count == 2)
        }
    }

    // CSP-105
    @Test func aGroupCanNameSetsBeforeMetadataIsThere() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.hasMetadata)
            place.sync.downloadGroup("g").entities.append("Sites")
            try place.sync.open()
            try place.sync.download(["g"])
            #expect(place.setsRead() == ["Sites"])
            #expect(try place.storeCount("Sites") == 10)
        }
    }

    // CSP-106
    @Test func aGroupCanNameADownloadQuery() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try place.sync.createDownloadQuery(
                name: "urgent", query: place.query("WorkOrders?$filter=Priority eq 4"),
                streams: false)
            try place.sync.createDownloadQuery(
                name: "lazy", query: place.query("WorkOrders?$filter=Priority eq 1"),
                streams: false)
            try place.sync.downloadGroup("g").addQuery(name: "urgent")
            try place.sync.download(["g"])
            #expect(place.requests("GET WorkOrders") == ["GET WorkOrders?$filter=Priority eq 4"])
            #expect(try place.storeCount("WorkOrders", "Priority <> 4") == 0)
            #expect(
                try place.storeCount("WorkOrders")
                    == place.serviceCount("WorkOrders", "Priority = 4"))
        }
    }

    // CSP-108
    @Test func phasesAreReadInTheirOrder() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInPhase(2, place.set("Customers"))
            place.sync.downloadInPhase(1, place.set("WorkOrders"), place.set("Photos"))
            try place.sync.download()
            let sets = place.setsRead()
            #expect(Set(sets.prefix(2)) == ["WorkOrders", "Photos"])
            #expect(sets.count == 6 && sets[2] == "Customers")
        }
    }

    // CSP-109
    @Test(arguments: [0, -1]) func aPhaseOfZeroOrLessIsNeverRead(_ number: Int) async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInPhase(number, place.set("Photos"))
            try place.sync.download()
            #expect(place.setsRead().count == 5)
            #expect(!place.setsRead().contains("Photos"))
        }
    }

    // CSP-110
    @Test func anUnsetModeFollowsBatchAndThreadSettings() async throws {
        for (batches, threads, isBatch, isParallel) in [
            (true, 10, true, false), (false, 10, false, true), (false, 1, false, false),
        ] {
            try await ServiceWorkplace.run { place in
                try place.sync.open()
                place.observer.forget()
                place.sync.batchEntityDownloads = batches
                place.sync.entityDownloadThreads = threads
                place.sync.setDownloadMode(phase: 1, mode: .any)
                place.sync.downloadInPhase(
                    1, place.set("Sites"), place.set("WorkOrders"), place.set("Customers"),
                    place.set("Photos"), place.set("Equipment"), place.set("TimeEntries"))
                let meter = OverlapMeter(expecting: isParallel ? 2 : 1)
                place.observer.setFaults(meter.rule)
                try place.sync.download()
                #expect(place.requests("POST $batch").count == (isBatch ? 1 : 0))
                #expect((meter.most > 1) == isParallel)
            }
        }
    }

    // CSP-111
    @Test func aPhaseCanBeOneBatch() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.observer.forget()
            place.sync.downloadInPhase(1, place.set("Sites"), place.set("Customers"))
            place.sync.setDownloadMode(phase: 1, mode: .batch)
            place.sync.batchEntityDownloads = false
            try place.sync.download()
            #expect(place.requests("POST $batch").count == 1)
            let members = place.observer.requests.filter(\.isInBatch).map { place.resource($0) }
            #expect(members.sorted() == ["Customers", "Sites"])
        }
    }

    // CSP-112
    @Test func aPhaseCanBeReadInParallel() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadInPhase(
                1, place.set("Sites"), place.set("Customers"), place.set("Photos"))
            place.sync.setDownloadMode(phase: 1, mode: .parallel)
            place.sync.downloadInGroup(
                "g", place.set("Sites"), place.set("Customers"), place.set("Photos"))
            let meter = OverlapMeter(expecting: 2)
            place.observer.setFaults(meter.rule)
            try place.sync.download(["g"])
            #expect(meter.most > 1)
            #expect(place.requests("POST $batch").isEmpty)
        }
    }

    // CSP-113
    @Test func aPhaseCanBeReadInSequence() async throws {
        try await ServiceWorkplace.run(pageSize: 5) { place in
            try place.sync.open()
            place.sync.downloadInPhase(
                1, place.set("Sites"), place.set("Customers"), place.set("Photos"))
            place.sync.setDownloadMode(phase: 1, mode: .sequence)
            place.sync.downloadInGroup(
                "g", place.set("Sites"), place.set("Customers"), place.set("Photos"))
            let meter = OverlapMeter()
            place.observer.setFaults(meter.rule)
            try place.sync.download(["g"])
            #expect(meter.most == 1)
            #expect(place.requests("POST $batch").isEmpty)
            #expect(place.requests("GET ").count > 4)
        }
    }

    // CSP-054
    @Test func noMoreReadsGoOnAtOnceThanThreadsAreAllowed() async throws {
        try await ServiceWorkplace.run(pageSize: 5) { place in
            #expect(place.sync.entityDownloadThreads == 10)
            try place.sync.open()
            place.sync.batchEntityDownloads = false
            place.sync.entityDownloadThreads = 2
            let meter = OverlapMeter(expecting: 2)
            place.observer.setFaults(meter.rule)
            try place.sync.download()
            #expect(meter.most == 2)
        }
    }
}

/// Notes how many requests a service has before it at once. Holds each one up a little, and the first ones until as
/// many are there as are expected, so that overlaps show on a busy machine too.
final class OverlapMeter: Sendable {
    private let state = Mutex((now: 0, most: 0))
    private let expected: Int

    init(expecting expected: Int = 1) {
        self.expected = expected
    }

    var most: Int { state.withLock { $0.most } }

    var rule: ServiceObserver.FaultRule {
        { [self] _, _ in
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<100 where most < expected { Thread.sleep(forTimeInterval: 0.03) }
            Thread.sleep(forTimeInterval: 0.03)
            state.withLock { $0.now -= 1 }
            return nil
        }
    }
}
