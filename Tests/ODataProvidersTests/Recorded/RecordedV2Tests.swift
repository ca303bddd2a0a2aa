import ConformanceData
import Foundation
import ODataQuery
import ODataTesting
import SAPOData
import Testing

/// What a V2 service of others answered, played to the online provider.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedV2Tests: RecordedPlaying {
    @Test func aV2ServiceOfOthersIsReadAndWritten() async throws {
        try await onOwnThread {
            let replay = try Replay(
                "v2-olingo-basic.json",
                root: "http://srv.example:80/olingo-ref/ReferenceScenario.svc/")
            let provider = replay.makeProvider()
            var values = RecordedValues()
            _ = try replay.play(1) { _ in try provider.loadMetadata() }
            let pinged = replay.makeProvider()
            pinged.serviceOptions.pingMethod = "GET"
            pinged.serviceOptions.pingAccept = "application/atomsvc+xml"
            _ = try replay.play(2) { _ in try pinged.pingServer() }
            try reads(replay, provider, &values)
            try inAtom(replay, &values)
            try parts(replay, provider)
            try rooms(replay, provider, &values)
            try batch(replay, provider)
            #expect(replay.unrecorded == [])
            #expect(values.count > 150)
            print("  values compared: \(values.count)")
            replay.settle()
        }
    }

    private func reads(
        _ replay: Replay, _ provider: OnlineODataProvider, _ values: inout RecordedValues
    ) throws {
        try read(replay, provider, 3, "Employees", &values) { result, exchange in
            let recorded = try RecordedPlay.object(exchange)["d"] as? [String: Any]
            let delta = try #require(result.deltaLink())
            // Links are kept relative to the root.
            #expect(replay.root + delta == recorded?["__delta"] as? String)
        }
        try read(
            replay, provider, 5, "Employees('1')?$expand=ne_Room/nr_Building,ne_Team", &values)
        let filter = "Employees?$filter=Age%20gt%2040&$select=EmployeeName,Age&$orderby=Age%20desc"
        try read(replay, provider, 12, filter + "&$inlinecount=allpages", &values) { result, _ in
            let count = try result.inlineCount()
            #expect(count == 3)
        }
        try read(replay, provider, 15, "EmployeeSearch?q='a'", &values)
        try read(replay, provider, 17, "Rooms?$skiptoken=98", &values)
        try refusal(replay, provider, 27, "Nothing", 404)
        try refusal(replay, provider, 28, "Rooms?$filter=Nope%20eq%201", 400)
    }

    /// The same entities in Atom hold what they hold in JSON.
    private func inAtom(_ replay: Replay, _ values: inout RecordedValues) throws {
        let provider = replay.makeProvider()
        provider.serviceOptions.dataFormat = DataFormat.atom
        try provider.loadMetadata()
        var compared = values
        for (index, json, url) in [
            (4, 3, "Employees"), (6, 5, "Employees('1')?$expand=ne_Room,ne_Team"),
        ] {
            _ = try replay.play(index) { _ in
                let query = DataQuery()
                query.url = url
                let result = try provider.executeQuery(query).result
                var rows = try RecordedValues.rows(replay.exchanges[json].json())
                if var room = rows[0]["ne_Room"] as? [String: Any], index == 6 {
                    room["nr_Building"] = nil
                    rows[0]["ne_Room"] = room
                }
                if let list = result as? EntityValueList {
                    try compared.compare(list, rows)
                } else {
                    try compared.compare(try #require(result as? EntityValue), rows[0])
                }
            }
        }
        values = compared
        _ = try replay.play(26) { exchange in
            let query = DataQuery()
            query.url = "Rooms('104')"
            let error = #expect(throws: DataServiceError.self) {
                try provider.executeQuery(query, headers: accepting("application/xml"))
            }
            #expect(error?.status == 404)
            let message = try #require(error?.response?.message)
            #expect(exchange.response.body?.contains(">\(message)<") == true)
        }
    }

    private func accepting(_ type: String) -> HTTPHeaders {
        let headers = HTTPHeaders()
        headers.setHeader(withName: "Accept", value: type)
        return headers
    }

    /// Properties, links, counts and functions.
    private func parts(_ replay: Replay, _ provider: OnlineODataProvider) throws {
        func result(_ index: Int, _ url: String, _ accept: String? = nil) throws -> QueryResult? {
            try replay.play(index) { _ in
                let query = DataQuery()
                query.url = url
                return try provider.executeQuery(
                    query, headers: accept.map(accepting) ?? HTTPHeaders())
            }
        }
        for (index, accept) in [(7, "application/json"), (8, "application/xml")] {
            let location = try result(index, "Employees('1')/Location", accept)?.requiredComplex()
            let value = try #require(location)
            let city = value.structureType.property(withName: "City").complexValue(from: value)
            let country = value.structureType.property(withName: "Country")
            #expect(country.stringValue(from: value) == "Germany")
            let name = city.structureType.property(withName: "CityName")
            #expect(name.stringValue(from: city) == "Heidelberg")
        }
        let age = try result(9, "Employees('1')/Age/$value")?.requiredBasic()
        #expect(age?.toString() == "52")
        let count = try result(13, "Employees/$count")?.count()
        #expect(count == 6)
        let maximum = try result(14, "MaximalAge")?.requiredBasic()
        #expect(maximum?.toString() == "56")
        let locations = try result(16, "AllLocations")?.complexList()
        #expect(locations?.length == 2)
        let room = try result(10, "Employees('2')/$links/ne_Room")?.requiredEntity()
        #expect(room?.readLink?.hasSuffix("Rooms('2')") == true)
        let people = try result(11, "Teams('1')/$links/nt_Employees")?.entityList()
        #expect(
            people?.toArray().compactMap(\.readLink).map { String($0.suffix(14)) } == [
                "Employees('1')", "Employees('2')", "Employees('3')",
            ])
    }

    /// A room is made behind the guard, changed, replaced and deleted.
    private func rooms(
        _ replay: Replay, _ provider: OnlineODataProvider, _ values: inout RecordedValues
    ) throws {
        let set = provider.metadata.entitySet(withName: "Rooms")
        let seats = set.entityType.property(withName: "Seats")
        let name = set.entityType.property(withName: "Name")
        let room = EntityValue.ofType(set.entityType).inSet(set)
        name.setStringValue(in: room, to: "New room")
        seats.setIntValue(in: room, to: 4)
        // Refused for want of a token, which is fetched (0), and sent again (19).
        _ = try replay.play(18) { _ in try provider.createEntity(room) }
        #expect(room.entityKey.toString().contains("104"))
        #expect(room.entityTag == "W/\"0\"")
        room.entityTag = nil
        _ = try replay.play(20) { exchange in
            seats.setIntValue(in: room, to: 9)
            let message = try RecordedPlay.message(exchange)
            let error = #expect(throws: DataServiceError.self) { try provider.updateEntity(room) }
            #expect(error?.status == 428)
            #expect(error?.response?.message == message)
        }
        room.entityTag = "*"
        _ = try replay.play(21) { _ in try provider.updateEntity(room) }
        try read(replay, provider, 22, "Rooms('104')", &values) { result, exchange in
            let tag = try result.requiredEntity().entityTag
            #expect(tag == exchange.response.headers["ETag"])
        }
        let replaced = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setStringValue(in: replaced, to: "104")
        name.setStringValue(in: replaced, to: "Put room")
        replaced.isNew = false
        replaced.rememberOld()
        name.setStringValue(in: replaced, to: "Put room")
        replaced.entityTag = "*"
        _ = try replay.play(23) { _ in
            let options = RequestOptions()
            options.updateMode = .replace
            try provider.updateEntity(replaced, options: options)
        }
        replaced.entityTag = "*"
        _ = try replay.play(24) { _ in try provider.deleteEntity(replaced) }
        try refusal(replay, provider, 25, "Rooms('104')", 404)
    }

    private func batch(_ replay: Replay, _ provider: OnlineODataProvider) throws {
        _ = try replay.play(29) { exchange in
            let set = provider.metadata.entitySet(withName: "Rooms")
            let seats = set.entityType.property(withName: "Seats")
            let room = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "Name").setStringValue(in: room, to: "BatchRoom")
            seats.setIntValue(in: room, to: 3)
            let query = DataQuery()
            query.url = "Employees('1')?$select=EmployeeName"
            let changes = ChangeSet()
            changes.createEntity(room)
            changes.updateEntity(room)
            let batch = RequestBatch()
            batch.addQuery(query)
            batch.addChanges(changes)
            try provider.processBatch(batch)
            let sent = String(decoding: replay.last?.body ?? [], as: UTF8.self)
            #expect(RecordedBatch.lines(sent) == RecordedBatch.lines(exchange.request.body ?? ""))
            let person = try batch.queryResult(for: query).requiredEntity()
            let name = person.entityType.property(withName: "EmployeeName")
            #expect(name.stringValue(from: person) == "Walter Winter")
            #expect(changes.error == nil)
            #expect(room.entityKey.toString().contains("105"))
        }
    }
}
