import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// Making, opening, closing and clearing a provider, and what changes with the user.
@Suite struct LifecycleTests {
    // CSP-001, CSP-008
    @Test func aProviderHasThePartsItWasMadeOf() async throws {
        try await ServiceWorkplace.run { place in
            let online = place.sync.onlineProvider
            let store = place.sync.offlineStore
            let provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
            #expect(provider.onlineProvider === online)
            #expect(provider.offlineStore === store)
            #expect(provider.serviceName == online.serviceName)
            try provider.open()
            #expect(FileManager.default.fileExists(atPath: place.storePath))
            try provider.close()
        }
    }

    // CSP-002
    @Test func withoutAStoreOneIsMadeFromTheServiceName() async throws {
        try await ServiceWorkplace.run { place in
            let name = "Service-\(UUID().uuidString)"
            let online = OnlineODataProvider(
                serviceName: name, serviceRoot: place.sync.onlineProvider.serviceRoot)
            let provider = CloudSyncProvider(onlineProvider: online)
            try provider.open()
            let path = try provider.offlineStore.path()
            #expect(path.hasSuffix(name + ".db"))
            #expect(FileManager.default.fileExists(atPath: path))
            try provider.clear()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    // CSP-003, CSP-004
    @Test func aServiceOverTheProviderReadsLocallyAndSynchronises() async throws {
        try await ServiceWorkplace.run { place in
            let service = OfflineDataService(provider: place.sync)
            try service.open()
            try service.download()
            #expect(place.requests("GET ").contains { $0.contains("WorkOrders") })
            place.observer.forget()
            place.cutNetwork()
            let plain = DataService(provider: place.sync)
            let orders = try plain.executeQuery(place.query("WorkOrders?$orderby=Id&$top=3"))
            #expect(
                try orders.entityList().map { $0.text("Title") }
                    == place.serviceRows("SELECT Title FROM WorkOrders ORDER BY Id LIMIT 3")
                    .map { $0[0] as String? })
            #expect(place.observer.requests.isEmpty)
            place.restoreNetwork()
            try place.retitle(1, "by the service")
            try service.upload()
            #expect(try place.servedTitle(1) == "by the service")
            try service.close()
        }
    }

    // CSP-006
    @Test func theDynamicSetUpOpensWithAnIndexAskedForBeforeMetadataIsKnown() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.hasMetadata)
            place.sync.createDynamicIndex("WorkOrders", "Status")
            let service = OfflineDataService(provider: place.sync)
            try service.open()
            #expect(place.sync.hasMetadata)
            #expect(
                try place.storeRows(
                    "SELECT 1 FROM pragma_index_list('WorkOrders') l, pragma_index_info(l.name) i"
                        + " WHERE i.name = 'Status'"
                ).count == 1)
        }
    }

    // CSP-007
    @Test func theProxySetUpMarkChangesNothingForDynamicUse() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.onlineSetup)
            place.sync.onlineSetup = true
            #expect(place.sync.onlineSetup)
            try place.prepare()
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
        }
    }

    // CSP-071, REG-014, REG-015
    @Test(arguments: [true, false]) func theFirstOpeningRegistersTheClient(
        _ isOn: Bool
    ) async throws {
        let table =
            "CREATE TABLE ClientRegistrationSet (ClientID INTEGER NOT NULL PRIMARY KEY,"
            + " ClientGUID UUID NOT NULL)"
        try await ServiceWorkplace.run(sql: table) { place in
            #expect(place.sync.autoRegisterClient)
            place.sync.autoRegisterClient = isOn
            try place.sync.open()
            let registration: any ClientRegistrationProvider = place.sync
            #expect(try registration.isClientRegistered() == isOn)
            #expect(try place.serviceCount("ClientRegistrationSet") == (isOn ? 1 : 0))
            try place.reopen { $0.autoRegisterClient = isOn }
            #expect(place.requests("POST ClientRegistrationSet").count == (isOn ? 1 : 0))
        }
    }

    // CSP-009
    @Test func theFileAppearsWithTheFirstOpening() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!FileManager.default.fileExists(atPath: place.storePath))
            try place.sync.open()
            #expect(FileManager.default.fileExists(atPath: place.storePath))
            #expect(
                try place.storeRows("SELECT 1 FROM sqlite_master WHERE name = 'Sites'").count == 1)
        }
    }

    // CSP-010
    @Test func laterOpeningsNeedNoNetwork() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.service.stop()
            try place.reopen()
            #expect(try place.entities("WorkOrders").count == place.serviceCount("WorkOrders"))
            #expect(place.observer.requests.isEmpty)
        }
    }

    // CSP-011
    @Test func aClosedStoreAnswersNothingAndKeepsItsFile() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.close()
            #expect(
                failure { try place.entities("WorkOrders") }
                    == Failure(
                        UsageError.self, .usage, "Expected an open store: call open() first."))
            #expect(FileManager.default.fileExists(atPath: place.storePath))
            try place.sync.open()
            #expect(try place.entities("WorkOrders").count == 25)
        }
    }

    // CSP-012
    @Test func clearingDeletesTheFilesAndTheNextOpeningStartsEmpty() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.retitle(1, "unsent")
            try place.sync.clear()
            for suffix in ["", "-wal", "-shm"] {
                #expect(!FileManager.default.fileExists(atPath: place.storePath + suffix))
            }
            try place.sync.open()
            #expect(try place.entities("WorkOrders").isEmpty)
            #expect(try !place.sync.hasInitialData())
            #expect(try place.sync.queued().isEmpty)
        }
    }

    // CSP-013
    @Test func clearingWhileOthersReadCorruptsNothing() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let query = place.query("WorkOrders")
            let sync = place.sync
            let hasEnded = DispatchSemaphore(value: 0)
            let hasBegun = DispatchSemaphore(value: 0)
            let counts = Recorder<Int>()
            let reader = Thread {
                for round in 0..<200 {
                    // An error is an answer: the store may be gone.
                    if let found = try? sync.entities(query) { counts.add(found.length) }
                    if round == 3 { hasBegun.signal() }
                }
                hasEnded.signal()
            }
            reader.start()
            hasBegun.wait()
            try sync.clear()
            hasEnded.wait()
            // No read saw a part of the rows.
            #expect(counts.all.count >= 4 && counts.all.allSatisfy { $0 == 25 })
            try sync.open()
            try sync.download()
            #expect(try place.entities("WorkOrders").count == 25)
            #expect(try place.storeText("PRAGMA integrity_check") == "ok")
        }
    }
}

