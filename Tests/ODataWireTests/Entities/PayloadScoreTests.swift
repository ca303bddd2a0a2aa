import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Every file of the payload collection and every recorded answer, read to the content that it states. The model of a
/// payload without metadata is inferred from it, and what was read is compared with another reader of JSON.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct PayloadScoreTests {
    /// What became of one file.
    private struct Score {
        var read = 0
        var failures: [String] = []

        mutating func run(_ name: String, _ body: () throws -> String?) {
            do {
                if let reason = try body() {
                    failures.append("\(name): \(reason)")
                } else {
                    read += 1
                }
            } catch {
                failures.append("\(name): \(error)")
            }
        }
    }

    @Test func everyPayloadFileIsRead() throws {
        let root = Conformance.root.appendingPathComponent("payloads")
        let names =
            (FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".json") || $0.hasSuffix(".xml") }.sorted()
        #expect(names.count > 80)
        var score = Score()
        let recorded = try Self.recordedModel()
        for name in names where !name.contains("batch-texts") {
            let bytes = [UInt8](try Data(contentsOf: root.appendingPathComponent(name)))
            score.run(name) {
                name.hasSuffix(".xml")
                    ? try Self.readXML(name, bytes, recorded)
                    : try Self.readJSON(name, bytes, recorded)
            }
        }
        print("payloads: \(score.read) of \(score.read + score.failures.count) files read")
        // The exceptions of docs/conformance.md: a service document with one brace too many, one without workspace, and
        // metadata that leaves types to documents which are not there.
        let exceptions = [
            "v2/InvalidSvcDocJson2.json", "v2/invalidSvcExample.xml",
            "v4/edmxWithCoreAnnotation.xml",
        ]
        let isException = { (failure: String) in
            exceptions.contains { failure.hasPrefix($0) }
        }
        #expect(score.failures.filter { !isException($0) } == [])
        #expect(score.failures.count(where: isException) == exceptions.count)
    }

    @Test(arguments: [
        "recorded/v2-olingo-basic.json", "recorded/v4-olingo-basic.json",
        "recorded/v4-goodata-basic.json",
    ])
    func everyRecordedAnswerIsUnderstood(file: String) throws {
        let recording = try Conformance.json(file, as: Recording.self)
        var score = Score()
        for (index, exchange) in recording.exchanges.enumerated() {
            let answer = exchange.response
            guard let text = answer.body, !text.isEmpty else { continue }
            score.run("\(index) \(exchange.request.method) \(exchange.request.url)") {
                try Self.understand(answer, Array(text.utf8))
            }
        }
        print(
            "recorded: \(file): \(score.read) of \(score.read + score.failures.count) answers read")
        #expect(score.failures == [])
    }

    private static func recordedModel() throws -> MetadataGraph? {
        let recording = try Conformance.json("recorded/v2-olingo-basic.json", as: Recording.self)
        let exchange = recording.exchanges.first { $0.request.url.hasSuffix("$metadata") }
        return try exchange?.response.body.map {
            try CSDLReader.read(Array($0.utf8), options: .runningService)
        }
    }

    /// nil when an answer's body was understood.
    private static func understand(_ answer: Recording.Response, _ bytes: [UInt8]) throws -> String?
    {
        let type = answer.header("Content-Type") ?? ""
        if answer.status >= 400 {
            let payload = ErrorPayload(ResponseMessage(status: answer.status, body: bytes))
            return payload.message.isEmpty ? "no message" : nil
        }
        if type.hasPrefix("multipart/") {
            let parts = try BatchReader.parts(
                of: ResponseMessage(
                    status: answer.status, headers: ["Content-Type": type], body: bytes))
            return parts.isComplete ? nil : "incomplete"
        }
        if type.hasPrefix("text/plain") || type.hasPrefix("application/octet")
            || type.hasPrefix("image/")
        {
            return nil
        }
        let isMetadata = String(decoding: bytes.prefix(2_000), as: UTF8.self)
        if isMetadata.contains("Edmx") || isMetadata.contains("\"$Version\"") {
            return try CSDLReader.read(bytes, options: .runningService).structures.isEmpty
                ? "no types" : nil
        }
        return type.contains("xml") ? try readAtom(bytes) : try readAny(bytes)
    }

    // MARK: - JSON

    private static func readJSON(
        _ name: String, _ bytes: [UInt8], _ recorded: MetadataGraph?
    ) throws -> String? {
        if name.contains("vcDoc") || name.contains("serviceDocument") {
            return try ServiceDocument(json: bytes).entries.isEmpty ? "no entries" : nil
        }
        if name.contains("rror") {
            let payload = try ErrorPayload(json: bytes)
            return payload.code.isEmpty || payload.message.isEmpty ? "no code or message" : nil
        }
        guard name.hasPrefix("v2/"), let graph = recorded else { return try readAny(bytes) }
        let set = try #require(
            graph.entitySets.indices.first { index in
                name.contains("Json" + graph.entitySets[index].name.dropLast())
            })
        let id = EntitySetID(set)
        let reader = EntityJSONReader(graph, isRequest: name.contains("ContentOnly"))
        let json = try JSONValue(parsing: bytes)
        let inner = json["d"] ?? json
        if inner["results"] != nil || inner.array != nil {
            let page = try reader.page(bytes, of: graph[id].type, in: id)
            let count = (inner["results"] ?? inner).array?.count
            return page.items.count == count ? nil : "expected \(count ?? 0) items"
        }
        let entity = try reader.entity(bytes, of: graph[id].type, in: id)
        let missing = graph[entity.type].properties.enumerated().first { slot, property in
            guard let written = inner[property.name], !property.isNavigation else { return false }
            guard let value = entity.slots[slot] else { return true }
            return written.string.map {
                Lexical.text(value.scalar ?? .null) != $0 && !$0.hasPrefix("/Date")
            }
                ?? false
        }
        return missing.map { "\($0.element.name) differs" }
    }

    /// Reads with an inferred model and compares with another reader.
    private static func readAny(_ bytes: [UInt8]) throws -> String? {
        let json = try JSONValue(parsing: bytes, duplicates: .keepLast)
        var inference = ModelInference(version: json["d"] != nil ? .v2 : .v4)
        let content = json["d"] ?? json
        if let entries = content["EntitySets"]?.array
            ?? content["value"]?.array?.filter({ $0["kind"] != nil }),
            !entries.isEmpty
        {
            return try ServiceDocument(json: bytes).entries.isEmpty ? "no entries" : nil
        }
        let list = content["results"]?.array ?? content["value"]?.array ?? content.array
        if let list, list.allSatisfy({ $0.object != nil }) {
            let type = inference.structure(list)
            let graph = try inference.graph()
            let page = try EntityJSONReader(graph).page(bytes, of: type)
            guard page.items.count >= list.count else { return "expected \(list.count) items" }
            return zip(page.entities, list).lazy.compactMap { inference.difference($0, $1) }.first
        }
        if let value = content["value"], list != nil || value.object == nil {
            let type = inference.type(of: value)
            let found = try EntityJSONReader(try inference.graph()).property(bytes, as: type)
            return inference.difference(found, value)
        }
        let type = inference.structure([content])
        let graph = try inference.graph()
        return inference.difference(
            try EntityJSONReader(graph).entity(bytes, of: type), content)
    }

    // MARK: - XML

    private static func readXML(
        _ name: String, _ bytes: [UInt8], _ recorded: MetadataGraph?
    ) throws -> String? {
        let root = try XMLDocument(bytes).root
        switch root.name.localName {
        case "Edmx":
            let graph = try CSDLReader.read(bytes, options: .runningService)
            return graph.structures.count + graph.terms.count > 0 ? nil : "no model"
        case "service": return try ServiceDocument(xml: bytes).entries.isEmpty ? "no entries" : nil
        case "error": return try ErrorPayload(xml: bytes).message.isEmpty ? "no message" : nil
        default: return try readAtom(bytes)
        }
    }

    /// Reads feeds, entries and values with an inferred model; every property element has to arrive.
    private static func readAtom(_ bytes: [UInt8]) throws -> String? {
        let root = try XMLDocument(bytes).root
        var inference = ModelInference(version: .v4)
        switch root.name.localName {
        case "feed":
            let entries = root.children("entry")
            let type = inference.structure(entries.compactMap(ModelInference.properties))
            let graph = try inference.graph()
            let page = try AtomReader(graph).page(bytes, of: type)
            guard page.items.count == entries.count + root.children("deleted-entry").count else {
                return "expected \(entries.count) entries"
            }
            return zip(page.entities, entries).lazy.compactMap { value, entry in
                inference.difference(value, ModelInference.properties(entry))
            }.first
        case "entry":
            let type = inference.structure([ModelInference.properties(root)].compactMap { $0 })
            let graph = try inference.graph()
            return inference.difference(
                try AtomReader(graph).entity(bytes, of: type), ModelInference.properties(root))
        case "links":
            return try AtomReader(inference.graph()).references(bytes).ids.isEmpty
                ? "no links" : nil
        case "uri":
            return try AtomReader(inference.graph()).reference(bytes).isEmpty ? "no link" : nil
        default:
            let type = inference.type(of: root)
            let graph = try inference.graph()
            let value = try AtomReader(graph).property(bytes, as: type)
            return value == .null && root.text.isEmpty == false ? "null" : nil
        }
    }
}

