import Foundation

/// What the texts ask of headers.
enum HeaderRules {
    static let formatParameters: Set<String> = [
        "odata.metadata", "metadata", "ieee754compatible", "odata.streaming", "streaming",
        "charset", "q",
        "exponentialdecimals",
    ]

    /// - Throws: 400 for versions of another protocol (Protocol 4.01, 8.1.5 and 8.2.8).
    static func checkVersions(_ request: StrictRequest) throws(Refusal) {
        if let version = request["OData-Version"], version != "4.0", version != "4.01" {
            throw Refusal(400, "Protocol 4.01, 8.1.5", "OData-Version \(version)")
        }
        if let highest = request["OData-MaxVersion"], Double(highest).map({ $0 >= 4 }) != true {
            throw Refusal(400, "Protocol 4.01, 8.2.8", "OData-MaxVersion \(highest)")
        }
        if request["DataServiceVersion"] != nil || request["MaxDataServiceVersion"] != nil {
            throw Refusal(400, "Protocol 4.01, 8.1.5", "headers of V2")
        }
    }

    /// - Throws: 406 where `Accept` leaves no form that the service has (Protocol 4.01, 8.2.1).
    static func checkAccept(_ request: StrictRequest, types: [String]) throws(Refusal) {
        guard let accept = request["Accept"] else { return }
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let isKnown = parts.dropFirst().allSatisfy { parameter in
                formatParameters.contains(String(parameter.prefix { $0 != "=" }))
                    || parameter == "type=feed" || parameter == "type=entry"
            }
            let type = parts.first ?? ""
            let isServed = types.contains { served in
                type == "*/*" || type == served
                    || type.hasSuffix("/*") && served.hasPrefix(type.dropLast())
            }
            if isServed && isKnown { return }
        }
        throw Refusal(406, "Protocol 4.01, 8.2.1", "Accept: \(accept)")
    }

    /// - Throws: 415 for a body that is no JSON (Protocol 4.01, 8.1.1 and 8.2.1).
    static func checkJSONBody(_ request: StrictRequest) throws(Refusal) {
        let type = request["Content-Type"]?.split(separator: ";").first?.lowercased()
        guard type == "application/json" else {
            throw Refusal(415, "Protocol 4.01, 8.1.1", "Content-Type: \(type ?? "none")")
        }
    }

    /// - Throws: 428 without a tag, 412 for another one (Protocol 4.01, 8.2.4 and 11.4.1.1).
    static func checkTag(_ request: StrictRequest, _ tag: String) throws(Refusal) {
        guard let given = request["If-Match"] else {
            throw Refusal(428, "Protocol 4.01, 11.4.1.1", "\(request.method) without If-Match")
        }
        let bare = { (text: String) in text.hasPrefix("W/") ? String(text.dropFirst(2)) : text }
        guard given == "*" || bare(given) == bare(tag) else {
            throw Refusal(412, "Protocol 4.01, 8.2.4", "If-Match: \(given), the tag is \(tag)")
        }
    }
}
