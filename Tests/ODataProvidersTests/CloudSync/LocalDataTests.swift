import APIErrorFixture
import ErrorFixture
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataText
import Testing
import WorkplaceFixture

/// Queries and changes on the local store.
@Suite struct LocalDataTests {
    /// Everything that an entity says, related entities included.
    static func picture(_ value: ODataValue?) -> String {
        switch value {
        // Equal numbers have one order key, whatever scale they are written with.
        case .scalar(.decimal(let number)): "\(number.orderKey)"
        case .scalar(let scalar): Lexical.text(scalar)
        case .list(let items): "[" + items.map { picture($0) }.joined(separator: "; ") + "]"
        case .structure(let structure):
            "{" + structure.slots.map { picture($0) }.joined(separator: ", ") + "}"
        case nil: "-"
        }
    }

    static let queries = [
        "WorkOrders?$filter=Priority ge 3 and Status ne 'Done'&$orderby=Title desc,Id&$top=5",
        "WorkOrders?$orderby=Id&$skip=7&$top=4",
        "WorkOrders?$orderby=Id&$top=3&$expand=Site($expand=Customer),TimeEntries($orderby=Position)",
        "Sites?$filter=WorkOrders/any(o:o/Priority eq 4)&$orderby=Id",
        "Sites?$filter=WorkOrders/all(o:o/Priority lt 4)&$orderby=Id",
        "WorkOrders?$filter=TimeEntries/$count gt 1&$orderby=Id",
        "WorkOrders?$filter=Status in ('Open','Done')&$orderby=Id desc",
        "WorkOrders?$filter=year(CreatedAt) eq 2024 and month(CreatedAt) gt 5&$orderby=Id",
        "WorkOrders?$filter=hour(CreatedAt) lt 12 and day(CreatedAt) ge 10&$orderby=Id",
        "Customers?$filter=contains(toupper(Name),'A') and length(Name) gt 9&$orderby=Number",
        "Customers?$filter=Email eq null or startswith(Email,'office1')&$orderby=Number",
        "WorkOrders?$filter=Cost gt 1000.5 and Site/HasParking eq true&$orderby=Cost,Id",
        "WorkOrders?$filter=EstimatedDuration gt duration'PT3H'&$orderby=EstimatedDuration,Id",
        "Equipment?$filter=InstalledOn ge 2013-06-01 and not (Status eq 'Retired')"
            + "&$orderby=InstalledOn desc,SerialNumber&$expand=Parent",
    ]

