import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// The queue of changes: how it is listed, narrowed, combined and cancelled.
@Suite struct QueueTests {
    /// Two creations, an update, a deletion, and an update of a site.
    private static func fill(_ place: ServiceWorkplace) throws {
        try place.prepare()
        try place.createOrder("A")
        try place.createOrder("B")
        try place.retitle(3, "changed")
        try place.sync.delete(place.order(4))
        let site = try place.entity("Sites", "Id eq 1")
        site.put("Name", "renamed")
        try place.sync.update(site)
    }

    // CSP-159, CSP-163
    @Test func everyWaitingRequestIsListed() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            #expect(try !place.sync.hasQueuedRequests(matching: nil, headers: nil, options: nil))
            try place.retitle(1, "x")
            #expect(try place.sync.hasQueuedRequests(matching: nil, headers: nil, options: nil))
            try place.sync.cancelPendingRequests(nil)
            try Self.fill(place)
            let list = try place.sync.queued()
            #expect(list.map(\.httpMethod) == ["POST", "POST", "PATCH", "DELETE", "PATCH"])
            #expect(
                list.map(\.requestURL)
                    == ["WorkOrders", "WorkOrders", "WorkOrders(3)", "WorkOrders(4)", "Sites(1)"])
            #expect(list.allSatisfy { $0.isQueued && !$0.isFailed })
            try place.sync.upload()
            #expect(try !place.sync.hasQueuedRequests(matching: nil, headers: nil, options: nil))
        }
    }

    // CSP-160
    @Test func aQueryNarrowsAndSortsTheList() async throws {
        try await ServiceWorkplace.run { place in
            try Self.fill(place)
            let orders = place.set("WorkOrders")
            let all = try place.sync.queuedRequests(
                matching: DataQuery().from(orders), headers: nil, options: nil)
            #expect(all.length == 4)
            let patches = try place.sync.queuedRequests(
                matching: DataQuery().from(orders).filter(
                    PendingRequest.httpMethod.notEqual("POST")
                ).orderBy(PendingRequest.httpMethod).thenBy(PendingRequest.requestID),
                headers: nil, options: nil)
            #expect(patches.map(\.httpMethod) == ["DELETE", "PATCH"])
            let latest = try place.sync.queuedRequests(
                matching: DataQuery().orderBy(PendingRequest.requestID, .descending).top(2),
                headers: nil, options: nil)
            #expect(latest.map(\.requestURL) == ["Sites(1)", "WorkOrders(4)"])
            #expect(
                try place.sync.hasQueuedRequests(
                    matching: DataQuery().from(place.set("Sites")), headers: nil, options: nil))
            #expect(
                try !place.sync.hasQueuedRequests(
                    matching: DataQuery().from(place.set("Photos")), headers: nil, options: nil))
        }
    }

    // CSP-161
    @Test func headersNarrowTheList() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let headers = HTTPHeaders()
            headers.setHeader(withName: "X-Shift", value: "night")
            try place.retitle(1, "plain")
            let order = try place.order(2)
            order.put("Title", "with a header")
            try place.sync.updateEntity(order, headers: headers, options: RequestOptions())
            let found = try place.sync.queuedRequests(
                matching: nil, headers: headers, options: nil)
            #expect(found.map(\.requestURL) == ["WorkOrders(2)"])
            place.observer.forget()
            try place.sync.upload()
            let carrying = place.observer.requests.filter { $0.headers["X-Shift"] == "night" }
            #expect(carrying.map { place.resource($0) } == ["WorkOrders(2)"])
        }
    }

    // CSP-162
    @Test func optionsNarrowTheList() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let make: (String?, String?, String?) -> RequestOptions = { set, tag, group in
                let options = RequestOptions()
                options.changeSet = set
                options.customTag = tag
                options.uploadGroup = group
                return options
            }
            try place.retitle(1, "x", make("s", nil, nil))
            try place.retitle(2, "x", make(nil, "t", nil))
            try place.retitle(3, "x", make(nil, "t", "g"))
            let urls: (RequestOptions) throws -> [String] = { options in
                try place.sync.queuedRequests(matching: nil, headers: nil, options: options)
                    .map(\.requestURL)
            }
            #expect(try urls(make("s", nil, nil)) == ["WorkOrders(1)"])
            #expect(try urls(make(nil, "t", nil)) == ["WorkOrders(2)", "WorkOrders(3)"])
            #expect(try urls(make(nil, "t", "g")) == ["WorkOrders(3)"])
            #expect(try urls(make("s", "t", nil)).isEmpty)
        }
    }

    // CSP-164, CSP-165
    @Test func refusedRequestsAreListedAndNarrowedAlike() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.throwUploadFailures = false
            #expect(try !place.sync.hasFailedRequests(matching: nil, headers: nil, options: nil))
            let tag = RequestOptions()
            tag.customTag = "t"
            try place.retitle(1, "mine")
            try place.retitle(2, "mine", tag)
            try place.retitle(3, "mine")
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id IN (1, 2)")
            try place.sync.upload()
            let failed = try place.sync.failed()
            #expect(failed.map(\.requestURL) == ["WorkOrders(1)", "WorkOrders(2)"])
            #expect(failed.allSatisfy { $0.httpStatus == 412 && $0.isFailed && !$0.isQueued })
            #expect(
                try place.sync.failedRequests(matching: nil, headers: nil, options: tag)
                    .map(\.requestURL) == ["WorkOrders(2)"])
            let newest = DataQuery().from(place.set("WorkOrders")).filter(
                PendingRequest.httpStatus.equal(412)
            ).orderBy(PendingRequest.requestID, .descending).top(1)
            #expect(
                try place.sync.failedRequests(matching: newest, headers: nil, options: nil)
                    .map(\.requestURL) == ["WorkOrders(2)"])
            #expect(try place.sync.hasFailedRequests(matching: nil, headers: nil, options: nil))
            #expect(
                try !place.sync.hasFailedRequests(
                    matching: DataQuery().from(place.set("Sites")), headers: nil, options: nil))
            #expect(try !place.sync.hasQueuedRequests(matching: nil, headers: nil, options: nil))
        }
    }

    // CSP-155
    @Test func creatingAndChangingGivesOneRequest() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.combineLocalUpdates)
            try place.prepare()
            let order = try place.createOrder("NEW-1")
            order.put("Title", "changed before it was sent")
            try place.sync.update(order)
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            #expect(place.requests("PATCH").isEmpty)
            #expect(
                try place.serviceText("SELECT Title FROM WorkOrders WHERE Number = 'NEW-1'")
                    == "changed before it was sent")
        }
    }

    // CSP-156
    @Test func updatesCanBeSentOnTheirOwn() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.combineLocalUpdates = false
            try place.prepare()
            let order = try place.createOrder("NEW-1")
            order.put("Title", "changed before it was sent")
            try place.sync.update(order)
            #expect(try place.sync.queued().map(\.httpMethod) == ["POST", "PATCH"])
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            #expect(place.requests("PATCH WorkOrders(").count == 1)
            #expect(
                try place.serviceText("SELECT Title FROM WorkOrders WHERE Number = 'NEW-1'")
                    == "changed before it was sent")
        }
    }

    // CSP-157
    @Test func creatingAndDeletingSendsNothing() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.combineLocalDeletes)
            try place.prepare()
            let order = try place.createOrder("NEW-1")
            try place.sync.delete(order)
            #expect(try place.sync.queued().isEmpty)
            try place.sync.upload()
            #expect(place.observer.requests.isEmpty)
            #expect(try place.storeCount("WorkOrders", "Number = 'NEW-1'") == 0)
        }
    }

    // CSP-158
    @Test func deletionsOfNewEntitiesCanBeSent() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.combineLocalDeletes = false
            try place.prepare()
            let order = try place.createOrder("NEW-1")
            try place.sync.delete(order)
            #expect(try place.sync.queued().map(\.httpMethod) == ["POST", "DELETE"])
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            #expect(place.requests("DELETE WorkOrders(").count == 1)
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-1'") == 0)
            #expect(try place.sync.queued().isEmpty)
        }
    }
}
