import ODataQuery
import ODataTesting
import ODataText
import ODataTransport

extension FieldDefect {
    /// What a client may send or read wrong.
    static let ofTheWire = sent + read

    private static let sent: [FieldDefect] = [
        sending("a text is changed on its way") { request, _ in
            var request = request
            request.body = Array(
                String(decoding: request.body, as: UTF8.self).replacing(";", with: ":").utf8)
            return request
        },
        sending("a change of the second row goes to the third") { request, _ in
            guard ["PATCH", "MERGE"].contains(request.method) else { return request }
            var request = request
            request.url = request.url.replacing("(2)", with: "(3)")
            return request
        },
        sending("each second deletion counts as made") { request, number in
            request.method == "DELETE" && number % 2 == 0 ? nil : request
        },
        sending("each second change counts as made") { request, number in
            ["PATCH", "MERGE"].contains(request.method) && number % 2 == 0 ? nil : request
        },
        sending("tags are left out") { request, _ in
            var request = request
            request.headers["If-Match"] = nil
            return request
        },
        sending("every tag is a star") { request, _ in
            guard request.headers["If-Match"] != nil else { return request }
            var request = request
            request.headers["If-Match"] = "*"
            return request
        },
        sending("names of sets are wrong in batches") { request, _ in
            guard request.url.hasSuffix("$batch") else { return request }
            var request = request
            request.body = Array(
                String(decoding: request.body, as: UTF8.self).replacing("Orders", with: "Order")
                    .utf8)
            return request
        },
        FieldDefect(name: "creations are sent twice", wrap: { TwiceTransport(base: $0) }),
        FieldDefect(
            name: "identities are dropped", wrap: { DefectTransport($0, .dropsIdentities) }),
        FieldDefect(
            name: "identities are renewed", wrap: { DefectTransport($0, .renewsIdentities) }),
    ]

    private static let read: [FieldDefect] = [
        answering("each refusal counts as acceptance") { request, answer in
            guard request.method != "GET", answer.status == 412 else { return answer }
            return answer.marked(204)
        },
        answering("a row that is gone counts as there") { request, answer in
            guard request.method == "GET", answer.status == 404, request.url.contains("(") else {
                return answer
            }
            return answer.marked(503)
        },
        answering("a lost session counts as a refusal") { _, answer in
            answer.status == 401 ? answer.marked(403) : answer
        },
        answering("every error is one of the server") { _, answer in
            answer.status >= 400 && answer.status < 500 ? answer.marked(500) : answer
        },
        reading("tombstones are passed over") { row in row["id"] == nil ? row : nil },
        reading("rows with the size 6 are passed over") { row in
            row["Size"]?.number == "6" ? nil : row
        },
        reading("texts of others are not read") { row in
            guard row["Text"]?.string?.hasPrefix("others") == true else { return row }
            var row = row
            row["Text"] = .null
            return row
        },
        reading("name and text change places") { row in
            var row = row
            (row["Name"], row["Text"]) = (row["Text"], row["Name"])
            return row
        },
        reading("keys are one too high") { row in
            guard let number = row["Key"]?.number.flatMap({ Int($0) }) else { return row }
            var row = row
            row["Key"] = .number("\(number + 1)")
            return row
        },
        rewriting("the next page is not asked for", "nextLink", "__next"),
        FieldDefect(
            name: "a delta is answered from an older one", wrap: { StaleTransport(base: $0) }),
        FieldDefect(name: "deltas are emptied", wrap: { DefectTransport($0, .emptiesDelta) }),
    ]

    // MARK: Making

    private static func sending(
        _ name: String,
        _ change: @escaping @Sendable (RequestMessage, _ number: Int) -> RequestMessage?
    ) -> FieldDefect {
        FieldDefect(name: name, wrap: { RewritingTransport(base: $0, request: change) })
    }

    private static func answering(
        _ name: String,
        _ change: @escaping @Sendable (RequestMessage, ResponseMessage) -> ResponseMessage
    ) -> FieldDefect {
        FieldDefect(name: name, wrap: { RewritingTransport(base: $0, answer: change) })
    }

    /// Changes rows of pages on their way to the reader, nil for one that is left out.
    private static func reading(
        _ name: String, _ change: @escaping @Sendable (JSONObject) -> JSONObject?
    ) -> FieldDefect {
        answering(name) { request, answer in
            guard request.method == "GET", var page = answer.page else { return answer }
            page.changeRows(change)
            return answer.with(page)
        }
    }

    /// Leaves out a member of pages, by the end of its name.
    private static func rewriting(_ name: String, _ ends: String...) -> FieldDefect {
        answering(name) { request, answer in
            guard request.method == "GET", var page = answer.page else { return answer }
            page.remove(ends)
            return answer.with(page)
        }
    }
}

extension ResponseMessage {
    /// With another status, and the mark of a service.
    fileprivate func marked(_ status: Int) -> ResponseMessage {
        ResponseMessage(status: status, headers: headers, body: status == 204 ? [] : body)
    }

    fileprivate var page: JSONObject? {
        guard case .object(let page)? = try? JSONValue(parsing: body, duplicates: .keepLast) else {
            return nil
        }
        return page
    }

    fileprivate func with(_ page: JSONObject) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: headers, body: Array(JSONValue.object(page).text.utf8))
    }
}

extension JSONObject {
    fileprivate mutating func changeRows(_ change: (JSONObject) -> JSONObject?) {
        if case .object(var inner)? = self["d"] {
            inner.change("results", change)
            self["d"] = .object(inner)
        } else {
            self.change("value", change)
        }
    }

    private mutating func change(_ name: String, _ change: (JSONObject) -> JSONObject?) {
        guard let list = self[name]?.array else { return }
        self[name] = .array(
            list.compactMap { row in
                guard case .object(let object) = row else { return row }
                return change(object).map(JSONValue.object)
            })
    }

    fileprivate mutating func remove(_ ends: [String]) {
        if case .object(var inner)? = self["d"] {
            inner.remove(ends)
            self["d"] = .object(inner)
        }
        for member in members where ends.contains(where: member.name.hasSuffix) {
            self[member.name] = nil
        }
    }
}

extension JSONValue {
    fileprivate var number: String? {
        if case .number(let text) = self { text } else { nil }
    }
}
