import ODataModel
import ODataText

extension EntityJSONWriter {
    /// `__metadata` of a V2 response; entities only.
    func writeV2Metadata(
        of value: StructureValue, declared: StructureID?, to writer: inout JSONWriter
    ) {
        let information = value.control
        let isEntity = graph[value.type].kind == .entity
        guard isEntity || value.type != declared else { return }
        writer.name("__metadata")
        writer.beginObject()
        let uri = information.editLink ?? information.id
        for (name, text) in [
            ("id", information.id), ("uri", uri), ("type", graph[value.type].qualifiedName),
            ("etag", information.etag), ("content_type", information.mediaContentType),
            ("media_src", information.mediaReadLink), ("edit_media", information.mediaEditLink),
            ("media_etag", information.mediaETag),
        ] {
            guard let text else { continue }
            writer.name(name)
            writer.string(text)
        }
        writer.endObject()
    }

    /// An expanded relation, or the deferred link of one that is not, where the entity's URL is known.
    func writeV2Related(
        _ property: PropertyDefinition, _ content: ODataValue?, _ count: Int64?, _ next: String?,
        _ information: ControlInformation, to writer: inout JSONWriter
    ) {
        guard let content else {
            guard let uri = information.editLink ?? information.id else { return }
            writer.name(property.name)
            writer.beginObject()
            writer.name("__deferred")
            writer.beginObject()
            writer.name("uri")
            writer.string("\(uri)/\(property.name)")
            writer.endObject()
            writer.endObject()
            return
        }
        writer.name(property.name)
        guard property.type.isCollection else {
            write(content, as: property.type, to: &writer)
            return
        }
        writer.beginObject()
        if let count {
            writer.name("__count")
            writer.string(String(count))
        }
        writer.name("results")
        write(content, as: property.type, to: &writer)
        if let next {
            writer.name("__next")
            writer.string(next)
        }
        writer.endObject()
    }
}
