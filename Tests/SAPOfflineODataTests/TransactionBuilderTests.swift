import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct TransactionBuilderTests {
    private static let on: @Sendable (OfflineODataParameters) -> Void = {
        $0.enableTransactionBuilder = true
    }

    /// The six requests of the text about the builder.
    private static func sixRequests(_ desk: ShopDesk) throws {
        let first = try desk.create("Customers", 1, "a", options: try ShopDesk.options("1"))
        try desk.create("Orders", 1, "o", options: try ShopDesk.options("1"))
        try desk.create("Products", 1, "p")
        let second = try desk.create("Customers", 2, "b", options: try ShopDesk.options("2"))
        try desk.set(first, "A", options: try ShopDesk.options("1"))
        try desk.set(second, "B", options: try ShopDesk.options("2"))
    }

    private static let sixResults = [["1", "A"], ["2", "B"], ["50", "Old"]]

    /// PAR-035, FEA-034, FEA-037
    @Test func requestsOfOneTransactionGoInOneChangeSet() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try Self.sixRequests(desk)
            try desk.upload()
            #expect(
                desk.sent() == [
                    "[", "POST Customers", "POST Orders", "PATCH $1", "]", "POST Products",
                    "[", "POST Customers", "PATCH $5", "]",
                ])
            #expect(try desk.served("Customers") == Self.sixResults)
        }
    }

    /// FEA-035, FEA-036
    @Test func aTransactionIsStoredWithTheRequest() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try Self.sixRequests(desk)
            let stored = try desk.school.storeRows(
                "SELECT transaction_id FROM _odata_request ORDER BY position")
            #expect(stored[0] == stored[1] && stored[0] == stored[4] && stored[0] != [nil])
            #expect(stored[2] == [nil])
            #expect(stored[3] == stored[5] && stored[3] != stored[0])
            #expect(
                throws: OfflineODataError.invalidInput(
                    code: OfflineODataErrorName.invalidArgument.rawValue,
                    message: "Expected a name for the transaction, found blanks only.")
            ) { _ = try TransactionID(stringLiteral: " ") }
        }
    }

    /// PAR-036
    @Test func theBuilderAndTheOptimizationWorkTogether() async throws {
        try await ShopDesk.run {
            $0.enableTransactionBuilder = true
            $0.enableRequestQueueOptimization = true
        } _: { desk in
            try Self.sixRequests(desk)
            try desk.upload()
            #expect(
                desk.sent() == [
                    "[", "POST Customers", "POST Orders", "]", "POST Products", "POST Customers",
                ])
            #expect(try desk.served("Customers") == Self.sixResults)
        }
    }

    /// PAR-037, FEA-038
    @Test func whatHasToComeBetweenSplitsATransactionInAsFewSetsAsPossible() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.create(
                "Customers", 1, "a", options: try ShopDesk.options("1"))
            try desk.create("Products", 1, "p", options: try ShopDesk.options("1"))
            // Outside of the transaction, after the creation and before the next change.
            try desk.set(customer, "b")
            try desk.set(customer, "c", options: try ShopDesk.options("1"))
            try desk.create("Products", 2, "q", options: try ShopDesk.options("1"))
            try desk.create("Products", 3, "r", options: try ShopDesk.options("1"))
            try desk.upload()
            #expect(
                desk.sent() == [
                    "[", "POST Customers", "POST Products", "POST Products", "POST Products", "]",
                    "PATCH Customers(1)", "PATCH Customers(1)",
                ])
            #expect(try desk.served("Customers")[0] == ["1", "c"])
        }
    }

    /// PAR-038, FEA-039
    @Test func aChangeSetHasOneUnmodifiableRequestPerEntity() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.find("Customers", 50)
            let other = try desk.create("Customers", 1, "a", options: try ShopDesk.options("1"))
            for step in ["one", "two"] {
                let options = try ShopDesk.options("1", unmodifiable: true)
                try desk.set(customer, step, options: options)
                try desk.set(other, step, options: try ShopDesk.options("1"))
            }
            try desk.upload()
            #expect(
                desk.sent() == [
                    "[", "POST Customers", "PATCH Customers(50)", "PATCH $1", "PATCH $1", "]",
                    "PATCH Customers(50)",
                ])
            #expect(try desk.served("Customers") == [["1", "two"], ["50", "two"]])
        }
    }

    @Test func requestsJoinATransactionByTheEntityThatStartedIt() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let start = OfflineODataRequestOptions()
            start.transactionID = TransactionID.useGeneratedIDForTransaction()
            let customer = try desk.create("Customers", 1, "a", options: start)
            try desk.create("Products", 1, "p")
            let join = OfflineODataRequestOptions()
            join.transactionID = try TransactionID(customer)
            try desk.create("Products", 2, "q", options: join)
            #expect(
                failure { try desk.set(customer, "b", options: start) }
                    == Failure(UsageError.self, .usage, at: "Customers"))
            try desk.upload()
            #expect(
                desk.sent() == ["[", "POST Customers", "POST Products", "]", "POST Products"])
        }
    }

    @Test func aGeneratedCategoryIsSentByTheEntityThatStartedIt() async throws {
        try await ShopDesk.run { desk in
            let start = OfflineODataRequestOptions()
            start.uploadCategory = UploadCategory.useGeneratedIDForUploadCategory()
            let customer = try desk.create("Customers", 1, "a", options: start)
            try desk.create("Products", 1, "p")
            let category = try UploadCategory(customer)
            #expect(
                SchoolService.wait {
                    desk.provider.upload(categories: [category], completionHandler: $0)
                } == nil)
            #expect(desk.sent() == ["POST Customers"])
            #expect(try desk.queueLength() == 1)
        }
    }
}
