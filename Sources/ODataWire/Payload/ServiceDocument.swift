import ODataModel
import ODataText

/// The list of what a service offers at its root (JSON Format 4.01, section 5; V2 `EntitySets`).
package struct ServiceDocument: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            case entitySet = "EntitySet"
            case singleton = "Singleton"
            case functionImport = "FunctionImport"
            case serviceDocument = "ServiceDocument"
        }

        package var name: String
        package var kind: Kind
        /// Relative to the service root, or absolute.
        package var url: String
        package var title: String?

        package init(
            name: String, kind: Kind = .entitySet, url: String? = nil, title: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.url = url ?? name
            self.title = title
        }
    }

    package var context: String?
    /// `metadataEtag`
    package var metadataETag: String?
    package var entries: [Entry]

    package init(context: String? = nil, metadataETag: String? = nil, entries: [Entry] = []) {
        self.context = context
        self.metadataETag = metadataETag
        self.entries = entries
    }

    /// Everything in the model that belongs into the service document.
    package init(of graph: MetadataGraph, context: String = "$metadata") {
        self.init(context: context)
        for set in graph.entitySets where set.isIncludedInServiceDocument {
            entries.append(
                Entry(name: set.name, kind: set.isSingleton ? .singleton : .entitySet))
        }
        for function in graph.operationImports where function.isIncludedInServiceDocument {
            entries.append(Entry(name: function.name, kind: .functionImport))
        }
    }

    /// Reads the JSON forms of V4 and V2; entries of a kind that is not known are left out.
    ///
    /// - Throws: `malformedText`, or `invalidPayload` when it is no service document.
    package init(json bytes: [UInt8]) throws {
        let document = try JSONValue(parsing: bytes, duplicates: .keepLast)
        if let names = (document["d"] ?? document)["EntitySets"]?.array {
            self.init(entries: names.compactMap { $0.string.map { Entry(name: $0) } })
            return
        }
        guard let list = document["value"]?.array else {
            throw ODataError(.invalidPayload, "Expected an array named value.")
        }
        self.init(
            context: (document["@odata.context"] ?? document["@context"])?.string,
            metadataETag: (document["@odata.metadataEtag"] ?? document["@metadataEtag"])?.string)
        for item in list {
            guard let name = item["name"]?.string else {
                throw ODataError(.invalidPayload, "Expected a name in each entry.")
            }
            let text = item["kind"]?.string ?? Entry.Kind.entitySet.rawValue
            guard let kind = Entry.Kind(rawValue: text) else { continue }
            entries.append(
                Entry(
                    name: name, kind: kind, url: item["url"]?.string,
                    title: item["title"]?.string))
        }
    }

    /// The document's bytes.
    package func json(dialect: Dialect = .v4) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if dialect.wrapsPayload {
            writer.name("d")
            writer.beginObject()
            writer.name("EntitySets")
            writer.beginArray()
            for entry in entries where entry.kind == .entitySet { writer.string(entry.name) }
            writer.endArray()
            writer.endObject()
        } else {
            let prefix = dialect.usesShortControlNames ? "@" : "@odata."
            writer.name(prefix + "context")
            writer.string(context ?? "$metadata")
            if let metadataETag {
                writer.name(prefix + "metadataEtag")
                writer.string(metadataETag)
            }
            writer.name("value")
            writer.beginArray()
            for entry in entries { Self.write(entry, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ entry: Entry, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("name")
        writer.string(entry.name)
        writer.name("kind")
        writer.string(entry.kind.rawValue)
        writer.name("url")
        writer.string(entry.url)
        if let title = entry.title {
            writer.name("title")
            writer.string(title)
        }
        writer.endObject()
    }
}
