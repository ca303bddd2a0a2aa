import ConformanceData
import Foundation
import SAPOData
import ODataQuery
import ODataTesting
import Testing

/// What V4 services of others answered, played to the online provider.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedV4Tests: RecordedPlaying {
    @Test func aV4ServiceOfOthersIsReadAndWritten() async throws {
        try await onOwnThread {
            let replay = try Replay(
                "v4-olingo-basic.json",
                root: "http://srv.example:80/olingo-server-tecsvc/odata.svc/")
            let provider = replay.makeProvider()
            provider.serviceOptions.supportsBatch = true
            var values = RecordedValues()
            _ = try replay.play(1) { _ in try provider.loadMetadata() }
            let pinged = replay.makeProvider()
            pinged.serviceOptions.pingMethod = "GET"
            pinged.serviceOptions.pingResource = "/"
            _ = try replay.play(0) { _ in try pinged.pingServer() }
            try read(replay, provider, 2, "ESAllPrim", &values)
            try read(replay, provider, 3, "ESAllPrim?$top=1", &values, accept: "full")
            try read(replay, provider, 4, "ESAllPrim?$top=1", &values, accept: "none")
            let key = "ESCompAllPrim(0)"
            try read(replay, provider, 5, key, &values) { result, exchange in
                let tag = try result.requiredEntity().entityTag
                #expect(tag == exchange.response.headers["ETag"])
            }
            try writes(replay, provider, key)
            try paging(replay, provider, &values)
            let expanded = "ESTwoPrim?$expand=NavPropertyETAllPrimOne($select=PropertyInt16)"
            try read(replay, provider, 11, expanded + "&$count=true", &values) { result, _ in
                let count = try result.inlineCount()
                #expect(count == 4)
            }
            _ = try replay.play(12) { exchange in
                let query = DataQuery()
                query.url = "FICRTStringTwoParam(ParameterInt16=3,ParameterString='ab')"
                let text = try RecordedPlay.object(exchange)["value"] as? String
                let found = try provider.executeQuery(query).requiredBasic()
                #expect(found.toString() == text)
            }
            try read(replay, provider, 13, "ESMedia(1)", &values) { result, _ in
                let media = try result.requiredEntity().mediaStream
                #expect(media.entityTag == "W/\"1\"")
                #expect(media.mediaType == "image/svg+xml")
            }
            try promise(replay, provider)
            try batch(replay, provider, &values)
            try refusal(replay, provider, 16, "ESNope", 404)
            try refusal(replay, provider, 17, "ESAllPrim?$filter=Nope%20eq%201", 400)
            #expect(
                replay.unrecorded.allSatisfy {
                    $0.hasSuffix("?%24skiptoken=1%2A10") || $0.hasSuffix("/status/1")
                })
            #expect(values.count > 100)
            print("  values compared: \(values.count)")
            replay.settle()
        }
    }

    /// A page that was asked for names the next one; a whole set whose second page does not come is an error.
    private func paging(
        _ replay: Replay, _ provider: OnlineODataProvider, _ values: inout RecordedValues
    ) throws {
        try read(replay, provider, 10, "ESServerSidePaging", &values, page: 3) { result, exchange in
            let next = try RecordedPlay.object(exchange)["@odata.nextLink"] as? String
            let found = try #require(result.nextLink())
            #expect(replay.root + found == next)
        }
        _ = try replay.play(9) { _ in
            let query = DataQuery()
            query.url = "ESServerSidePaging"
            #expect(throws: DataNetworkError.self) { try provider.executeQuery(query) }
        }
        #expect(!replay.unrecorded.isEmpty)
    }

    /// An answer that is promised for later is asked for where the service said; there nothing was recorded.
    private func promise(_ replay: Replay, _ provider: OnlineODataProvider) throws {
        _ = try replay.play(14) { exchange in
            let query = DataQuery()
            query.url = "ESAllPrim"
            let headers = HTTPHeaders()
            headers.setHeader(withName: "Prefer", value: "respond-async")
            #expect(throws: DataNetworkError.self) {
                try provider.executeQuery(query, headers: headers)
            }
            #expect(replay.last?.url == exchange.response.headers["Location"])
        }
    }

    private func writes(_ replay: Replay, _ provider: OnlineODataProvider, _ key: String) throws {
        func changed(_ tag: String?) throws -> EntityValue {
            let set = provider.metadata.entitySet(withName: "ESCompAllPrim")
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            entity.entityType.property(withName: "PropertyInt16").setIntValue(in: entity, to: 0)
            let type = provider.metadata.complexType(withName: "olingo.odata.test1.CTAllPrim")
            let part = ComplexValue.ofType(type)
            entity.isNew = false
            entity.rememberOld()
            entity.entityTag = tag
            type.property(withName: "PropertyString").setStringValue(in: part, to: "q")
            entity.entityType.property(withName: "PropertyComp").setComplexValue(
                in: entity, to: part)
            return entity
        }
        for (index, tag, status) in [(6, nil, 428), (7, "W/\"1\"", 412)] {
            _ = try replay.play(index) { exchange in
                let message = try RecordedPlay.message(exchange)
                let error = #expect(throws: DataServiceError.self) {
                    try provider.updateEntity(changed(tag))
                }
                #expect(error?.status == status)
                #expect(error?.response?.message == message)
            }
        }
        _ = try replay.play(8) { exchange in
            let entity = try changed("W/\"0\"")
            let options = RequestOptions()
            options.preferNoContent = true
            try provider.updateEntity(entity, options: options)
            #expect(entity.entityTag == exchange.response.headers["ETag"])
            #expect(entity.changedSlots.isEmpty)
        }
    }

    private func batch(
        _ replay: Replay, _ provider: OnlineODataProvider, _ values: inout RecordedValues
    ) throws {
        _ = try replay.play(15) { exchange in
            let set = provider.metadata.entitySet(withName: "ESTwoPrim")
            let name = set.entityType.property(withName: "PropertyString")
            let created = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "PropertyInt16").setIntValue(in: created, to: 78)
            name.setStringValue(in: created, to: "b")
            let first = DataQuery()
            first.url = "ESAllPrim(0)?$select=PropertyInt16"
            let last = DataQuery()
            last.url = "ESAllPrim(12345)"
            let changes = ChangeSet()
            changes.createEntity(created)
            changes.updateEntity(created)
            let batch = RequestBatch()
            batch.addQuery(first)
            batch.addChanges(changes)
            batch.addQuery(last)
            let options = RequestOptions()
            try provider.processBatch(batch, options: options)
            let sent = String(decoding: replay.last?.body ?? [], as: UTF8.self)
            #expect(RecordedBatch.lines(sent) == RecordedBatch.lines(exchange.request.body ?? ""))
            let entity = try batch.queryResult(for: first).requiredEntity()
            #expect(
                entity.entityType.property(withName: "PropertyInt16").intValue(from: entity) == 0)
            #expect(changes.error == nil)
            #expect(set.entityType.property(withName: "PropertyInt16").intValue(from: created) == 1)
            let error = #expect(throws: DataServiceError.self) {
                try batch.queryResult(for: last).requiredEntity()
            }
            #expect(error?.status == 404)
            #expect(error?.response?.message == "Nothing found.")
        }
    }
}
