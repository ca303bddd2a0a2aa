import Foundation

/// `Tools` and what lies below: entities with tags, a stream property, bound operations.
struct ToolResource {
    let face: V4Face
    let rest: [PathSegment]

    func answer(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        guard segment.hasParentheses else { return try collection(&workshop) }
        let key = try segment.key()
        guard let tool = workshop.tools[key] else { throw face.missing("Tools(\(key))") }
        guard let next = rest.first else { return try entity(tool, &workshop) }
        if next.name == "Manual" { return try manual(tool, &workshop) }
        if next.name == "Owner" { return try owner(tool, &workshop) }
        return try Operations(face: face).bound(next, to: tool, &workshop)
    }

    static func json(_ tool: Workshop.Tool) -> [String: Any] {
        var values: [String: Any] = [
            "@odata.etag": tool.tag, "Id": tool.id, "Title": tool.title ?? NSNull(),
            "Price": tool.price.map { NSDecimalNumber(string: $0) } ?? NSNull(),
            "OwnerId": tool.ownerID ?? NSNull(),
            "Size": tool.height.map { ["Height": $0] } ?? NSNull(),
            "Manual@odata.mediaReadLink": "Tools(\(tool.id))/Manual",
            "Manual@odata.mediaEditLink": "Tools(\(tool.id))/Manual",
        ]
        if let manual = tool.manual {
            values["Manual@odata.mediaContentType"] = manual.type
            values["Manual@odata.mediaEtag"] = manual.tag
        }
        return values
    }

    private func collection(_ workshop: inout Workshop) throws(Refusal) -> StrictAnswer {
        if let next = rest.first {
            return try Operations(face: face).bound(next, toAll: workshop)
        }
        guard face.request.method == "POST" else {
            try face.checkRead(["$count"])
            return face.list(
                "Tools", workshop.tools.values.sorted { $0.id < $1.id }.map(Self.json))
        }
        try HeaderRules.checkJSONBody(face.request)
        var tool = Workshop.Tool(id: workshop.newKey())
        try Self.apply(face.request.body, to: &tool)
        workshop.tools[tool.id] = tool
        workshop.effects.append("create Tools(\(tool.id))")
        return face.entity("Tools", Self.json(tool), tag: tool.tag, status: 201)
    }

    private func entity(
        _ tool: Workshop.Tool, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        var tool = tool
        switch face.request.method {
        case "PATCH":
            try HeaderRules.checkJSONBody(face.request)
            try HeaderRules.checkTag(face.request, tool.tag)
            try Self.apply(face.request.body, to: &tool)
            tool.version += 1
            workshop.tools[tool.id] = tool
            workshop.effects.append("update Tools(\(tool.id))")
            return StrictAnswer(status: 204, headers: [("ETag", tool.tag)])
        case "DELETE":
            try HeaderRules.checkTag(face.request, tool.tag)
            workshop.tools[tool.id] = nil
            workshop.effects.append("delete Tools(\(tool.id))")
            return .nothing
        default:
            try face.checkRead()
            return face.entity("Tools", Self.json(tool), tag: tool.tag)
        }
    }

    /// - Throws: 400 for a property that is not declared, or a value of another type (Protocol 4.01, 11.4.2 and 11.4.3).
    static func apply(_ body: [UInt8], to tool: inout Workshop.Tool) throws(Refusal) {
        for (name, value) in try JSONText.object(body, "Protocol 4.01, 11.4.2") {
            let isNull = value is NSNull
            switch name {
            case "Id": continue  // keys of the service are its own (11.4.2)
            case "Title" where isNull || value is String: tool.title = value as? String
            case "Price" where isNull || value is NSNumber:
                tool.price = (value as? NSNumber)?.stringValue
            case "OwnerId" where isNull || value is Int: tool.ownerID = value as? Int
            case "Size" where isNull: tool.height = nil
            case "Size":
                guard let size = value as? [String: Any], Set(size.keys).isSubset(of: ["Height"])
                else {
                    throw Refusal(400, "JSON Format 4.01, 7.2", "Size has a Height")
                }
                tool.height = size["Height"] as? Int
            case _ where name.contains("@odata.bind") && name.hasPrefix("Owner"):
                guard let link = value as? String, let open = link.lastIndex(of: "("),
                    let key = Int(link[link.index(after: open)...].dropLast())
                else { throw Refusal(400, "JSON Format 4.0, 8.5", "a link to a member") }
                tool.ownerID = key
            default:
                throw Refusal(
                    400, "Protocol 4.01, 11.4.2", "\(name) with this value is not declared")
            }
        }
    }

    /// The link to a member (Protocol 4.01, 11.4.6.3).
    private func owner(
        _ tool: Workshop.Tool, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        guard rest.count == 2, rest[1].name == "$ref", face.request.method == "PUT" else {
            throw Refusal(405, "Protocol 4.01, 11.4.6", face.request.line)
        }
        try HeaderRules.checkJSONBody(face.request)
        let body = try JSONText.object(face.request.body, "Protocol 4.01, 11.4.6.1")
        guard let link = body["@odata.id"] as? String, let open = link.lastIndex(of: "("),
            let key = Int(link[link.index(after: open)...].dropLast())
        else { throw Refusal(400, "Protocol 4.01, 11.4.6.1", "\(body) is no reference") }
        guard workshop.members[key] != nil else { throw face.missing("Members(\(key))") }
        workshop.tools[tool.id]?.ownerID = key
        workshop.effects.append("link Tools(\(tool.id))/Owner to Members(\(key))")
        return .nothing
    }

    // MARK: The stream property (Protocol 4.01, 11.4.8)

    private func manual(
        _ tool: Workshop.Tool, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        var tool = tool
        let request = face.request
        switch request.method {
        case "GET":
            guard let manual = tool.manual else { return .nothing }
            return try ByteRanges.answer(manual, request)
        case "PUT":
            guard let type = request["Content-Type"] else {
                throw Refusal(400, "Protocol 4.01, 11.4.8.2", "content without a media type")
            }
            if let manual = tool.manual { try HeaderRules.checkTag(request, manual.tag) }
            let version = (tool.manual?.version ?? 0) + 1
            tool.manual = Workshop.Content(type: type, bytes: request.body, version: version)
            workshop.tools[tool.id] = tool
            workshop.effects.append("put Tools(\(tool.id))/Manual")
            return StrictAnswer(status: 204, headers: [("ETag", tool.manual?.tag ?? "")])
        case "DELETE":
            if let manual = tool.manual { try HeaderRules.checkTag(request, manual.tag) }
            tool.manual = nil
            workshop.tools[tool.id] = tool
            workshop.effects.append("delete Tools(\(tool.id))/Manual")
            return .nothing
        default:
            throw Refusal(405, "Protocol 4.01, 11.4.8", "\(request.method) of a stream")
        }
    }
}