    // CSP-072
    @Test func theStoreAnswersQueriesAsTheServiceDoes() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            var expected: [[String]] = []
            for url in Self.queries {
                let query = DataQuery(
                    try URLParser.parse(url, graph: place.sync.metadata.graph, dialect: .v4),
                    in: place.sync.metadata)
                expected.append(
                    try place.sync.onlineProvider.executeQuery(
                        query, headers: .empty, options: .none
                    ).entityList().map { Self.picture(.structure($0.structureValue)) })
            }
            #expect(expected.allSatisfy { !$0.isEmpty })
            place.observer.forget()
            place.cutNetwork()
            for (url, answer) in zip(Self.queries, expected) {
                let local = try place.entities(url).map {
                    Self.picture(.structure($0.structureValue))
                }
                #expect(local == answer, "\(url)")
            }
            #expect(place.observer.requests.isEmpty)
        }
    }

    @Test func countsAgreeWithTheService() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            for url in ["WorkOrders/$count", "WorkOrders/$count?$filter=Priority eq 2"] {
                let query = DataQuery(
                    try URLParser.parse(url, graph: place.sync.metadata.graph, dialect: .v4),
                    in: place.sync.metadata)
                let there = try place.sync.onlineProvider.executeQuery(
                    query, headers: .empty, options: .none
                ).count()
                let here = try place.sync.executeQuery(query, headers: .empty, options: .none)
                    .count()
                #expect(there == here && there > 0)
            }
        }
    }

    // CSP-073, CSP-074
    @Test func aCreatedEntityIsSeenAtOnceAndWaitsInTheSetOfItsType() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.cutNetwork()
            let order = try place.newOrder("NEW-1")
            #expect(order.entityType.name.hasSuffix("WorkOrder"))
            try place.sync.create(order)
            #expect(try place.entities("WorkOrders?$filter=Number eq 'NEW-1'").count == 1)
            #expect(try place.storeCount("WorkOrders", "Number = 'NEW-1'") == 1)
            let queued = try place.sync.queued()
            #expect(queued.map(\.httpMethod) == ["POST"])
            #expect(queued.map(\.requestURL) == ["WorkOrders"])
            #expect(place.observer.requests.isEmpty)
        }
    }

    // CSP-076
    @Test func anUpdateIsSeenAtOnceAndWaitsAsPatch() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.retitle(3, "changed")
            #expect(try place.storedTitle(3) == "changed")
            #expect(try place.entities("WorkOrders?$filter=Title eq 'changed'").count == 1)
            let queued = try place.sync.queued()
            #expect(queued.map(\.httpMethod) == ["PATCH"])
            #expect(queued.map(\.requestURL) == ["WorkOrders(3)"])
            #expect(queued[0].requestBody?.contains("changed") == true)
            #expect(queued[0].requestBody?.contains("Priority") == false)
        }
    }

    // CSP-077
    @Test func aDeletedEntityIsHiddenAtOnceAndWaitsAsDelete() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.delete(place.order(3))
            #expect(try place.entities("WorkOrders?$filter=Id eq 3").isEmpty)
            #expect(try place.entities("WorkOrders").count == 24)
            let queued = try place.sync.queued()
            #expect(queued.map(\.httpMethod) == ["DELETE"])
            #expect(queued.map(\.requestURL) == ["WorkOrders(3)"])
            #expect(try place.serviceCount("WorkOrders") == 25)
        }
    }

    // CSP-078
    @Test func everythingThatAQueryFindsIsDeleted() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.deleteByQuery(
                place.query("Photos?$filter=WorkOrderId le 8"), headers: .empty, options: .none)
            #expect(try place.entities("Photos?$filter=WorkOrderId le 8").isEmpty)
            let expected = try place.serviceCount("Photos", "WorkOrderId <= 8")
            #expect(expected > 1)
            #expect(
                try place.sync.queued().map(\.httpMethod)
                    == .init(repeating: "DELETE", count: expected))
            #expect(try Set(place.sync.queued().map(\.requestURL)).count == expected)
            try place.sync.upload()
            #expect(try place.serviceCount("Photos", "WorkOrderId <= 8") == 0)
            #expect(try place.serviceCount("Photos") > 0)
        }
    }

    // CSP-080
    @Test func aLoadedEntityShowsThePresentState() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let order = try place.order(3)
            try place.retitle(3, "changed behind it")
            #expect(order.text("Title") != "changed behind it")
            place.cutNetwork()
            try place.sync.loadEntity(order)
            #expect(order.text("Title") == "changed behind it")
        }
    }

    // CSP-081
    @Test func loadingWithAQueryFillsNavigationProperties() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let order = try place.order(1)
            let entries = place.property("WorkOrders", "TimeEntries")
            let site = place.property("WorkOrders", "Site")
            place.cutNetwork()
            try place.sync.loadEntity(order, query: DataQuery().expand(entries, site))
            let expected = try place.serviceCount("TimeEntries", "WorkOrderId = 1")
            #expect(expected > 0)
            #expect(entries.entityList(from: order).length == expected)
            #expect(
                site.entityValue(from: order).text("Id")
                    == (try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1")))
        }
    }

    // CSP-082
    @Test func aCreatedLinkIsSeenFromBothSidesAndReachesTheService() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let old = try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1")
            let new = old == "2" ? "3" : "2"
            try place.sync.createLink(
                from: place.entity("Sites", "Id eq \(new)"),
                property: place.property("Sites", "WorkOrders"), to: place.order(1),
                headers: .empty, options: .none)
            #expect(try place.entities("Sites(\(new))/WorkOrders?$filter=Id eq 1").count == 1)
            #expect(try place.entities("Sites(\(old ?? ""))/WorkOrders?$filter=Id eq 1").isEmpty)
            try place.sync.upload()
            #expect(try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1") == new)
        }
    }

    // CSP-083
    @Test func anUpdatedLinkReplacesItsTarget() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let old = try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1")
            let new = old == "2" ? "3" : "2"
            try place.sync.updateLink(
                from: place.order(1), property: place.property("WorkOrders", "Site"),
                to: place.entity("Sites", "Id eq \(new)"), headers: .empty, options: .none)
            let target = try place.sync.executeQuery(
                place.query("WorkOrders(1)/Site"), headers: .empty, options: .none
            ).requiredEntity()
            #expect(target.text("Id") == new)
            #expect(try place.entities("Sites(\(old ?? ""))/WorkOrders?$filter=Id eq 1").isEmpty)
            try place.sync.upload()
            #expect(try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1") == new)
        }
    }

    // CSP-084
    @Test func aDeletedLinkIsGoneFromRelatedReads() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let id = try #require(
                try place.serviceText(
                    "SELECT Id FROM WorkOrders WHERE EquipmentSerialNumber IS NOT NULL LIMIT 1"))
            let order = try place.entity("WorkOrders", "Id eq \(id)")
            let equipment = place.property("WorkOrders", "Equipment")
            try place.sync.loadEntity(order, query: DataQuery().expand(equipment))
            try place.sync.deleteLink(
                from: order, property: equipment, to: equipment.entityValue(from: order),
                headers: .empty, options: .none)
            try place.sync.loadEntity(order, query: DataQuery().expand(equipment))
            #expect(equipment.optionalEntity(from: order) == nil)
            try place.sync.upload()
            #expect(
                try place.serviceCount(
                    "WorkOrders", "Id = \(id) AND EquipmentSerialNumber IS NULL") == 1)
        }
    }

    // CSP-088
    @Test func aChangeSetIsAllOrNothingLocallyAndInTheUpload() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            // Locally: the second change is refused, so the first is not made either.
            let first = try place.order(1)
            first.put("Title", "in a set")
            let gone = try place.order(2)
            try place.sync.delete(place.order(2))
            let broken = ChangeSet()
            broken.updateEntity(first)
            broken.updateEntity(gone)
            let failing = RequestBatch()
            failing.addChanges(broken)
            try place.sync.processBatch(failing, headers: .empty, options: .none)
            #expect(broken.error != nil)
            #expect(try place.storedTitle(1) != "in a set")
            #expect(try place.sync.queued().length == 1)
            try place.sync.cancelPendingRequests(nil)
            // In the upload: the service refuses the second, and does not keep the first.
            let changes = ChangeSet()
            for id in [3, 4] {
                let order = try place.order(id)
                order.put("Title", "in a set")
                changes.updateEntity(order)
            }
            let batch = RequestBatch()
            batch.addChanges(changes)
            try place.sync.processBatch(batch, headers: .empty, options: .none)
            #expect(changes.error == nil)
            #expect(try place.sync.queued().length == 2)
            try place.atService("UPDATE WorkOrders SET Title = 'competing' WHERE Id = 4")
            #expect(
                failure { try place.sync.upload() }
                    == Failure(
                        DataServiceError.self, .service, at: "WorkOrders", status: 412))
            #expect(try place.servedTitle(3) != "in a set")
            #expect(try place.servedTitle(4) == "competing")
            #expect(try place.sync.failed().length == 2)
        }
    }

    // CSP-090
    @Test func aPingReachesTheService() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.pingServer(headers: .empty, options: .none)
            #expect(place.observer.requests.count == 1)
            #expect(["HEAD", "GET"].contains(place.observer.requests[0].method))
            place.cutNetwork()
            #expect(
                failure {
                    try place.sync.pingServer(headers: .empty, options: .none)
                } == Failure(DataNetworkError.self, .network, at: "127.0.0.1/"))
        }
    }
}
