import GRDB
import ODataQuery
import Foundation
import SAPOData
import ODataModel
import ODataText

extension DemoStory {
    /// Queries that the store answers alone.
    func queryOffline() throws {
        let open = try result("WorkOrders/$count?$filter=Status eq 'Open'", online: false).count()
        say("work orders that are open: \(open)")
        let query =
            "WorkOrders?$filter=Priority eq 1&$orderby=CreatedAt desc&$top=3"
            + "&$select=Id,Title,Status&$expand=Site($select=Name;$expand=Customer($select=Name))"
        var lines = TextTable(["Id", "Title", "Status", "Site", "Customer"])
        let graph = try provider.metadata.graph
        for order in try entities(query) {
            let json = ResultJSON(graph: graph).structure(order.structureValue)
            let site = json["Site"]
            lines.append(
                [json["Id"], json["Title"], json["Status"], site?["Name"]]
                    .map { ResultJSON.cell($0) }
                    + [ResultJSON.cell(site?["Customer"]?["Name"])])
        }
        table(lines.lines)
    }

    /// Changes of every kind; returns how many requests they are.
    func changeOffline() throws -> Int {
        let provider = try provider
        let orders = try entities("WorkOrders?$filter=Status ne 'Done'&$orderby=Id&$top=12")
        for order in orders {
            try change(order, #"{"Status":"Done","CompletedOn":"2026-03-14"}"#)
        }
        let photos = try entities("Photos?$orderby=Id&$top=2")
        for photo in photos {
            try provider.deleteEntity(photo, headers: .empty, options: .none)
        }
        let key = "0b9d7c1e-5a42-4f6e-8a36-2f1d90c4e771"
        try create(
            "Customers",
            """
            {"Id":"\(key)","Number":"C9000001","Name":"Nightingale Hospital","Industry":"Hospital",\
            "CreditLimit":12500.50,"IsActive":true,"ModifiedAt":"2026-03-14T08:15:00Z"}
            """)
        try create(
            "Sites",
            """
            {"CustomerId":"\(key)","Name":"Main building","City":"Leeds","Country":"GB",\
            "HasParking":true,"OpensAt":"07:30:00"}
            """)
        let site = try entities("Sites?$orderby=Id&$top=1").first
        guard let site, let id = site.entityKey.map.entries().first?.value.toString() else {
            throw CommandError.failed("expected a site in the store, found none.")
        }
        try create(
            "WorkOrders",
            """
            {"SiteId":\(id),"Number":"W-DEMO-1","Title":"Install a meter","Priority":2,\
            "Status":"Open","CreatedAt":"2026-03-14T08:20:00.5Z","EstimatedDuration":"PT1H30M",\
            "Cost":99.90,"IsBillable":true}
            """)
        try contest()
        let queued = try provider.queuedRequests(matching: nil, headers: nil, options: nil).length
        say(
            "\(queued) changes wait: 3 created, \(orders.count + 1) updated, \(photos.count) deleted"
        )
        return queued
    }

    /// Changes a customer here that will have been changed at the service meanwhile.
    private func contest() throws {
        guard let customer = try entities("Customers?$orderby=Number&$top=1").first,
            let id = customer.entityKey.map.entries().first?.value.toString()
        else { throw CommandError.failed("expected a customer in the store, found none.") }
        contested = id
        baseState = try contestedState(online: false)
        try change(customer, #"{"CreditLimit":75000.00,"Phone":"+49 30 5550100"}"#)
    }

    /// What happens at the service while nobody looks: plain SQL on its database.
    func changeAtService() throws {
        title("Meanwhile somebody changes the service's database, the same customer among it")
        let changed = try service.execute([
            (
                "UPDATE Customers SET CreditLimit = 20000, Notes = 'called on Monday' WHERE Id = ?",
                [contested]
            ),
            (
                """
                UPDATE WorkOrders SET Priority = 1, AssignedTo = 'Ada Quist' WHERE Id IN
                (SELECT Id FROM WorkOrders WHERE Status = 'Done' ORDER BY Id LIMIT 25)
                """, []
            ),
            (
                """
                DELETE FROM Photos WHERE Id IN
                (SELECT Id FROM Photos ORDER BY Id DESC LIMIT 3)
                """, []
            ),
            (
                """
                INSERT INTO TimeEntries
                SELECT Id, 99, 'Ada Quist', '2026-03-14T09:00:00Z', 'PT45M', 0.75, 0, NULL
                FROM WorkOrders ORDER BY Id LIMIT 4
                """, []
            ),
        ])
        say("\(changed) rows changed by SQL")
    }

    func create(_ set: String, _ json: String) throws {
        let provider = try provider
        let document = provider.metadata
        let entitySet = try ResourceArgument(set, in: document).entitySet()
        let body = try EntityBody(
            json, of: entitySet.entityType.structureID, in: entitySet.id, document: document)
        let entity = EntityValue.ofType(entitySet.entityType).inSet(entitySet)
        try body.apply(to: entity, isNew: true) { _ in entity }
        try provider.createEntity(entity, headers: .empty, options: .none)
    }

    func change(_ entity: EntityValue, _ json: String) throws {
        let provider = try provider
        let body = try EntityBody(
            json, of: entity.entityType.structureID, in: entity.entitySet.id,
            document: provider.metadata)
        try body.apply(to: entity, isNew: false) { _ in entity }
        try provider.updateEntity(entity, headers: .empty, options: .none)
    }
}
