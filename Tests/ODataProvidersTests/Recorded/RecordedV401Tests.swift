import ConformanceData
import Foundation
import ODataQuery
import ODataTesting
import SAPOData
import Testing

/// What a V4.01 service of others answered, played to the online provider.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedV401Tests: RecordedPlaying {
    @Test func aV401ServiceOfOthersIsReadAndWritten() async throws {
        try await onOwnThread {
            let replay = try Replay("v4-goodata-basic.json", root: "http://srv.example:80/")
            let provider = replay.makeProvider()
            provider.serviceOptions.pingMethod = "GET"
            var values = RecordedValues()
            _ = try replay.play(2) { _ in try provider.loadMetadata() }
            try metadataInJSON(replay, provider)
            _ = try replay.play(1) { _ in try provider.pingServer() }
            _ = try replay.play(0) { exchange in
                let action = provider.metadata.dataMethod(withName: "Reseed")
                _ = try provider.executeMethod(action, parameters: ParameterList())
            }
            try read(replay, provider, 4, "Products?$top=2", &values)
            try read(replay, provider, 5, "Products?$top=1", &values, accept: "full")
            try read(replay, provider, 6, "Products?$top=1&$expand=Category,Descriptions", &values)
            let filter =
                "Products?$filter=Price%20gt%20100&$select=Name,Price&$orderby=Price%20desc"
            try read(replay, provider, 7, filter + "&$count=true", &values) { result, _ in
                let count = try result.inlineCount()
                #expect(count == 5)
            }
            try read(replay, provider, 8, "Company", &values) { result, exchange in
                let tag = try result.requiredEntity().entityTag
                #expect(tag == exchange.response.headers["Etag"])
            }
            try batch(replay, provider, &values)
            try creation(replay, provider)
            try read(replay, provider, 11, "Products", &values, page: 2) { result, exchange in
                let next = try RecordedPlay.object(exchange)["@odata.nextLink"] as? String
                let found = try #require(result.nextLink())
                #expect(replay.root + found == next)
            }
            _ = try replay.play(12) { _ in
                let query = DataQuery()
                query.url = "Categories?$apply=aggregate($count%20as%20N)"
                let list = try provider.executeQuery(query).entityList()
                #expect(list.length == 1)
                #expect(list[0].dynamicValue("N")?.toString() == "6")
            }
            #expect(replay.unrecorded == [])
            #expect(values.count > 100)
            print("  values compared: \(values.count)")
            replay.settle()
        }
    }

    /// The same model in JSON.
    private func metadataInJSON(_ replay: Replay, _ provider: OnlineODataProvider) throws {
        let other = replay.makeProvider()
        other.serviceOptions.metadataURL = "$metadata?$format=json"
        _ = try replay.play(3) { _ in
            try other.loadMetadata()
            func names(_ document: CSDLDocument) -> [String] {
                document.entitySets.values().toArray().map(\.localName).sorted()
            }
            #expect(names(other.metadata) == names(provider.metadata))
        }
    }

    private func creation(_ replay: Replay, _ provider: OnlineODataProvider) throws {
        _ = try replay.play(10) { exchange in
            let entity = category("Min", "z", provider)
            let options = RequestOptions()
            options.preferNoContent = true
            try provider.createEntity(entity, options: options)
            let location = try #require(exchange.response.headers["Location"])
            #expect(replay.root + (entity.readLink ?? "") == location)
            #expect(location.contains(entity.entityKey.toString().suffix(20).prefix(12)))
        }
    }

    private func category(
        _ name: String, _ description: String, _ provider: OnlineODataProvider
    ) -> EntityValue {
        let set = provider.metadata.entitySet(withName: "Categories")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        let type = set.entityType
        type.property(withName: "Name").setStringValue(in: entity, to: name)
        type.property(withName: "Description").setStringValue(in: entity, to: description)
        return entity
    }

    private func batch(
        _ replay: Replay, _ provider: OnlineODataProvider, _ values: inout RecordedValues
    ) throws {
        provider.serviceOptions.batchAsJSON = true
        var compared = values
        _ = try replay.play(9) { exchange in
            func query(_ url: String) -> DataQuery {
                let query = DataQuery()
                query.url = url
                return query
            }
            let all = query("Categories")
            let counted = query("Categories?$count=true")
            let refused = query("Nope")
            let last = query("Categories")
            let first = category("JB1", "x", provider)
            let second = category("JB2", "y", provider)
            let changes = ChangeSet()
            changes.createEntity(first)
            changes.createEntity(second)
            let batch = RequestBatch()
            batch.addQuery(all)
            batch.addChanges(changes)
            for query in [counted, refused, last] { batch.addQuery(query) }
            provider.serviceOptions.checkQueries = false
            defer { provider.serviceOptions.checkQueries = true }
            try provider.processBatch(batch)
            let sent = String(decoding: replay.last?.body ?? [], as: UTF8.self)
            #expect(RecordedBatch.lines(sent) == RecordedBatch.lines(exchange.request.body ?? ""))
            let answers = try #require(
                RecordedPlay.object(exchange)["responses"] as? [[String: Any]])
            for (query, id) in [(all, "g1"), (counted, "3")] {
                let answer = try #require(answers.first { $0["id"] as? String == id })
                let rows = try RecordedValues.rows(try #require(answer["body"]))
                try compared.compare(batch.queryResult(for: query).entityList(), rows)
            }
            #expect(changes.error == nil)
            #expect(
                first.readLink?.hasSuffix("/Categories(198582f4-0339-4b17-ac4e-b968fd05a815)")
                    == true)
            #expect(second.isCreated)
            for query in [refused, last] {
                let error = #expect(throws: DataServiceError.self) {
                    try batch.queryResult(for: query).entityList()
                }
                #expect(error?.status == (query === refused ? 404 : 424))
            }
        }
        values = compared
        provider.serviceOptions.batchAsJSON = false
    }
}
