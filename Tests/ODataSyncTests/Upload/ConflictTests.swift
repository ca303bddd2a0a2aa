import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// A change that somebody else was quicker with: what is seen of it, and how it is settled.
@Suite struct ConflictTests {
    private static func collide(_ place: ServiceWorkplace) throws -> String? {
        place.sync.throwUploadFailures = false
        try place.prepare()
        let base = try place.storedTitle(1)
        try place.retitle(1, "mine")
        try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
        try place.sync.upload()
        return base
    }

    private static func overwrites(_ place: ServiceWorkplace) throws -> [String] {
        try place.storeRows("SELECT details FROM _odata_event WHERE type = 'overwrite'")
            .map { $0[0] }
    }

    private static func change(to title: String) -> String {
        let row = #"{"@type":"FieldService.WorkOrder","Title":"#
        return "\"before\":\(row)\"theirs\"},\"after\":\(row)\"\(title)\"}"
    }

    /// Of a row that nobody has seen since nothing is told: its tag refuses the change again.
    @Test func aRetryOverTheRowThatWasKnownTellsNothing() async throws {
        try await ServiceWorkplace.run { place in
            _ = try Self.collide(place)
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try Self.overwrites(place).isEmpty)
        }
    }

    @Test func aLaterChangeThatCorrectsARefusedOneIsToldAsItGoes() async throws {
        try await ServiceWorkplace.run { place in
            _ = try Self.collide(place)
            try place.sync.download()
            try place.retitle(1, "mine again")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "mine again")
            let told = try Self.overwrites(place)
            #expect(told.count == 1)
            #expect(told.first?.contains(Self.change(to: "mine again")) == true)
        }
    }

    @Test func baseLocalAndServerValuesCanAllBeHad() async throws {
        try await ServiceWorkplace.run { place in
            let base = try Self.collide(place)
            let failed = try #require(try place.sync.failed().toArray().first)
            #expect(failed.httpStatus == 412)
            #expect(failed.requestBody?.contains("mine") == true)
            #expect(try failed.affectedEntity()?.text("Title") == "mine")
            #expect(try place.order(1).inErrorState)
            let tables = try place.storeRows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%WorkOrders%'")
            let images = try tables.map { row -> [String] in
                let name: String = row[0]
                return try place.storeRows("SELECT Title FROM \"\(name)\" WHERE Id = 1").map {
                    $0[0]
                }
            }
            #expect(Set(images.joined()) == ["mine", base])
            #expect(try place.servedTitle(1) == "theirs")
            try place.sync.download()
            try place.sync.cancelPendingRequests(nil)
            #expect(try place.storedTitle(1) == "theirs")
        }
    }

    /// Waiting decides nothing: the request goes again with the tag that it was made with, until the app says otherwise.
    @Test func onlyTheAppSettlesItForTheClient() async throws {
        try await ServiceWorkplace.run { place in
            _ = try Self.collide(place)
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            try place.sync.download()
            #expect(try place.storedTitle(1) == "mine")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try Self.overwrites(place).isEmpty)
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "mine")
            let told = try Self.overwrites(place)
            #expect(told.count == 1)
            #expect(told.first?.contains(#""policy":"app","overwritten":"service""#) == true)
            #expect(told.first?.contains(Self.change(to: "mine")) == true)
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
            #expect(try !place.order(1).inErrorState)
        }
    }

    /// What was refused stays listed with its reason until it is really sent again.
    @Test func errorsDoNotVanishWhenNothingIsSent() async throws {
        try await ServiceWorkplace.run { place in
            _ = try Self.collide(place)
            let refusal = try #require(try place.sync.failed().toArray().first)
            func expectListed(_ place: ServiceWorkplace) throws {
                let failed = try place.sync.failed().toArray()
                #expect(failed.map(\.requestID) == [refusal.requestID])
                #expect(failed.map(\.httpStatus) == [412])
                #expect(failed.map(\.responseBody) == [refusal.responseBody])
                #expect(try place.sync.queued().isEmpty && place.order(1).inErrorState)
            }
            try place.sync.upload(groups: ["another"], options: SyncOptions())
            try expectListed(place)
            place.service.stop()
            #expect(throws: (any Error).self) { try place.sync.upload() }
            try expectListed(place)
            // As the file stands where the client is killed before it sends.
            try place.sync.close()
            let file = try DatabaseQueue(path: place.folder.appendingPathComponent("store.db").path)
            try file.write {
                try $0.execute(sql: "UPDATE _odata_request SET state = 'waiting'")
            }
            try file.close()
            try place.reopen { $0.throwUploadFailures = false }
            try expectListed(place)
            try place.restartService(sql: "UPDATE WorkOrders SET Title = 'gone' WHERE Id = 2")
            try place.sync.upload()
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
            #expect(try place.servedTitle(1) == "theirs")
        }
    }

    @Test func aRefusedRequestCanBeCorrected() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.throwUploadFailures = false
            try place.prepare()
            // The number of the first order is taken: the service refuses.
            let number = try #require(try place.order(1).text("Number"))
            try place.createOrder(number)
            try place.retitle(2, "sent all the same")
            try place.sync.upload()
            #expect(try place.servedTitle(2) == "sent all the same")
            let failed = try #require(try place.sync.failed().toArray().first)
            #expect(failed.httpMethod == "POST" && (failed.httpStatus ?? 0) >= 400)
            let order = try #require(try failed.affectedEntity(fixRequest: true))
            order.put("Number", "FREE-1")
            try place.sync.update(order)
            #expect(try place.sync.queued().map(\.httpMethod) == ["POST"])
            try place.sync.upload()
            #expect(try place.serviceCount("WorkOrders", "Number = 'FREE-1'") == 1)
            #expect(try place.sync.failed().isEmpty)
        }
    }

    @Test func onlyWhatDependsOnARefusalIsHeldBack() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.throwUploadFailures = false
            place.sync.combineLocalUpdates = false
            try place.prepare()
            let number = try #require(try place.order(1).text("Number"))
            let refused = try place.createOrder(number)
            refused.put("Title", "depends on the creation")
            try place.sync.update(refused)
            try place.retitle(2, "independent")
            try place.sync.upload()
            let failed = try place.sync.failed()
            #expect(failed.map(\.httpMethod) == ["POST", "PATCH"])
            #expect(
                failed[1].httpStatus == nil
                    && failed[1].errorMessage?.contains("\(failed[0].requestID)") == true)
            #expect(try place.servedTitle(2) == "independent")
            #expect(try place.sync.queued().isEmpty)
        }
    }
}
