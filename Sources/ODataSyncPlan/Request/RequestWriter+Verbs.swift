import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Requests for things whose URLs and values are known: verb, headers and body of each.
extension RequestWriter {
    /// `POST` to a set or to a navigation property.
    ///
    /// - Parameter declared: what the URL leads to; a derived type is named in the body.
    func create(
        _ value: StructureValue, at url: String, declared: StructureID, isMinimal: Bool
    ) -> RequestMessage {
        var headers = preference(settings.createReturnsContent && !isMinimal)
        headers["Content-Type"] = Self.json
        return RequestMessage(
            method: "POST", url: url, headers: headers, body: body(value, declared))
    }

    /// How an update is carried out here: services without `PATCH` replace.
    package func mode(_ wanted: QueuedRequest.UpdateMode) -> QueuedRequest.UpdateMode {
        settings.supportsPatch && settings.updates != .put ? wanted : .replace
    }

    /// How updates that say what changed are sent here.
    package var updateMethod: UpdateMethod {
        settings.updates ?? UpdateMethod.standard(dialect)
    }

    /// `PATCH` (V2 `MERGE`), or what the service takes in its place, or `PUT`.
    ///
    /// - Parameters:
    ///   - mode: as ``mode(_:)`` says.
    ///   - deltas: collections of which the body has only what was added or changed (Protocol 4.01, section 11.4.3.1).
    ///   - removals: entities that leave collections, by property.
    func update(
        _ value: StructureValue, at url: String, declared: StructureID,
        mode: QueuedRequest.UpdateMode, entityTag: String?, isMinimal: Bool,
        deltas: Set<String> = [], removals: [String: [String]] = [:]
    ) -> RequestMessage {
        var headers = preference(settings.updateReturnsContent && !isMinimal)
        headers["Content-Type"] = Self.json
        headers["If-Match"] = entityTag
        return RequestMessage(
            method: mode == .replace ? "PUT" : updateMethod.verb,
            url: url, headers: headers,
            body: body(value, declared, deltas: deltas, removals: removals))
    }

    /// `DELETE` of an entity or of the content of a stream (Protocol 4.01, sections 11.4.5 and 11.4.8.2).
    package func delete(at url: String, entityTag: String?) -> RequestMessage {
        var message = RequestMessage(method: "DELETE", url: url)
        message.headers["If-Match"] = entityTag
        return message
    }

    // MARK: Streams

    /// `POST` of the content of a new media entity (Protocol 4.01, section 11.4.7.1).
    func createMedia(
        _ content: StreamBody?, at url: String, isMinimal: Bool
    ) -> RequestMessage {
        var message = stream("POST", content, at: url)
        message.headers.merge(preference(settings.createReturnsContent && !isMinimal))
        message.headers["Slug"] = content?.fileName.map { PercentCoding.encode($0, for: .path) }
        return message
    }

    /// `PUT` of new content (Protocol 4.01, sections 11.4.7.2 and 11.4.8.1).
    package func putStream(
        _ content: StreamBody?, at url: String, entityTag: String?
    ) -> RequestMessage {
        var message = stream("PUT", content, at: url)
        message.headers["If-Match"] = entityTag
        return message
    }

    private func stream(
        _ method: String, _ content: StreamBody?, at url: String
    ) -> RequestMessage {
        RequestMessage(
            method: method, url: url,
            headers: ["Content-Type": content?.mediaType ?? "application/octet-stream"],
            body: content?.bytes ?? [])
    }

    // MARK: Links

    /// Where the links of a navigation property are: `Tools(7)/Owner/$ref`, V2 `Tools(7)/$links/Owner`.
    private func links(_ property: String, of source: String) -> String {
        let name = PercentCoding.encode(property, for: .path)
        return dialect.wrapsPayload ? "\(source)/$links/\(name)" : "\(source)/\(name)/$ref"
    }

    /// `POST` adds to a collection, `PUT` sets a single-valued link (Protocol 4.01, sections 11.4.6.1 and 11.4.6.3).
    func putLink(
        _ property: String, isCollection: Bool, of source: String, to target: String
    ) -> RequestMessage {
        RequestMessage(
            method: isCollection ? "POST" : "PUT", url: links(property, of: source),
            headers: ["Content-Type": Self.json], body: json.reference(reference(target)))
    }

    /// `DELETE` of one link among those of a collection, or of the link of a single-valued property.
    func deleteLink(
        _ property: String, isCollection: Bool, of source: String, to target: String?
    ) -> RequestMessage {
        var url = links(property, of: source)
        if isCollection, let target {
            if !dialect.wrapsPayload {
                url += "?$id=" + PercentCoding.encode(reference(target), for: .query)
            } else if let key = target.lastIndex(of: "(") {
                // V2 names the target by its key behind the property.
                url += target[key...]
            }
        }
        return RequestMessage(method: "DELETE", url: url)
    }

    /// A reference resolves against the URL of its request, so it is written in full, unless it is a Content-ID.
    private func reference(_ url: String) -> String {
        url.hasPrefix("$") ? url : ServiceURL.absolute(url, root: root)
    }

    // MARK: Bodies

    static let json = "application/json"

    /// Requests keep the long names of control information, which every V4 service reads.
    var json: EntityJSONWriter {
        EntityJSONWriter(graph, dialect: dialect.wrapsPayload ? .v2 : .v4)
    }

    private func body(
        _ value: StructureValue, _ declared: StructureID, deltas: Set<String> = [],
        removals: [String: [String]] = [:]
    ) -> [UInt8] {
        // No type is declared where each is to be named.
        let known = settings.requiresType ? StructureID(-1) : declared
        return json.requestBody(value, declared: known, deltas: deltas, removals: removals)
    }
}
