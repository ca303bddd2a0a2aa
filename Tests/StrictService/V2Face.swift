import Foundation

/// OData 2.0: Atom where it is asked for first, verbose JSON elsewhere; function imports wrapped in their names.
struct V2Face {
    static let pageSize = 2

    let request: StrictRequest
    let root: String
    let isAtomOnly: Bool

    init(_ request: StrictRequest, host: String, isAtomOnly: Bool = false) {
        self.request = request
        self.isAtomOnly = isAtomOnly
        root = "http://" + host + StrictCore.root
    }

    static func error(_ refusal: Refusal) -> StrictAnswer {
        .json(
            [
                "error": [
                    "code": "\(refusal.status)",
                    "message": ["lang": "en", "value": "\(refusal.reason) (\(refusal.clause))"],
                ]
            ], status: refusal.status, [("DataServiceVersion", "1.0")])
    }

    func answer(_ state: inout StrictCore.State) throws(Refusal) -> StrictAnswer {
        try checkVersions()
        var answer = try route(&state.workshop)
        answer.headers.append(("DataServiceVersion", "2.0"))
        return answer
    }

    /// - Throws: 400 for headers of another protocol (V2 Overview, "Protocol Versioning").
    private func checkVersions() throws(Refusal) {
        for name in ["DataServiceVersion", "MaxDataServiceVersion"] {
            guard let text = request[name] else { continue }
            guard ["1.0", "2.0", "3.0"].contains(text.prefix(3)) else {
                throw Refusal(400, "V2 Overview, Protocol Versioning", "\(name): \(text)")
            }
        }
        if request["OData-Version"] != nil && request["DataServiceVersion"] == nil {
            throw Refusal(400, "V2 Overview, Protocol Versioning", "headers of V4 alone")
        }
    }

