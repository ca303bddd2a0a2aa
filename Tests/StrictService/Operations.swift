import Foundation

/// Functions and actions, bound and unbound, with every kind of result (Protocol 4.01, 11.5).
struct Operations {
    let face: V4Face

    // MARK: Functions

    func unbound(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        if face.request.method == "POST" { return try action(segment, &workshop) }
        try face.checkRead()
        let arguments = try arguments(segment)
        switch segment.name {
        case "Total":
            try expect(arguments, ["ids"])
            let ids = arguments["ids"].flatMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8))
            }
            guard let ids = ids as? [Int] else {
                throw Refusal(
                    400, "URL Conventions 4.01, 5.1.1.14.2", "ids is a JSON array by an alias")
            }
            let prices = ids.compactMap { workshop.tools[$0]?.price }.map {
                NSDecimalNumber(string: $0)
            }
            return face.value(
                prices.reduce(NSDecimalNumber.zero) { $0.adding($1) }, of: "Edm.Decimal")
        case "Motto":
            try expect(arguments, [])
            return face.value(nil, of: "Edm.String")
        case "Sizes":
            try expect(arguments, [])
            let sizes = workshop.tools.values.compactMap(\.height).sorted().map { ["Height": $0] }
            return face.value(sizes, of: "Collection(Ws.Size)")
        case "Best":
            try expect(arguments, ["kind"])
            guard arguments["kind"] == "'it''s a saw'", let tool = workshop.tools[1] else {
                return .nothing
            }
            return face.entity("Tools", ToolResource.json(tool), tag: tool.tag)
        default: throw face.missing(segment.name)
        }
    }

    func bound(
        _ segment: PathSegment, to tool: Workshop.Tool, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        switch segment.name {
        case "Ws.Worth":
            try face.checkRead()
            let arguments = try arguments(segment)
            try expect(arguments, ["at"])
            guard arguments["at"] == "2031-05-01" else {
                throw Refusal(400, "ABNF, dateValue", "at is \(arguments["at"] ?? "")")
            }
            return face.value(tool.price.map { NSDecimalNumber(string: $0) }, of: "Edm.Decimal")
        case "Ws.Lend":
            return try lend(tool, &workshop)
        default: throw face.missing(segment.name)
        }
    }

    func bound(_ segment: PathSegment, toAll workshop: Workshop) throws(Refusal) -> StrictAnswer {
        guard segment.name == "Ws.Cheapest" else { throw face.missing(segment.name) }
        try face.checkRead()
        let arguments = try arguments(segment)
        try expect(arguments, ["count"])
        guard let count = arguments["count"].flatMap(Int.init) else {
            throw Refusal(400, "URL Conventions 4.01, 5.1.1.14", "count is an integer")
        }
        let tools = workshop.tools.values.sorted {
            Double($0.price ?? "0") ?? 0 < Double($1.price ?? "0") ?? 0
        }
        return face.list("Tools", tools.prefix(count).map(ToolResource.json))
    }

    /// Arguments with their aliases replaced (URL Conventions 4.01, 5.1.1.14.1).
    private func arguments(_ segment: PathSegment) throws(Refusal) -> [String: String] {
        var found: [String: String] = [:]
        for (name, value) in segment.arguments {
            guard value.hasPrefix("@") else {
                found[name] = value
                continue
            }
            guard let alias = face.request.options.first(where: { $0.name == value }) else {
                throw Refusal(400, "URL Conventions 4.01, 5.1.1.14.1", "\(value) has no value")
            }
            found[name] = alias.value
        }
        return found
    }

    private func expect(_ arguments: [String: String], _ names: Set<String>) throws(Refusal) {
        guard Set(arguments.keys) == names else {
            throw Refusal(
                400, "Protocol 4.01, 11.5.4.1",
                "expected \(names.sorted()), found \(arguments.keys.sorted())")
        }
    }

    // MARK: Actions

    /// The parameters of an action, which are its body; without parameters none, or an empty object (Protocol 4.01, 11.5.5.1).
    private func parameters(_ names: Set<String>) throws(Refusal) -> [String: Any] {
        guard face.request.method == "POST" else {
            throw Refusal(405, "Protocol 4.01, 11.5.5", "an action is invoked with POST")
        }
        if names.isEmpty, face.request.body.isEmpty { return [:] }
        try HeaderRules.checkJSONBody(face.request)
        let body = try JSONText.object(face.request.body, "Protocol 4.01, 11.5.5.1")
        guard Set(body.keys) == names else {
            throw Refusal(
                400, "Protocol 4.01, 11.5.5.1",
                "expected \(names.sorted()), found \(body.keys.sorted())")
        }
        return body
    }

    private func action(
        _ segment: PathSegment, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        guard !segment.hasParentheses else {
            throw Refusal(400, "Protocol 4.01, 11.5.5.1", "an action has no parentheses")
        }
        switch segment.name {
        case "Reset":
            _ = try parameters([])
            workshop.effects.append("Reset")
            return .nothing
        case "Recount":
            _ = try parameters(["words"])
            workshop.effects.append("Recount")
            return face.value(["one", "two"], of: "Collection(Edm.String)")
        case "Resize":
            let body = try parameters(["size"])
            guard let size = body["size"] as? [String: Any], Set(size.keys) == ["Height"] else {
                throw Refusal(400, "JSON Format 4.01, 18", "size is a Ws.Size")
            }
            workshop.effects.append("Resize \(size["Height"] ?? "")")
            return .json([
                "@odata.context": face.root + "$metadata#Ws.Size", "Height": size["Height"] ?? 0,
            ])
        default: throw face.missing(segment.name)
        }
    }

    /// Bound to an entity with a tag: If-Match counts where it is given (Protocol 4.01, 11.5.5.1).
    private func lend(
        _ tool: Workshop.Tool, _ workshop: inout Workshop
    ) throws(Refusal) -> StrictAnswer {
        let body = try parameters(["days"])
        guard body["days"] is Int else {
            throw Refusal(400, "Protocol 4.01, 11.5.5.1", "days is an integer")
        }
        if face.request["If-Match"] != nil { try HeaderRules.checkTag(face.request, tool.tag) }
        workshop.tools[tool.id]?.version += 1
        workshop.effects.append("Lend Tools(\(tool.id)) \(body["days"] ?? "")")
        let lent = workshop.tools[tool.id] ?? tool
        return face.entity("Tools", ToolResource.json(lent), tag: lent.tag)
    }
}
