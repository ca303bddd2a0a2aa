import Foundation

/// OData 4.0 in JSON: one request to one answer.
struct V4Face {
    let request: StrictRequest
    let root: String

    init(_ request: StrictRequest, host: String) {
        self.request = request
        root = "http://" + host + StrictCore.root
    }

    static func error(_ refusal: Refusal) -> StrictAnswer {
        .json(
            [
                "error": [
                    "code": "\(refusal.status)", "message": "\(refusal.reason) (\(refusal.clause))",
                ]
            ],
            status: refusal.status, [("OData-Version", "4.0")])
    }

    /// The answer, or where it will be when the client asked for that (Protocol 4.01, 8.2.9.8).
    func answer(_ state: inout StrictCore.State) throws(Refusal) -> StrictAnswer {
        let path = request.path.dropFirst(StrictCore.root.count)
        if path.hasPrefix("monitor-"), let number = Int(path.dropFirst(8)) {
            return try state.monitors.look(number)
        }
        try HeaderRules.checkVersions(request)
        if request.method == "GET", !request.body.isEmpty {
            throw Refusal(400, "RFC 9110, 9.3.1", "a GET with a body")
        }
        var answer: StrictAnswer
        do throws(Refusal) {
            answer = try route(path, &state)
        } catch {
            state.refusals.append(error)
            answer = Self.error(error)
        }
        if !answer.headers.contains(where: { $0.0 == "OData-Version" }) {
            answer.headers.append(("OData-Version", "4.0"))
        }
        let isAsynchronous = request.preferences.contains { $0.hasPrefix("respond-async") }
        return isAsynchronous ? state.monitors.accept(answer, root: root) : answer
    }

    private func route(
        _ path: Substring, _ state: inout StrictCore.State
    ) throws(Refusal) -> StrictAnswer {
        if path == "$metadata" {
            try HeaderRules.checkAccept(request, types: ["application/xml"])
            return .text(V4Metadata.text, "application/xml")
        }
        if path == "$batch" { return try JSONBatchRunner(face: self).run(&state) }
        var segments: [PathSegment] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try PathSegment(part))
        }
        guard let first = segments.first, !first.name.isEmpty else { return serviceDocument() }
        let rest = Array(segments.dropFirst())
        switch first.name {
        case "Tools": return try ToolResource(face: self, rest: rest).answer(first, &state.workshop)
        case "Photos":
            return try PhotoResource(face: self, rest: rest).answer(first, &state.workshop)
        case "Members": return try members(first, &state.workshop)
        default: return try Operations(face: self).unbound(first, &state.workshop)
        }
    }

    private func serviceDocument() -> StrictAnswer {
        let sets = ["Tools", "Members", "Photos"].map {
            ["name": $0, "kind": "EntitySet", "url": $0]
        }
        return .json(["@odata.context": root + "$metadata", "value": sets])
    }

    private func members(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        if request.method == "POST", !segment.hasParentheses { return try newMember(&workshop) }
        try checkRead()
        guard segment.hasParentheses else {
            return list(
                "Members",
                workshop.members.sorted { $0.key < $1.key }.map {
                    ["Id": $0.key, "Name": $0.value]
                })
        }
        let key = try segment.key()
        guard let name = workshop.members[key] else { throw missing("Members(\(key))") }
        return entity("Members", ["Id": key, "Name": name], tag: nil)
    }

    private func newMember(_ workshop: inout Workshop) throws(Refusal) -> StrictAnswer {
        try HeaderRules.checkJSONBody(request)
        let body = try JSONText.object(request.body, "Protocol 4.01, 11.4.2")
        guard Set(body.keys) == ["Id", "Name"], let key = body["Id"] as? Int,
            let name = body["Name"] as? String
        else {
            throw Refusal(400, "Protocol 4.01, 11.4.2", "a member has an Id and a Name")
        }
        guard workshop.members[key] == nil else {
            throw Refusal(409, "Protocol 4.01, 11.4.2", "Members(\(key)) is there")
        }
        workshop.members[key] = name
        workshop.effects.append("create Members(\(key))")
        return entity("Members", ["Id": key, "Name": name], tag: nil, status: 201)
    }

    // MARK: What resources share

    /// - Throws: what a read of JSON may be refused for.
    func checkRead(_ options: Set<String> = []) throws(Refusal) {
        guard request.method == "GET" else {
            throw Refusal(405, "Protocol 4.01, 9.3.2", "\(request.method) \(request.path)")
        }
        try HeaderRules.checkAccept(request, types: ["application/json"])
        for (name, _) in request.options where name.hasPrefix("$") && !options.contains(name) {
            throw Refusal(501, "Protocol 4.01, 9.3.1", "query option \(name)")
        }
    }

    func missing(_ what: String) -> Refusal {
        Refusal(404, "Protocol 4.01, 9.2.4", "\(what) is not there")
    }

    func list(_ set: String, _ rows: [[String: Any]]) -> StrictAnswer {
        .json(["@odata.context": root + "$metadata#" + set, "value": rows])
    }

    func entity(
        _ set: String, _ values: [String: Any], tag: String?, status: Int = 200
    ) -> StrictAnswer {
        var values = values
        values["@odata.context"] = "\(root)$metadata#\(set)/$entity"
        var headers = tag.map { [("ETag", $0)] } ?? []
        if status == 201, let id = values["Id"] {
            headers.append(("Location", "\(root)\(set)(\(id))"))
        }
        return .json(values, status: status, headers)
    }

    /// `{"@odata.context": …, "value": …}` of a type; null is 204 (Protocol 4.01, 11.5.4).
    func value(_ value: Any?, of type: String) -> StrictAnswer {
        guard let value else { return .nothing }
        return .json(["@odata.context": root + "$metadata#" + type, "value": value])
    }
}
