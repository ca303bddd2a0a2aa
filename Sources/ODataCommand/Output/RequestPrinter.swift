import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

/// Writes pending requests: JSON, or a table for people.
struct RequestPrinter {
    let console: Console

    func print(_ requests: [PendingRequest]) {
        if console.isJSON {
            console.print(JSONValue.array(requests.map { Self.json($0, isFull: false) }).text)
            return
        }
        guard !requests.isEmpty else { return console.note("none") }
        var table = TextTable(
            [
                "id", "method", "url", "queued", "attempts", "last sent", "last answer", "status",
                "message",
            ], maximumCell: 72)
        for request in requests {
            table.append([
                String(request.requestID), request.httpMethod, request.requestURL,
                Self.queuedAt(request) ?? "", String(request.attempts),
                request.lastSent?.toString() ?? "", Self.lastAnswer(request) ?? "",
                request.httpStatus.map(String.init) ?? "", request.errorMessage ?? "",
            ])
        }
        for line in table.lines { console.print(line) }
    }

    /// One request with headers and bodies, and its entity as each side has it.
    func show(_ request: PendingRequest, _ states: EntityStates) {
        let json = Self.json(request, isFull: true)
        if console.isJSON {
            var object = json.object ?? JSONObject()
            for side in states.sides { object[side.name] = side.state }
            if !states.candidates.isEmpty { object["candidates"] = .array(states.candidates) }
            return console.print(JSONValue.object(object).text)
        }
        for line in ResultPrinter.lines(json) { console.print(line) }
        for line in states.table.lines { console.print(line) }
        for candidate in states.candidates { console.print("candidate \(candidate.text)") }
    }

    /// Every request in full, always as JSON.
    func export(_ requests: [PendingRequest]) {
        console.print(JSONValue.array(requests.map { Self.json($0, isFull: true) }).text)
    }

    /// When the change was made.
    private static func queuedAt(_ request: PendingRequest) -> String? {
        guard let made = request.request?.createdAt, made > 0 else { return nil }
        return GlobalDateTime.milliseconds(made).toString()
    }

    /// Status and message, or why there is no answer.
    private static func lastAnswer(_ request: PendingRequest) -> String? {
        guard let message = request.lastAnswer else { return nil }
        return request.lastStatus.map { "\($0) \(message)" } ?? message
    }

    private static func json(_ request: PendingRequest, isFull: Bool) -> JSONValue {
        var object = JSONObject()
        object["id"] = .number(String(request.requestID))
        object["method"] = .string(request.httpMethod)
        object["url"] = .string(request.requestURL)
        object["entitySet"] = .string(request.entitySetName)
        object["failed"] = .boolean(request.isFailed)
        if let status = request.httpStatus { object["status"] = .number(String(status)) }
        if let code = request.errorCode { object["code"] = .string(code) }
        if let message = request.errorMessage { object["message"] = .string(message) }
        if let queued = queuedAt(request) { object["queued"] = .string(queued) }
        if let sent = request.firstSent { object["firstSent"] = .string(sent.toString()) }
        object["attempts"] = .number(String(request.attempts))
        if let sent = request.lastSent { object["lastSent"] = .string(sent.toString()) }
        if let message = request.lastAnswer {
            var answer = JSONObject()
            if let status = request.lastStatus { answer["status"] = .number(String(status)) }
            answer["message"] = .string(message)
            object["lastAnswer"] = .object(answer)
        }
        guard isFull else { return .object(object) }
        let headers = request.requestHeaders.fields.fields.map { field in
            JSONObject.Member(name: field.name, value: .string(field.value))
        }
        object["headers"] = .object(JSONObject(headers))
        if let body = request.requestBody {
            object["body"] = (try? JSONValue(parsing: body)) ?? .string(body)
        }
        if let answer = request.responseBody {
            object["answer"] = (try? JSONValue(parsing: answer)) ?? .string(answer)
        }
        return .object(object)
    }
}