    private func route(_ workshop: inout Workshop) throws(Refusal) -> StrictAnswer {
        let path = request.path.dropFirst(StrictCore.root.count)
        if path == "$metadata" { return .text(V2Metadata.text, "application/xml") }
        if path == "$batch" { throw Refusal(501, "V2 Batch Processing", "there are no batches") }
        if path.isEmpty {
            try checkJSON("a service document")
            return .json(["d": ["EntitySets": ["Tools", "Members", "Photos"]]])
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let first = try PathSegment(parts[0])
        let rest = parts.dropFirst().first.map(String.init)
        switch first.name {
        case "Tools" where parts.count > 1 && request.method == "GET":
            return try V2Parts(face: self).read(
                parts.dropFirst().map(String.init), of: first, workshop)
        case "Tools": return try tools(first, &workshop)
        case "Members": return try members(workshop)
        case "Photos": return try photos(first, rest, &workshop)
        default: return try function(first, &workshop)
        }
    }

    // MARK: Forms

    /// True for Atom: the first range of `Accept` that the service can serve (RFC 9110, 12.5.1, without weights).
    func wantsAtom() throws(Refusal) -> Bool {
        for range in (request["Accept"] ?? "*/*").split(separator: ",") {
            let parts = range.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let isPlain = parts.dropFirst().allSatisfy {
                $0.hasPrefix("q=") || $0.hasPrefix("charset=") || $0.hasPrefix("type=")
                    || $0 == "odata=verbose"
            }
            guard isPlain else { continue }
            switch parts.first {
            case "application/atom+xml", "*/*", "application/*": return true
            case "application/json" where !isAtomOnly: return false
            default: continue
            }
        }
        throw Refusal(
            406, "V2 Operations, Content Negotiation", "Accept: \(request["Accept"] ?? "")")
    }

    /// - Throws: 406 where only JSON would say it.
    private func checkJSON(_ what: String) throws(Refusal) {
        guard isAtomOnly else { return }
        throw Refusal(406, "V2 Operations, Content Negotiation", what + " is JSON here")
    }

    /// - Throws: 415 for a body that is no Atom entry, where nothing else is read.
    private func checkEntry() throws(Refusal) {
        let type = request["Content-Type"] ?? "none"
        guard isAtomOnly, !type.hasPrefix("application/atom+xml") else { return }
        throw Refusal(415, "V2 Operations, Content Negotiation", "Content-Type: \(type)")
    }

    func feed(
        _ set: String, _ entries: [AtomText.Entry], _ links: [(String, String)] = [],
        removed: [Int] = []
    ) throws(Refusal) -> StrictAnswer {
        if try wantsAtom() {
            return .text(
                AtomText(root: root).feed(set, entries, links, removed: removed),
                "application/atom+xml;type=feed;charset=utf-8")
        }
        var body: [String: Any] = ["results": entries.map { $0.json(root) }]
        for (relation, target) in links { body["__" + relation] = target }
        return .json(["d": body])
    }

    func single(_ entry: AtomText.Entry, status: Int = 200) throws(Refusal) -> StrictAnswer {
        var headers = entry.tag.map { [("ETag", $0)] } ?? []
        if status == 201 { headers.append(("Location", root + entry.path)) }
        if try wantsAtom() {
            return .text(
                AtomText(root: root).document(entry),
                "application/atom+xml;type=entry;charset=utf-8",
                status: status, headers)
        }
        return .json(["d": entry.json(root)], status: status, headers)
    }

    // MARK: Sets

    private func tools(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        if segment.hasParentheses { return try tool(segment.key(), &workshop) }
        guard request.method == "GET" else {
            try checkEntry()
            throw Refusal(405, "V2 Operations", "\(request.method) Tools")
        }
        var known: Set<String> = ["$skiptoken", "!deltatoken", "$format", "$inlinecount"]
        if workshop.ignoresExpand { known.insert("$expand") }
        for (name, _) in request.options where !known.contains(name) {
            throw Refusal(501, "V2 URI Conventions, 4", "query option \(name)")
        }
        let all = workshop.tools.values.sorted { $0.id < $1.id }.map(AtomText.Entry.init)
        let delta = ("delta", root + "Tools?!deltatoken='\(workshop.effects.count)'")
        if request.options.contains(where: { $0.name == "!deltatoken" }) {
            return try feed("Tools", all, [delta], removed: workshop.removed)
        }
        let token = request.options.first { $0.name == "$skiptoken" }
        let start = token.flatMap { Int($0.value) } ?? 0
        let page = Array(all.dropFirst(start).prefix(Self.pageSize))
        let next = start + page.count
        let link = next < all.count ? ("next", "Tools?$skiptoken=\(next)") : delta
        return try feed("Tools", page, [link])
    }

    private func tool(_ key: Int, _ workshop: inout Workshop) throws(Refusal) -> StrictAnswer {
        guard var tool = workshop.tools[key] else {
            throw Refusal(404, "V2 Operations", "Tools(\(key)) is not there")
        }
        switch request.method {
        case "GET": return try single(AtomText.Entry(tool))
        case "MERGE":
            try checkEntry()
            try HeaderRules.checkJSONBody(request)
            try HeaderRules.checkTag(request, tool.tag)
            let body = try JSONText.object(request.body, "V2 JSON Format, 9")
            guard
                Set(body.keys).isSubset(of: [
                    "Title", "Price", "Size", "OwnerId", "Watts", "__metadata",
                ])
            else {
                throw Refusal(400, "V2 Operations", "undeclared: \(body.keys.sorted())")
            }
            if let title = body["Title"] { tool.title = title as? String }
            tool.version += 1
            workshop.tools[key] = tool
            workshop.effects.append("update Tools(\(key))")
            return StrictAnswer(status: 204, headers: [("ETag", tool.tag)])
        case "DELETE":
            try HeaderRules.checkTag(request, tool.tag)
            workshop.tools[key] = nil
            workshop.removed.append(key)
            workshop.effects.append("delete Tools(\(key))")
            return .nothing
        default: throw Refusal(405, "V2 Operations", "\(request.method) Tools(\(key))")
        }
    }

    private func members(_ workshop: Workshop) throws(Refusal) -> StrictAnswer {
        guard request.method == "GET" else {
            try checkEntry()
            throw Refusal(405, "V2 Operations", "\(request.method) Members")
        }
        return try feed(
            "Members",
            workshop.members.sorted { $0.key < $1.key }.map {
                AtomText.Entry(member: $0.key, $0.value)
            })
    }

    /// A media entity is created from its content (V2 Operations, "Creating Media Link Entries").
    private func photos(
        _ segment: PathSegment, _ rest: String?, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        guard segment.hasParentheses else {
            guard request.method == "POST" else {
                return try feed(
                    "Photos",
                    workshop.photos.values.sorted { $0.id < $1.id }.map(AtomText.Entry.init))
            }
            guard request["Content-Type"]?.hasPrefix("image/") == true else {
                throw Refusal(
                    415, "V2 Operations, Creating Media Link Entries",
                    "found \(request["Content-Type"] ?? "no type")")
            }
            let photo = Workshop.Photo(
                id: workshop.newKey(), name: nil,
                content: Workshop.Content(type: request["Content-Type"] ?? "", bytes: request.body))
            workshop.photos[photo.id] = photo
            workshop.effects.append("create Photos(\(photo.id))")
            return try single(AtomText.Entry(photo), status: 201)
        }
        let key = try segment.key()
        guard var photo = workshop.photos[key] else {
            throw Refusal(404, "V2 Operations", "Photos(\(key)) is not there")
        }
        switch (request.method, rest) {
        case ("GET", "$value"): return try ByteRanges.answer(photo.content, request)
        case ("GET", nil): return try single(AtomText.Entry(photo))
        case ("MERGE", nil):
            try HeaderRules.checkTag(request, photo.tag)
            let body = try JSONText.object(request.body, "V2 JSON Format, 9")
            photo.name = body["Name"] as? String
            photo.version += 1
            workshop.photos[key] = photo
            workshop.effects.append("update Photos(\(key))")
            return StrictAnswer(status: 204, headers: [("ETag", photo.tag)])
        default: throw Refusal(405, "V2 Operations", request.line)
        }
    }

    // MARK: Functions

    /// Results stand under the function's name, collections under `results` (V2 JSON Format, 6 to 8).
    private func function(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        let isPost = segment.name == "Resize"
        guard request.method == (isPost ? "POST" : "GET") else {
            throw Refusal(405, "CSDL 2.0, m:HttpMethod", request.line)
        }
        guard request.body.isEmpty, !segment.hasParentheses else {
            throw Refusal(
                400, "V2 Operations, Invoking Service Operations", "parameters are query options")
        }
        var arguments: [String: String] = [:]
        for (name, value) in request.options where !name.hasPrefix("$") { arguments[name] = value }
        guard segment.name != "Best" else {
            guard let tool = workshop.tools[3] else { return .nothing }
            return try single(AtomText.Entry(tool))
        }
        if try wantsAtom() {
            throw Refusal(
                406, "V2 Operations, Content Negotiation", "results of functions are JSON here")
        }
        switch segment.name {
        case "Count" where arguments["kind"] == "'it''s'":
            return .json(["d": ["Count": workshop.tools.count]])
        case "Motto": return .json(["d": ["Motto": NSNull()]])
        case "Words": return .json(["d": ["results": ["one", "two"]]])
        case "Lost": return .nothing
        case "Worst":
            let tool = workshop.tools[2].map { AtomText.Entry($0).json(root) as Any }
            return .json(["d": ["Worst": tool ?? NSNull()]])
        case "Cheap":
            let tools = workshop.tools.values.sorted { $0.id < $1.id }.prefix(2)
            let rows = tools.map { AtomText.Entry($0).json(root) }
            return .json(["d": ["Cheap": ["results": rows]]])
        case "Sizes": return .json(["d": ["Sizes": ["results": [["Height": 1], ["Height": 2]]]]])
        case "Resize" where Int(arguments["height"] ?? "") != nil:
            workshop.effects.append("Resize \(arguments["height"] ?? "")")
            let size: [String: Any] = [
                "__metadata": ["type": "Ws.Size"], "Height": Int(arguments["height"] ?? "") ?? 0,
            ]
            return .json(["d": ["Resize": size]])
        default:
            throw Refusal(404, "V2 URI Conventions, 3.3", "\(request.target)")
        }
    }
}
