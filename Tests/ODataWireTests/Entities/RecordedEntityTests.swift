import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedEntityTests {
    /// A recorded answer with the entity set and key that its URL addresses.
    private struct Answer {
        var set: String
        var isSingle: Bool
        var bytes: [UInt8]
    }

    private static func answers(_ recording: Recording) -> [Answer] {
        recording.exchanges.compactMap { exchange in
            let path = exchange.request.url.split(separator: "?")[0]
            guard exchange.response.header("Content-Type")?.hasPrefix("application/json") == true,
                (200..<300).contains(exchange.response.status), let body = exchange.response.body,
                let last = path.split(separator: "/").last,
                !exchange.request.url.contains("$apply"),
                ["GET", "POST"].contains(exchange.request.method)
            else { return nil }
            let set = last.prefix { $0 != "(" }
            return Answer(
                set: String(set), isSingle: last.contains("(") || exchange.response.status == 201,
                bytes: Array(body.utf8))
        }
    }

    private static func graph(_ recording: Recording) throws -> MetadataGraph? {
        let exchange = recording.exchanges.first {
            $0.request.url.hasSuffix("$metadata")
                && $0.response.header("Content-Type")?.contains("xml") == true
        }
        guard let text = exchange?.response.body else { return nil }
        return try CSDLReader.read(Array(text.utf8), options: .runningService)
    }

    @Test(arguments: [
        "recorded/v2-olingo-basic.json", "recorded/v4-olingo-basic.json",
        "recorded/v4-goodata-basic.json",
    ])
    func everyRecordedEntityHasTheValuesOfItsJSON(file: String) throws {
        let recording = try Conformance.json(file, as: Recording.self)
        let graph = try #require(try Self.graph(recording))
        let reader = EntityJSONReader(graph)
        var count = 0
        for answer in Self.answers(recording) {
            guard let set = graph.entitySet(named: answer.set) else { continue }
            let type = graph[set].type
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
            let object = json["d"] as? [String: Any] ?? json
            let list = object["results"] as? [[String: Any]] ?? object["value"] as? [[String: Any]]
            let entities: [StructureValue]
            if answer.isSingle || graph[set].isSingleton {
                entities = [try reader.entity(answer.bytes, of: type, in: set)]
            } else {
                let page = try reader.page(answer.bytes, of: type, in: set)
                entities = page.entities
                #expect(entities.count == page.items.count)
            }
            let objects = list ?? [object]
            #expect(entities.count == objects.count)
            for (entity, object) in zip(entities, objects) {
                count += 1
                try compare(entity, object, graph)
                if graph.version >= .v4 { try writeAndRead(entity, type, set, graph) }
            }
        }
        #expect(count >= 9)
    }

    /// Strings, Booleans, nulls and doubles as another JSON reader sees them.
    private func compare(
        _ value: StructureValue, _ object: [String: Any], _ graph: MetadataGraph
    ) throws {
        let definition = graph[value.type]
        for (slot, property) in definition.properties.enumerated() {
            let found = value.slots[slot]
            switch object[property.name] {
            case nil: #expect(found == nil, "\(property.name)")
            case is NSNull: #expect(found == .null, "\(property.name)")
            case let list as [Any]: #expect(found?.list?.count == list.count, "\(property.name)")
            case let nested as [String: Any]:
                if nested["__deferred"] != nil {
                    #expect(found == nil)
                } else if let structure = found?.structure {
                    try compare(structure, nested, graph)
                }
            case let text as String where property.type.primitive == .string:
                #expect(found == .scalar(.string(text)), "\(property.name)")
            case let number as NSNumber where property.type.primitive?.isInteger == true:
                #expect(found == .scalar(.integer(number.int64Value)), "\(property.name)")
            case let number as NSNumber where property.type.primitive == .double:
                #expect(found == .scalar(.double(number.doubleValue)), "\(property.name)")
            case let number as NSNumber where property.type.primitive == .boolean:
                #expect(found == .scalar(.boolean(number.boolValue)), "\(property.name)")
            default: #expect(found != nil, "\(property.name)")
            }
        }
    }

    private func writeAndRead(
        _ entity: StructureValue, _ type: StructureID, _ set: EntitySetID, _ graph: MetadataGraph
    ) throws {
        for dialect in [Dialect.v4, .v401] {
            let bytes = EntityJSONWriter(graph, dialect: dialect).entity(entity, declared: type)
            let again = try EntityJSONReader(graph).entity(bytes, of: type, in: set)
            #expect(again.slots == entity.slots)
            #expect(again.type == entity.type)
            #expect(again.control.etag == entity.control.etag)
        }
    }

    @Test func factsOfTheV4RecordingAreRead() throws {
        let recording = try Conformance.json("recorded/v4-olingo-basic.json", as: Recording.self)
        let graph = try #require(try Self.graph(recording))
        let reader = EntityJSONReader(graph)
        let set = try #require(graph.entitySet(named: "ESAllPrim"))
        let type = graph[set].type
        let answer = try #require(Self.answers(recording).first { $0.set == "ESAllPrim" })
        let page = try reader.page(answer.bytes, of: type, in: set)
        let first = try #require(page.entities.first)
        let text = { (name: String) -> String? in
            guard let slot = graph[type].slot(named: name),
                case .scalar(let scalar) = first.slots[slot]
            else { return nil }
            return Lexical.text(scalar)
        }
        #expect(page.metadataETag == "W/\"4ff7b36a-40cb-4eac-b59d-aa7865fd47b8\"")
        #expect(text("PropertyInt64") == "9223372036854775807")
        #expect(text("PropertyDecimal") == "34")
        #expect(text("PropertyBinary").map { $0.hasPrefix("ASNFZ4mrze8") } == true)
        #expect(text("PropertySByte") == "127")
        let errors = recording.exchanges.filter { $0.response.status >= 400 }.map {
            ErrorPayload(
                ResponseMessage(
                    status: $0.response.status, body: Array(($0.response.body ?? "").utf8)))
        }
        #expect(errors.count == 4)
        #expect(errors[1].message == "The If-Match precondition is not fulfilled.")
        let paged = try #require(
            Self.answers(recording).first { $0.set == "ESServerSidePaging" })
        let paging = try #require(graph.entitySet(named: "ESServerSidePaging"))
        let next = try reader.page(paged.bytes, of: graph[paging].type, in: paging).nextLink
        #expect(next?.contains("skiptoken") == true)
    }

    @Test func factsOfTheV2RecordingAreRead() throws {
        let recording = try Conformance.json("recorded/v2-olingo-basic.json", as: Recording.self)
        let graph = try #require(try Self.graph(recording))
        let reader = EntityJSONReader(graph)
        let exchange = { (end: String) in
            recording.exchanges.first {
                $0.request.url.hasSuffix(end)
                    && $0.response.header("Content-Type") == "application/json"
            }.map { Array(($0.response.body ?? "").utf8) }
        }
        let age = try #require(exchange("/MaximalAge"))
        #expect(
            try reader.property(age, as: TypeReference(.primitive(.int16)))
                == .scalar(.integer(56)))
        let locationType = try #require(graph.structure(named: "RefScenario.c_Location"))
        let location = try reader.property(
            try #require(exchange("/Location")), as: TypeReference(.structure(locationType)))
        let country = try #require(graph[locationType].slot(named: "Country"))
        #expect(location.structure?.slots[country] == .scalar(.string("Germany")))
        let all = try reader.property(
            try #require(exchange("/AllLocations")),
            as: TypeReference(.structure(locationType), isCollection: true))
        #expect(all.list?.count == 2)
        let link = try reader.reference(try #require(exchange("$links/ne_Room")))
        #expect(link.hasSuffix("Rooms('2')"))
        #expect(try reader.references(try #require(exchange("$links/nt_Employees"))).ids.count == 3)
        let errors = recording.exchanges.filter { $0.response.status >= 400 }.map {
            ErrorPayload(
                ResponseMessage(
                    status: $0.response.status, body: Array(($0.response.body ?? "").utf8)))
        }
        #expect(errors.contains { $0.message == "Precondition required" })
        #expect(errors.filter { $0.message.contains("could not be found") }.count == 2)
    }

    @Test(arguments: [
        ("payloads/v4-ext/people.json", "People"), ("payloads/v4-ext/airlines.json", "Airlines"),
    ])
    func tripPinPagesAreRead(file: String, set name: String) throws {
        let bytes = try Conformance.bytes(file)
        let metadata = try Conformance.bytes("payloads/v4-ext/trippin.xml")
        let graph = try CSDLReader.read(metadata, options: .runningService)
        let set = try #require(graph.entitySet(named: name))
        let page = try EntityJSONReader(graph).page(bytes, of: graph[set].type, in: set)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let objects = try #require(json["value"] as? [[String: Any]])
        #expect(!objects.isEmpty)
        #expect(page.entities.count == objects.count)
        for (entity, object) in zip(page.entities, objects) { try compare(entity, object, graph) }
    }
}

