import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Synchronization
import WorkplaceFixture

/// A V2 service made of texts: strict about change sets, tokens, versions and methods, and with no code of the wire in
/// common with the client.
final class StrictV2Service: Sendable {
    struct Habits: Sendable {
        var wantsToken = false
        var tunnelsOnly = false
        /// Answers to changes say no entity tags.
        var keepsTags = false
        /// What comes without an entity tag is carried out all the same.
        var takesUntagged = false
        /// Single rows are not shown.
        var hidesRows = false
        /// The methods that change rows.
        var updates = ["MERGE"]
        /// Refusals of methods name those that are taken.
        var allows = true
        /// Somebody else answers everything.
        var isPortal = false
    }

    struct State {
        var titles: [Int: String] = [1: "one", 2: "two"]
        var versions: [Int: Int] = [1: 1, 2: 1]
        var habits = Habits()
        var refusals: [String] = []
        var tokenFetches = 0
        var effects: [String] = []
    }

    private let state: Mutex<State>

    init(_ habits: Habits = Habits()) {
        var state = State()
        state.habits = habits
        self.state = Mutex(state)
    }

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    static func run(
        _ habits: Habits = Habits(),
        _ body: @escaping @Sendable (ServiceWorkplace, StrictV2Service) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run { place in
            let service = StrictV2Service(habits)
            place.observer.setFaults { request, _ in
                .answer(service.answer(request))
            }
            // Each change has a request of its own.
            place.sync.combineLocalUpdates = false
            try place.sync.open()
            try place.sync.download()
            try body(place, service)
        }
    }

    // MARK: Answers

