import Foundation

/// Writes entries and feeds (V2 Atom Format).
struct AtomText {
    let root: String

    /// One entity in both forms.
    struct Entry {
        var set: String
        var id: Int
        var type: String
        var tag: String?
        /// Name, `Edm` type and text; nil is null.
        var properties: [(name: String, type: String, text: String?)]
        var height: Int?
        var content: Workshop.Content?

        var path: String { "\(set)(\(id))" }

        init(_ tool: Workshop.Tool) {
            set = "Tools"
            id = tool.id
            type = tool.isPowered ? "Ws.PowerTool" : "Ws.Tool"
            tag = tool.tag
            height = tool.height
            properties = [
                ("Id", "Edm.Int32", "\(tool.id)"), ("Title", "Edm.String", tool.title),
                ("Price", "Edm.Decimal", tool.price),
                ("OwnerId", "Edm.Int32", tool.ownerID.map(String.init)),
            ]
            if tool.isPowered { properties.append(("Watts", "Edm.Int32", "600")) }
        }

        init(member id: Int, _ name: String) {
            set = "Members"
            self.id = id
            type = "Ws.Member"
            properties = [("Id", "Edm.Int32", "\(id)"), ("Name", "Edm.String", name)]
        }

        init(_ photo: Workshop.Photo) {
            set = "Photos"
            id = photo.id
            type = "Ws.Photo"
            tag = photo.tag
            content = photo.content
            properties = [("Id", "Edm.Int32", "\(photo.id)"), ("Name", "Edm.String", photo.name)]
        }

        func json(_ root: String) -> [String: Any] {
            var metadata: [String: Any] = ["id": root + path, "uri": root + path, "type": type]
            metadata["etag"] = tag
            if let content {
                metadata["content_type"] = content.type
                metadata["media_src"] = root + path + "/$value"
                metadata["edit_media"] = root + path + "/$value"
                metadata["media_etag"] = content.tag
            }
            var object: [String: Any] = ["__metadata": metadata]
            for (name, type, text) in properties {
                object[name] = text.map { type == "Edm.Int32" ? Int($0) as Any : $0 } ?? NSNull()
            }
            if set == "Tools" {
                object["Size"] = ["Height": height ?? NSNull()] as [String: Any]
                for name in ["Owner", "Helpers"] {
                    object[name] = ["__deferred": ["uri": root + path + "/" + name]]
                }
            }
            return object
        }
    }

    private static let metadataNamespace =
        "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    private static let namespaces =
        #" xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0""#
        + #" xmlns:m="\#(metadataNamespace)""#
        + #" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices""#
    private static let scheme = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"
    private static let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/"

    func feed(
        _ set: String, _ entries: [Entry], _ links: [(String, String)], removed: [Int]
    ) -> String {
        var text = #"<?xml version="1.0" encoding="utf-8"?><feed xml:base=""# + root + "\""
        text += Self.namespaces + "><title type=\"text\">\(set)</title><id>\(root)\(set)</id>"
        text += "<updated>2031-05-01T08:30:00Z</updated>"
        for entry in entries { text += self.entry(entry, namespaces: "") }
        for id in removed {
            text +=
                #"<at:deleted-entry ref="\#(root)\#(set)(\#(id))" when="2031-05-01T08:30:00Z"/>"#
        }
        for (relation, target) in links {
            text += #"<link rel="\#(relation)" href="\#(escaped(target))"/>"#
        }
        return text + "</feed>"
    }

    /// An error as XML (V2 Operations, "Error Responses").
    static func error(_ refusal: Refusal) -> StrictAnswer {
        let says = escaped("\(refusal.reason) (\(refusal.clause))")
        return .text(
            #"<?xml version="1.0" encoding="utf-8"?><error xmlns="\#(metadataNamespace)">"#
                + "<code>\(refusal.status)</code><message xml:lang=\"en\">\(says)</message></error>",
            "application/xml", status: refusal.status, [("DataServiceVersion", "1.0")])
    }

    func document(_ entry: Entry) -> String {
        #"<?xml version="1.0" encoding="utf-8"?>"#
            + self.entry(entry, namespaces: " xml:base=\"\(root)\"" + Self.namespaces)
    }

    private func entry(_ entry: Entry, namespaces: String) -> String {
        let tag = entry.tag.map { " m:etag=\"\(escaped($0))\"" } ?? ""
        var text = "<entry\(namespaces)\(tag)><id>\(root)\(entry.path)</id><title type=\"text\"/>"
        text += "<updated>2031-05-01T08:30:00Z</updated><author><name/></author>"
        text += #"<link rel="edit" title="x" href="\#(entry.path)"/>"#
        if entry.set == "Tools" {
            text += #"<link rel="\#(Self.related)Owner" type="application/atom+xml;type=entry""#
            text += #" title="Owner" href="\#(entry.path)/Owner"/>"#
            text += #"<link rel="\#(Self.related)Helpers" type="application/atom+xml;type=feed""#
            text += #" title="Helpers" href="\#(entry.path)/Helpers"/>"#
        }
        text += #"<category term="\#(entry.type)" scheme="\#(Self.scheme)"/>"#
        guard let content = entry.content else {
            return text + "<content type=\"application/xml\">\(properties(entry))</content></entry>"
        }
        text +=
            #"<link rel="edit-media" href="\#(entry.path)/$value" m:etag="\#(escaped(content.tag))"/>"#
        text += #"<content type="\#(content.type)" src="\#(entry.path)/$value"/>"#
        return text + properties(entry) + "</entry>"
    }

    private func properties(_ entry: Entry) -> String {
        var text = "<m:properties>"
        for (name, type, value) in entry.properties {
            let kind = type == "Edm.String" ? "" : " m:type=\"\(type)\""
            text +=
                value.map { "<d:\(name)\(kind)>\(escaped($0))</d:\(name)>" }
                ?? "<d:\(name)\(kind) m:null=\"true\"/>"
        }
        if entry.set == "Tools" {
            let height = entry.height.map { ">\($0)</d:Height>" } ?? " m:null=\"true\"/>"
            text += "<d:Size m:type=\"Ws.Size\"><d:Height m:type=\"Edm.Int32\"\(height)</d:Size>"
        }
        return text + "</m:properties>"
    }

    private func escaped(_ text: String) -> String { Self.escaped(text) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            "\"", with: "&quot;")
    }
}