/// What opening for a user does.
@Suite struct UserSwitchTests {
    // CSP-014, CSP-016
    @Test func theUserOfOneOpeningIsThePreviousOneOfTheNext() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.currentUser = "zoe"
            try place.sync.open()
            #expect(try place.sync.previousUser() == nil)
            try place.reopen { $0.currentUser = "ben" }
            #expect(place.sync.currentUser == "ben")
            #expect(try place.sync.previousUser() == "zoe")
            try place.reopen { $0.currentUser = "ben" }
            #expect(try place.sync.previousUser() == "ben")
        }
    }

    // CSP-015
    @Test func theUserIsNoMatterOfHTTP() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.download()
            let without = place.observer.requests.map { $0.headers.fields.map(\.name) }
            #expect(!without.isEmpty)
            try place.reopen { $0.currentUser = "zoe" }
            place.observer.forget()
            // Another user's delta links are not used: compared are the headers of the requests.
            try place.sync.download()
            let names = Set(without.joined().map { $0.lowercased() })
            #expect(place.requests("GET ").count == 6)
            for request in place.observer.requests {
                #expect(request.headers["Authorization"] == nil)
                for field in request.headers.fields {
                    #expect(names.contains(field.name.lowercased()))
                    #expect(!field.value.contains("zoe"))
                }
            }
        }
    }

    private static func switchUser(
        _ place: ServiceWorkplace, _ configure: (CloudSyncProvider) -> Void
    ) throws {
        place.sync.currentUser = "zoe"
        try place.prepare()
        try place.retitle(1, "by zoe")
        try place.atService("UPDATE WorkOrders SET Title = 'meanwhile' WHERE Id = 2")
        try place.reopen { provider in
            provider.currentUser = "ben"
            configure(provider)
        }
    }

    // CSP-017, CSP-019
    @Test func aSwitchOfTheUserSendsAndReadsNothingByItself() async throws {
        try await ServiceWorkplace.run { place in
            try Self.switchUser(place) { _ in }
            #expect(place.observer.requests.isEmpty)
            #expect(try place.sync.queued().length == 1)
            #expect(try place.storedTitle(2) != "meanwhile")
        }
    }

    // CSP-018
    @Test func aSwitchCanSendTheFormerUsersChanges() async throws {
        try await ServiceWorkplace.run { place in
            try Self.switchUser(place) { $0.forceUploadOnUserSwitch = true }
            #expect(try place.servedTitle(1) == "by zoe")
            #expect(try place.sync.queued().isEmpty)
            #expect(place.requests("GET WorkOrders").isEmpty)
        }
    }

    // CSP-020
    @Test func aSwitchCanDownload() async throws {
        try await ServiceWorkplace.run { place in
            try Self.switchUser(place) { $0.forceDownloadOnUserSwitch = true }
            #expect(try place.storedTitle(2) == "meanwhile")
            #expect(try place.sync.queued().length == 1)
            #expect(place.requests("PATCH").isEmpty)
        }
    }

    // CSP-021
    @Test func aSwitchWithBothSendsBeforeItReads() async throws {
        try await ServiceWorkplace.run { place in
            try Self.switchUser(place) {
                $0.forceUploadOnUserSwitch = true
                $0.forceDownloadOnUserSwitch = true
            }
            let requests = place.requests()
            let sent = try #require(requests.firstIndex { $0.hasPrefix("PATCH WorkOrders(1)") })
            let read = try #require(requests.firstIndex { $0.hasPrefix("GET WorkOrders") })
            #expect(sent < read)
            #expect(try place.storedTitle(1) == "by zoe")
            #expect(try place.storedTitle(2) == "meanwhile")
        }
    }

    // CSP-022
    @Test func theFirstOpeningReadsMetadataOnly() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            #expect(place.requests() == ["GET $metadata"])
        }
    }

    // CSP-023
    @Test func theFirstOpeningCanDownloadAndLaterOnesDoNot() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.autoInitialDownload = true
            try place.sync.open()
            #expect(try place.sync.hasInitialData())
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
            place.observer.forget()
            try place.reopen { $0.autoInitialDownload = true }
            #expect(place.observer.requests.isEmpty)
        }
    }
}