@Suite struct EntityFuzzTests {
    private static let seeds = [
        PageReadTests.plain, "{\"d\":{\"results\":[\(V2ReadTests.entity)]}}",
        #"{"value":[{"Id":7,"Loans@delta":[{"@removed":{"reason":"changed"},"@id":"L"},{"Id":4}]},"#
            + #"{"@odata.context":"$metadata#Tools/$deletedLink","source":"a","relationship":"b","target":"c"}]}"#,
        ##"{"value":[{"@odata.type":"#Ws.PowerTool","Price":1e3,"Span":"P1D","Place":{"type":"Point","coordinates":[1,2]}}]}"##,
    ]

    @Test func randomAndMutatedDocumentsNeverTrap() {
        var generator = SeededGenerator(seed: 6)
        let readers = [
            EntityJSONReader(Workshop.v4), EntityJSONReader(Workshop.v4, isRequest: true),
            EntityJSONReader(Workshop.v2),
        ]
        var readable = 0
        for round in 0..<6_000 {
            var bytes = Array(Self.seeds[round % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                mutate(&bytes, &generator)
            }
            for reader in readers {
                if let page = try? reader.page(bytes, of: Workshop.tool, in: Workshop.tools) {
                    readable += 1
                    _ = try? EntityJSONWriter(reader.graph, dialect: reader.dialect).page(
                        page, of: Workshop.tool, in: Workshop.tools)
                }
                _ = try? reader.entity(bytes, of: Workshop.tool)
                _ = try? reader.property(bytes, as: TypeReference(.structure(Workshop.size)))
                _ = try? reader.references(bytes)
            }
            _ = ErrorPayload(ResponseMessage(status: 400, body: bytes))
            _ = try? ServiceDocument(json: bytes)
        }
        #expect(readable > 100)
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: position)
        case 2:
            let tokens = ["null", "[]", "{}", "-9223372036854775808", "1e999", "\"\"", ",", "true"]
            bytes.insert(
                contentsOf: (tokens.randomElement(using: &generator) ?? "").utf8, at: position)
        case 3:
            let length = Int.random(in: 0...min(12, bytes.count - position), using: &generator)
            bytes.removeSubrange(position..<position + length)
        default:
            let from = Int.random(in: bytes.indices, using: &generator)
            bytes.insert(contentsOf: Array(bytes[from...].prefix(16)), at: position)
        }
    }
}