/// A model that fits a payload: the types of its members as they look.
struct ModelInference {
    private var structures: [StructureDefinition] = []
    private let version: ODataVersion

    init(version: ODataVersion) { self.version = version }

    func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: version)
        graph.structures = structures
        try graph.freeze()
        return graph
    }

    private mutating func add(_ properties: [PropertyDefinition]) -> StructureID {
        structures.append(
            StructureDefinition(
                kind: .entity, namespace: "Inferred", name: "T\(structures.count)",
                properties: properties))
        return StructureID(structures.count - 1)
    }

    // MARK: JSON

    /// The type of objects: every member that one of them has.
    mutating func structure(_ objects: [JSONValue]) -> StructureID {
        var names: [String] = []
        var values: [String: [JSONValue]] = [:]
        for member in objects.flatMap({ $0.object?.members ?? [] })
        where !member.name.contains("@") && !member.name.hasPrefix("#")
            && member.name != "__metadata"
        {
            if values[member.name] == nil { names.append(member.name) }
            values[member.name, default: []].append(member.value)
        }
        let properties = names.map { name in
            PropertyDefinition(name: name, type: type(of: merged(values[name] ?? [])))
        }
        return add(properties)
    }

    /// One value that has what all of them have.
    private func merged(_ values: [JSONValue]) -> JSONValue {
        let known = values.filter { !$0.isNull }
        if known.allSatisfy({ $0.array != nil }), !known.isEmpty {
            return .array(known.flatMap { $0.array ?? [] })
        }
        if known.count > 1, known.allSatisfy({ $0.object != nil && $0["coordinates"] == nil }) {
            var all = JSONObject()
            for member in known.flatMap({ $0.object?.members ?? [] }) {
                all[member.name] = member.value
            }
            return .object(all)
        }
        return known.first { $0.number?.contains(".") ?? true } ?? known.first ?? .null
    }

    mutating func type(of value: JSONValue) -> TypeReference {
        switch value {
        case .null: return TypeReference(.primitive(.string))
        case .boolean: return TypeReference(.primitive(.boolean))
        case .number(let text):
            let isLong = text.lowercased().contains("e")
            return TypeReference(.primitive(isLong ? .double : .decimal))
        case .string: return TypeReference(.primitive(.string))
        case .array(let items):
            if items.contains(where: { $0.object != nil }) {
                return TypeReference(.structure(structure(items)), isCollection: true)
            }
            var type = items.first.map { self.type(of: $0) } ?? TypeReference(.primitive(.string))
            type.isCollection = true
            return type
        case .object(let object):
            if object["coordinates"] != nil { return TypeReference(.primitive(.geography)) }
            if version < .v4, let list = object["results"]?.array {
                return TypeReference(.structure(structure(list)), isCollection: true)
            }
            return TypeReference(.structure(structure([value])))
        }
    }

    /// What differs between a value and the JSON it was read from; nil when nothing does.
    func difference(_ value: StructureValue, _ json: JSONValue) -> String? {
        let properties = structures[value.type.index].properties
        for (slot, property) in properties.enumerated() {
            guard let written = json[property.name] else { continue }
            if version < .v4, written["__deferred"] != nil || written["results"] != nil { continue }
            guard let found = value.slots[slot] else { return "\(property.name) is missing" }
            if let reason = difference(found, written) { return "\(property.name): \(reason)" }
        }
        return nil
    }

    func difference(_ value: ODataValue, _ json: JSONValue) -> String? {
        switch (value, json) {
        case (.scalar(.null), .null): return nil
        case (.list(let items), .array(let list)):
            guard items.count == list.count else { return "\(items.count) items" }
            return zip(items, list).lazy.compactMap { difference($0, $1) }.first
        case (.structure(let structure), .object): return difference(structure, json)
        case (.scalar(.geo), .object): return nil
        case (.scalar(.boolean(let found)), .boolean(let written)):
            return found == written ? nil : "Boolean"
        case (.scalar(.string(let found)), .string(let written)):
            return found == written ? nil : "text"
        case (.scalar(let number), .number(let written)):
            return Double(Lexical.text(number)) == Double(written) ? nil : "number"
        default: return "another kind"
        }
    }

    // MARK: XML

    /// The `m:properties` of an entry.
    static func properties(_ entry: XMLElement) -> XMLElement? {
        entry.child("properties") ?? entry.child("content")?.child("properties")
    }

    mutating func structure(_ elements: [XMLElement]) -> StructureID {
        var names: [String] = []
        var found: [String: XMLElement] = [:]
        for child in elements.flatMap(\.children) {
            let name = child.name.localName
            let old = found[name]
            if old == nil { names.append(name) }
            let isBetter = old.map { $0.children.isEmpty && !child.children.isEmpty } ?? true
            if isBetter { found[name] = child }
        }
        let properties = names.compactMap { name in
            found[name].map { PropertyDefinition(name: name, type: type(of: $0)) }
        }
        return add(properties)
    }

    mutating func type(of element: XMLElement) -> TypeReference {
        let written = element.attributes.first { $0.name.localName == "type" }?.value ?? ""
        let items = element.children("element")
        if !items.isEmpty {
            if items.contains(where: { !$0.children.isEmpty }) {
                return TypeReference(.structure(structure(items)), isCollection: true)
            }
            return TypeReference(.primitive(.string), isCollection: true)
        }
        if written.hasPrefix("#Collection(") || written.hasPrefix("Collection(") {
            return TypeReference(.primitive(.string), isCollection: true)
        }
        if let primitive = PrimitiveType(name: written.replacing("#", with: "")),
            primitive != .stream
        {
            return TypeReference(.primitive(primitive.isGeospatial ? .untyped : primitive))
        }
        if element.children.isEmpty { return TypeReference(.primitive(.string)) }
        if element.children.contains(where: { $0.name.namespace.contains("gml") }) {
            return TypeReference(.primitive(.untyped))
        }
        return TypeReference(.structure(structure([element])))
    }

    /// Every element has to have become a value; scalars have to say what the text says.
    func difference(_ value: StructureValue, _ properties: XMLElement?) -> String? {
        for child in properties?.children ?? [] {
            let name = child.name.localName
            guard
                let slot = structures[value.type.index].properties.firstIndex(where: {
                    $0.name == name
                }),
                let found = value.slots[slot]
            else { return "\(name) is missing" }
            switch found {
            case .scalar(.string(let text)) where text != child.text: return "\(name): text"
            case .list(let items) where items.count != child.children.count: return "\(name): items"
            case .structure(let inner):
                if let reason = difference(inner, child) { return "\(name)/\(reason)" }
            default: continue
            }
        }
        return nil
    }
}
