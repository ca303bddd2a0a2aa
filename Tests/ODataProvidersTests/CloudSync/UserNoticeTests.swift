import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import SAPCommon
import SAPOData
import Testing
import WorkplaceFixture

/// Another user is never passed over silently, and settings without effect say so.
@Suite struct UserNoticeTests {
    private static func events(_ place: ServiceWorkplace, _ type: String) throws -> [String?] {
        try place.sync.eventHistory(matching: nil).toArray().filter { $0.type == type }
            .map(\.details)
    }

    /// As zoe, with a change that was not sent.
    private static func asZoe(_ place: ServiceWorkplace) throws {
        place.sync.currentUser = "zoe"
        try place.prepare()
        try place.retitle(1, "by zoe")
        #expect(try Self.events(place, "userSwitch").isEmpty)
    }

    @Test(
        "CSP-017 another user is an event and a line in the log, and nothing is sent",
        arguments: ["ben", nil])
    func anotherUserIsNoted(user: String?) async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            let log = LogRecorder()
            let logger = Logger.shared(named: "OData.Sync")
            logger.add(handler: log)
            defer { logger.remove(handler: log) }
            try place.reopen { $0.currentUser = user }
            #expect(log.entries.all.contains("The store was opened for another user before."))
            #expect(try Self.events(place, "userSwitch") == ["zoe"])
            #expect(place.observer.requests.isEmpty)
            #expect(try place.sync.queued().length == 1)
            // From now on the store is theirs, also of nobody in particular.
            try place.reopen { $0.currentUser = user }
            #expect(try Self.events(place, "userSwitch") == ["zoe"])
            #expect(try place.sync.previousUser() == user)
            try place.reopen { $0.currentUser = "zoe" }
            #expect(try Self.events(place, "userSwitch") == ["zoe", user])
        }
    }

    @Test(
        "CSP-018 the same user sends nothing, nobody in particular is another user",
        arguments: ["zoe", nil])
    func uploadsAreForcedByAnotherUserOnly(user: String?) async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            let before = try place.servedTitle(1)
            try place.reopen {
                $0.currentUser = user
                $0.forceUploadOnUserSwitch = true
            }
            #expect(try place.servedTitle(1) == (user == nil ? "by zoe" : before))
            #expect(try place.sync.queued().length == (user == nil ? 0 : 1))
        }
    }

    @Test(
        "CSP-018 the changes of another user go with that user's session where the app has it",
        arguments: [true, false])
    func aFormerUsersChangesGoWithTheirSession(isKnown: Bool) async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            let root = place.sync.onlineProvider.serviceRoot
            try place.reopen { provider in
                provider.currentUser = "ben"
                provider.onlineProvider.httpHeaders.setHeader(
                    withName: "Authorization", value: "Bearer of ben")
                provider.forceUploadOnUserSwitch = true
                provider.forceDownloadOnUserSwitch = true
                provider.onlineProviderOfUser = { user in
                    guard isKnown, user == "zoe" else { return nil }
                    let online = OnlineODataProvider(serviceName: "FieldService", serviceRoot: root)
                    online.httpHeaders.setHeader(
                        withName: "Authorization", value: "Bearer of zoe")
                    return online
                }
            }
            let sent = place.observer.requests.filter { !$0.isInBatch }
            let write = try #require(sent.first { $0.method != "GET" })
            #expect(
                write.headers["Authorization"] == (isKnown ? "Bearer of zoe" : "Bearer of ben"))
            #expect(sent.last?.headers["Authorization"] == "Bearer of ben")
            #expect(try place.servedTitle(1) == "by zoe")
        }
    }

    @Test func aFormerUserWhoseSessionFailsKeepsTheirChanges() async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            let before = try place.servedTitle(1)
            #expect(throws: DataNetworkError.self) {
                try place.reopen {
                    $0.currentUser = "ben"
                    $0.forceUploadOnUserSwitch = true
                    $0.onlineProviderOfUser = { _ in
                        throw DataNetworkError.withMessage("The session of zoe is gone.")
                    }
                }
            }
            #expect(try place.servedTitle(1) == before)
            try place.reopen { $0.currentUser = "zoe" }
            #expect(try place.sync.queued().length == 1)
        }
    }

    @Test func eachRequestSaysWhoseItIs() async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            try place.reopen { $0.currentUser = "ben" }
            // Of one row and of another: what ben does joins into nothing of zoe's.
            try place.retitle(1, "by ben")
            try place.retitle(1, "by ben again")
            try place.retitle(2, "by ben")
            try place.reopen()
            try place.retitle(2, "by nobody")
            let requests = try place.sync.queued().toArray()
            #expect(requests.map(\.user) == ["zoe", "ben", "ben", nil])
            let stored = try place.storeText(
                "SELECT group_concat(coalesce(user, '-')) FROM"
                    + " (SELECT user FROM _odata_request ORDER BY id)")
            #expect(stored == "zoe,ben,ben,-")
            // Whoever sends it: it arrives once, in order.
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "by ben again")
            #expect(try place.servedTitle(2) == "by nobody")
        }
    }

    @Test("CSP-020 the same user reads nothing")
    func downloadsAreForcedByAnotherUserOnly() async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            try place.reopen {
                $0.currentUser = "zoe"
                $0.forceDownloadOnUserSwitch = true
            }
            #expect(place.observer.requests.isEmpty)
            try place.reopen {
                $0.currentUser = "ben"
                $0.forceDownloadOnUserSwitch = true
            }
            #expect(!place.requests("GET ").isEmpty)
        }
    }

    @Test func anotherUserCanBeRefused() async throws {
        try await ServiceWorkplace.run { place in
            try Self.asZoe(place)
            try place.sync.close()
            place.sync.currentUser = "ben"
            place.sync.refuseOpenOnUserSwitch = true
            let refusal = try #require(failure { try place.sync.open() })
            #expect(refusal.status == 409, "\(refusal)")
            #expect(throws: UsageError.self) { try place.sync.hasInitialData() }
            #expect(place.observer.requests.isEmpty)
            place.sync.currentUser = "zoe"
            try place.sync.open()
            #expect(try place.sync.previousUser() == "zoe")
            #expect(try place.storedTitle(1) == "by zoe")
            // With forced upload the switch is made.
            try place.sync.close()
            place.sync.currentUser = "ben"
            place.sync.forceUploadOnUserSwitch = true
            try place.sync.open()
            #expect(try place.servedTitle(1) == "by zoe")
        }
    }

    @Test("background transfers are logged as without effect")
    func settingsWithoutEffectAreNamed() async throws {
        try await ServiceWorkplace.run { place in
            let log = LogRecorder()
            for name in ["OData.Sync", "OData.Online"] {
                Logger.shared(named: name).add(handler: log)
            }
            defer {
                for name in ["OData.Sync", "OData.Online"] {
                    Logger.shared(named: name).remove(handler: log)
                }
            }
            place.sync.downloadInBackground = true
            place.sync.uploadInBackground = true
            let network = place.sync.onlineProvider.networkOptions
            network.allowTunneling = true
            network.tunneledMethods.append("MERGE")
            try place.sync.open()
            #expect(!log.entries.all.contains { $0.contains("allowTunneling") })
            try place.sync.close()
            network.tunneledMethods.clear()
            try place.sync.open()
            let options = RequestOptions()
            options.backgroundFile = "a"
            options.backgroundName = "b"
            options.repeatabilityDeletion = GlobalDateTime.now()
            try place.sync.pingServer(headers: .empty, options: options)
            for name in [
                "downloadInBackground", "uploadInBackground", "backgroundFile", "backgroundName",
                "repeatabilityDeletion", "allowTunneling",
            ] {
                #expect(
                    log.entries.all.contains { $0.hasPrefix("The setting \(name) has no effect") },
                    "\(name)")
            }
        }
    }

    @Test func newMetadataIsAnEvent() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.restartService(sql: "ALTER TABLE Sites ADD COLUMN Nick TEXT")
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            try place.sync.download()
            #expect(try Self.events(place, "metadata") == ["Sites"])
        }
    }
}
