import ODataQuery
import ODataText

// Batches of a client, whose parts are the same in both forms (Protocol 4.01, section 11.7; JSON Format 4.01, section 19).

extension JSONBatch {
    /// The batch request of these parts; each change set is an atomicity group, and a request that refers to one before
    /// it depends on that one.
    package static func request(
        of parts: [BatchPart], url: String = "$batch", headers: HeaderFields = HeaderFields()
    ) throws -> RequestMessage {
        var requests: [JSONBatchRequest] = []
        for (index, part) in parts.enumerated() {
            let members = part.requests
            let ids = identifiers(of: part, at: index)
            let group = isChangeSet(part) ? "g\(index + 1)" : nil
            for (position, member) in members.enumerated() {
                var message = member.message
                message.url = BatchWriter.partURL(message.url)
                let text = String(decoding: message.body, as: UTF8.self)
                let before = ids[..<position].filter { refers(message.url, text, to: $0) }
                requests.append(
                    JSONBatchRequest(
                        id: ids[position], atomicityGroup: group, dependsOn: Array(before), message)
                )
            }
        }
        return try request(requests, url: url, headers: headers)
    }

    /// One outcome per part; answers are found by their ids, in whatever order they come.
    ///
    /// - Throws: `malformedText` or `invalidPayload` when the response is no JSON batch.
    package static func outcomes(
        of response: ResponseMessage, for parts: [BatchPart], limits: BatchLimits = BatchLimits()
    ) throws -> [BatchOutcome] {
        let answers = try responses(response.body, limits: limits).responses
        var byID: [String: ResponseMessage] = [:]
        for (index, answer) in answers.enumerated() {
            guard byID.updateValue(answer.message, forKey: answer.id) == nil else {
                throw malformed(
                    "Expected each id once, found one twice.", at: .path("responses[\(index)]"))
            }
        }
        return parts.enumerated().map { index, part in
            let found = identifiers(of: part, at: index).map { byID[$0] }
            guard isChangeSet(part) else {
                return found.first.flatMap { $0 }.map { .answered($0) } ?? .unanswered
            }
            let refused = found.compactMap { $0 }.filter { !$0.isSuccess }
            // What failed because another member did says less than that one.
            if let first = refused.first(where: { $0.status != 424 }) ?? refused.first {
                return .changeSetFailed(first)
            }
            return found.contains { $0 != nil } ? .changeSet(found) : .unanswered
        }
    }

    private static func isChangeSet(_ part: BatchPart) -> Bool {
        if case .changeSet = part { true } else { false }
    }

    /// Content-IDs where the members have them, which is what references name; else numbers that no Content-ID is.
    private static func identifiers(of part: BatchPart, at index: Int) -> [String] {
        part.requests.enumerated().map { position, member in
            member.contentID ?? "r\(index + 1).\(position + 1)"
        }
    }

    private static func refers(_ url: String, _ body: String, to id: String) -> Bool {
        let name = "$" + id
        return url == name || url.hasPrefix(name + "/") || body.contains("\"\(name)\"")
            || body.contains("\"\(name)/")
    }
}