    private static let metadata = """
        <?xml version="1.0"?><edmx:Edmx Version="1.0"
        xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
        m:DataServiceVersion="2.0"><Schema Namespace="S"
        xmlns="http://schemas.microsoft.com/ado/2008/09/edm"><EntityType Name="Order"><Key>
        <PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType><EntityContainer Name="C"
        m:IsDefaultEntityContainer="true"><EntitySet Name="Orders" EntityType="S.Order"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func text(
        _ status: Int, _ type: String, _ body: String, _ headers: HeaderFields = HeaderFields()
    ) -> ResponseMessage {
        var headers = headers
        headers["Content-Type"] = type
        headers["DataServiceVersion"] = "2.0"
        return ResponseMessage(status: status, headers: headers, body: Array(body.utf8))
    }

    private static func refused(_ status: Int, _ why: String) -> ResponseMessage {
        text(
            status, "application/json",
            #"{"error":{"code":"x","message":{"lang":"en","value":"\#(why)"}}}"#)
    }

    private func answer(_ request: RequestMessage) -> ResponseMessage {
        state.withLock { state in
            if state.habits.isPortal {
                return ResponseMessage(
                    status: 200, headers: ["Content-Type": "text/html"],
                    body: Array("<html><title>Log on</title></html>".utf8))
            }
            let answer = Self.answer(request, &state)
            if answer.status >= 400 {
                state.refusals.append("\(answer.status) \(request.method)")
            }
            return answer
        }
    }

    private static func answer(_ request: RequestMessage, _ state: inout State) -> ResponseMessage {
        let url = request.url.removingPercentEncoding ?? request.url
        let path = String(url.split(separator: "?")[0].split(separator: "/").last ?? "")
        if request.headers["OData-Version"] != nil || request.headers["OData-MaxVersion"] != nil {
            return refused(400, "a header of another version")
        }
        guard request.method != "GET" else { return read(path, request, &state) }
        if state.habits.wantsToken, request.headers["X-CSRF-Token"] != "secret" {
            return text(403, "text/plain", "token", ["X-CSRF-Token": "Required"])
        }
        if path == "$batch" { return batch(request, &state) }
        if state.habits.tunnelsOnly, request.method != "POST" {
            return refused(405, "does not pass")
        }
        return write(
            request.headers["X-HTTP-Method"] ?? request.method, path, request.headers["If-Match"],
            String(decoding: request.body, as: UTF8.self), &state)
    }

    private static func read(
        _ path: String, _ request: RequestMessage, _ state: inout State
    ) -> ResponseMessage {
        if request.headers["X-CSRF-Token"]?.lowercased() == "fetch" {
            state.tokenFetches += 1
            return text(200, "application/json", #"{"d":{}}"#, ["X-CSRF-Token": "secret"])
        }
        if path == "$metadata" { return text(200, "application/xml", metadata) }
        let rows = state.titles.sorted { $0.key < $1.key }.map { row($0.key, state) }
        if path == "Orders" {
            return text(
                200, "application/json", "{\"d\":{\"results\":[\(rows.joined(separator: ","))]}}")
        }
        guard !state.habits.hidesRows else { return refused(500, "not now") }
        guard let id = number(path), state.titles[id] != nil else { return refused(404, "no") }
        return text(200, "application/json", "{\"d\":\(row(id, state))}")
    }

    private static func row(_ id: Int, _ state: State) -> String {
        #"{"__metadata":{"uri":"Orders(\#(id))","type":"S.Order","etag":"W/\"\#(state.versions[id] ?? 0)\""},"#
            + #""Id":\#(id),"Title":"\#(state.titles[id] ?? "")"}"#
    }

    private static func number(_ path: String) -> Int? {
        path.split(separator: "(").last.flatMap { Int($0.dropLast()) }
    }

    private static func write(
        _ method: String, _ path: String, _ tag: String?, _ body: String, _ state: inout State
    ) -> ResponseMessage {
        let title = body.split(separator: "\"Title\":\"").dropFirst().first?
            .split(separator: "\"").first.map(String.init)
        switch method {
        case "POST":
            let id = (state.titles.keys.max() ?? 0) + 1
            state.titles[id] = title
            state.versions[id] = 1
            state.effects.append("create \(title ?? "")")
            let made = row(id, state)
            let told =
                state.habits.keepsTags
                ? made.replacing(#/,"etag":"W/\\"[0-9]+\\""/#, with: "") : made
            return text(201, "application/json", "{\"d\":\(told)}")
        case "MERGE" where state.habits.updates.contains(method),
            "PATCH" where state.habits.updates.contains(method),
            "PUT" where state.habits.updates.contains(method):
            guard let id = number(path), let version = state.versions[id] else {
                return refused(404, "no")
            }
            guard isMet(tag, version, state) else { return refused(412, "changed") }
            state.titles[id] = title
            state.versions[id] = version + 1
            state.effects.append("\(method.lowercased()) \(title ?? "")")
            var headers: HeaderFields = ["DataServiceVersion": "2.0"]
            if !state.habits.keepsTags { headers["ETag"] = "W/\"\(version + 1)\"" }
            return ResponseMessage(status: 204, headers: headers)
        case "DELETE":
            guard let id = number(path), let version = state.versions[id] else {
                return refused(404, "no")
            }
            guard isMet(tag, version, state) else { return refused(412, "changed") }
            state.titles[id] = nil
            state.versions[id] = nil
            state.effects.append("delete \(id)")
            return ResponseMessage(status: 204, headers: ["DataServiceVersion": "2.0"])
        default:
            var refusal = refused(405, "not here")
            if state.habits.allows {
                let methods = ["GET", "DELETE"] + state.habits.updates
                refusal.headers["Allow"] = methods.joined(separator: ", ")
            }
            return refusal
        }
    }

    private static func isMet(_ tag: String?, _ version: Int, _ state: State) -> Bool {
        tag == nil ? state.habits.takesUntagged : tag == "W/\"\(version)\""
    }

    /// Reads the parts by hand; a change outside of a change set refuses the whole batch.
    private static func batch(_ request: RequestMessage, _ state: inout State) -> ResponseMessage {
        let text = String(decoding: request.body, as: UTF8.self)
        guard let boundary = request.headers["Content-Type"]?.split(separator: "boundary=").last
        else { return refused(400, "no boundary") }
        var answer = ""
        for part in text.split(separator: "--\(boundary)\r\n").map(String.init) {
            guard part.hasPrefix("Content-Type: multipart/mixed") else {
                return refused(400, "a change outside of a change set")
            }
            let lines = part.split(separator: "\r\n", omittingEmptySubsequences: false)
            guard let place = lines.firstIndex(where: { $0.hasSuffix("HTTP/1.1") }) else {
                return refused(400, "no request")
            }
            let words = lines[place].split(separator: " ")
            let tag = lines.first { $0.lowercased().hasPrefix("if-match:") }?.dropFirst(10)
            let id = lines.first { $0.hasPrefix("Content-ID:") }?.dropFirst(12) ?? ""
            let one = write(
                String(words[0]), String(words[1]), tag.map(String.init),
                String(lines.last { $0.hasPrefix("{") } ?? ""), &state)
            let message = httpText(one)
            let head = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
            answer +=
                one.status >= 400
                ? "--r\r\n\(head)\r\n\(message)\r\n"
                : "--r\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\(head)"
                    + "Content-ID: \(id)\r\n\r\n\(message)\r\n--c--\r\n"
        }
        return Self.text(202, "multipart/mixed; boundary=r", answer + "--r--\r\n")
    }

    private static func httpText(_ answer: ResponseMessage) -> String {
        let fields = answer.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return
            "HTTP/1.1 \(answer.status) S\r\n\(fields)Content-Length: \(answer.body.count)\r\n\r\n"
            + String(decoding: answer.body, as: UTF8.self)
    }
}
