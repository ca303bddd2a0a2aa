import ODataModel
import ODataText

/// Writes entities, collections, changes and values as JSON (JSON Format 4.01; V2 JSON).
///
/// Responses carry minimal metadata: what the reader cannot compute from the model. Unset slots are left out.
package struct EntityJSONWriter: Sendable {
    package enum Metadata: Sendable, Hashable {
        case none
        case minimal
        /// Types and links are written even where a reader could work them out (JSON Format 4.01, section 3.1.3).
        case full
    }

    package let graph: MetadataGraph
    package var dialect: Dialect
    /// Int64 and Decimal are written as strings (`IEEE754Compatible=true`).
    package var quotesLongNumbers: Bool
    package var metadata: Metadata

    package init(
        _ graph: MetadataGraph, dialect: Dialect? = nil, isIEEE754Compatible: Bool = false,
        metadata: Metadata = .minimal
    ) {
        self.graph = graph
        let dialect = dialect ?? Dialect.of(graph.version)
        self.dialect = dialect
        quotesLongNumbers = isIEEE754Compatible || dialect.quotesLongNumbers
        self.metadata = metadata
    }

    /// A single entity as response.
    package func entity(
        _ value: StructureValue, declared: StructureID, context: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        beginPayload(&writer)
        writer.beginObject()
        writeContext(context, to: &writer)
        writeMembers(of: value, declared: declared, to: &writer)
        writer.endObject()
        endPayload(&writer)
        return writer.bytes
    }

    /// The value of a property or operation as response; a null is not written but answered with 204.
    package func property(
        _ value: ODataValue, named name: String, as type: TypeReference, context: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        if dialect.wrapsPayload {
            beginPayload(&writer)
            writer.beginObject()
            writer.name(name)
            write(value, as: type, to: &writer)
            writer.endObject()
            endPayload(&writer)
            return writer.bytes
        }
        writer.beginObject()
        writeContext(context, to: &writer)
        if case .structure(let structure) = value, !type.isCollection {
            writeMembers(of: structure, declared: type.structure, to: &writer)
        } else {
            writer.name("value")
            write(value, as: type, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// An entity reference, as response or as the body of a link request.
    package func reference(_ id: String, context: String? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeContext(context, to: &writer)
        writer.name(dialect.wrapsPayload ? "uri" : control("id"))
        writer.string(id)
        writer.endObject()
        return writer.bytes
    }

    /// An entity reference as response, which V2 wraps like any other.
    package func wrappedReference(_ id: String) -> [UInt8] {
        var writer = JSONWriter()
        beginPayload(&writer)
        writer.beginObject()
        writer.name(dialect.wrapsPayload ? "uri" : control("id"))
        writer.string(id)
        writer.endObject()
        endPayload(&writer)
        return writer.bytes
    }

    /// A collection of entity references as response.
    package func references(
        _ ids: [String], context: String? = nil, count: Int64? = nil, nextLink: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        beginPayload(&writer)
        writer.beginObject()
        writeContext(context, to: &writer)
        if let count {
            writer.name(dialect.wrapsPayload ? "__count" : control("count"))
            writeCount(count, to: &writer)
        }
        writer.name(dialect.wrapsPayload ? "results" : "value")
        writer.beginArray()
        for id in ids {
            writer.beginObject()
            writer.name(dialect.wrapsPayload ? "uri" : control("id"))
            writer.string(id)
            writer.endObject()
        }
        writer.endArray()
        if let nextLink {
            writer.name(dialect.wrapsPayload ? "__next" : control("nextLink"))
            writer.string(nextLink)
        }
        writer.endObject()
        endPayload(&writer)
        return writer.bytes
    }

    /// `@odata.name`, or `@name` where the dialect leaves the prefix out.
    package func control(_ name: String) -> String {
        (dialect.usesShortControlNames ? "@" : "@odata.") + name
    }

    /// The context URL, where the payload has one.
    package func writeContext(_ context: String?, to writer: inout JSONWriter) {
        guard let context, !dialect.wrapsPayload, metadata != .none else { return }
        writer.name(control("context"))
        writer.string(context)
    }

    func beginPayload(_ writer: inout JSONWriter) {
        guard dialect.wrapsPayload else { return }
        writer.beginObject()
        writer.name("d")
    }

    func endPayload(_ writer: inout JSONWriter) {
        if dialect.wrapsPayload { writer.endObject() }
    }
}
