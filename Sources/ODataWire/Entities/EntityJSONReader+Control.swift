import ODataModel
import ODataText

extension EntityJSONReader {
    func readControl(
        _ name: String, _ json: JSONValue, into control: inout ControlInformation
    ) {
        guard let text = json.string else { return }
        switch name {
        case "id": control.id = text
        case "etag": control.etag = text
        case "editLink": control.editLink = text
        case "readLink": control.readLink = text
        case "mediaReadLink": control.mediaReadLink = text
        case "mediaEditLink": control.mediaEditLink = text
        case "mediaContentType": control.mediaContentType = text
        case "mediaEtag": control.mediaETag = text
        default: break
        }
    }

    func readPropertyControl(
        _ name: String, of property: String, _ json: JSONValue,
        into control: inout ControlInformation
    ) throws {
        switch name {
        case "bind":
            let links = json.array ?? [json]
            control.bindings[property] = try links.map { link in
                guard let id = link.string else {
                    throw ODataError(
                        .invalidPayload,
                        "Expected an entity-id, found \(ScalarJSON.kind(of: link)).",
                        at: .path("\(property)@odata.bind"))
                }
                return id
            }
        case "nextLink": control.nextLinks[property] = Self.link(json)
        case "count": control.counts[property] = Self.count(json)
        case "navigationLink", "mediaReadLink", "mediaEditLink", "mediaContentType", "mediaEtag":
            guard let text = json.string else { return }
            control.annotations["\(property)@odata.\(name)"] = .scalar(.string(text))
        default: break
        }
    }

    /// `__metadata` of V2.
    func readV2Metadata(_ json: JSONValue, into result: inout StructureValue) {
        let uri = json["uri"]?.string
        result.control.id = json["id"]?.string ?? uri
        result.control.editLink = uri
        result.control.etag = json["etag"]?.string
        result.control.mediaContentType = json["content_type"]?.string
        result.control.mediaReadLink = json["media_src"]?.string
        result.control.mediaEditLink = json["edit_media"]?.string
        result.control.mediaETag = json["media_etag"]?.string
    }

    /// A link as text, or as an object with a `uri` (seen in V2).
    static func link(_ json: JSONValue?) -> String? {
        json?.string ?? json?["uri"]?.string
    }

    /// A count as number, or as text (V2, IEEE754Compatible).
    static func count(_ json: JSONValue?) -> Int64? {
        (json?.number ?? json?.string).flatMap { Int64($0) }
    }
}
