import Foundation

/// Batches in JSON: ids, groups, dependencies, conditions and references (JSON Format 4.01, 19).
struct JSONBatchRunner {
    let face: V4Face

    private static let clause = "JSON Format 4.01, 19.1"

    func run(_ state: inout StrictCore.State) throws(Refusal) -> StrictAnswer {
        guard face.request.method == "POST" else {
            throw Refusal(405, "Protocol 4.01, 11.7", "\(face.request.method) $batch")
        }
        for name in ["If-Match", "If-None-Match", "Repeatability-Request-ID"]
        where face.request[name] != nil {
            throw Refusal(400, "Protocol 4.01, 11.7.1", "\(name) on a batch")
        }
        try HeaderRules.checkJSONBody(face.request)
        let body = try JSONText.object(face.request.body, Self.clause)
        guard let items = body["requests"] as? [[String: Any]] else {
            throw Refusal(400, Self.clause, "requests is an array of objects")
        }
        try checkIDs(items)
        var answers: [[String: Any]] = []
        var done = Done()
        var index = 0
        while index < items.count {
            let group = items[index]["atomicityGroup"] as? String
            var end = index + 1
            while let group, end < items.count, items[end]["atomicityGroup"] as? String == group {
                end += 1
            }
            answers += run(Array(items[index..<end]), group, &done, &state)
            index = end
        }
        return .json(["responses": answers])
    }

    /// What became of requests and groups so far.
    private struct Done {
        var statuses: [String: Int] = [:]
        var locations: [String: String] = [:]
        var bodies: [String: [String: Any]] = [:]
        /// Nothing more is carried out.
        var isOver = false
    }

    /// - Throws: 400 for ids that are missing, doubled or used before they are there, and groups that are torn apart.
    private func checkIDs(_ items: [[String: Any]]) throws(Refusal) {
        var seen: Set<String> = []
        var last: String?
        for item in items {
            guard let id = item["id"] as? String, seen.insert(id).inserted else {
                throw Refusal(400, Self.clause, "each request has an id of its own")
            }
            let known: Set<String> = [
                "id", "method", "url", "headers", "body", "atomicityGroup", "dependsOn", "if",
            ]
            guard known.isSuperset(of: item.keys), item["method"] is String,
                let url = item["url"] as? String
            else {
                throw Refusal(
                    400, Self.clause, "request \(id) has the members \(item.keys.sorted())")
            }
            if let group = item["atomicityGroup"] as? String, group != last {
                guard seen.insert(group).inserted else {
                    throw Refusal(400, Self.clause, "the group \(group) is torn apart")
                }
            }
            last = item["atomicityGroup"] as? String
            let needed = item["dependsOn"] as? [String] ?? []
            for name in needed where !seen.contains(name) || name == id {
                throw Refusal(400, Self.clause, "\(id) depends on \(name), which is not before it")
            }
            let references = (url.hasPrefix("$metadata") ? [] : [url]) + Self.links(item["body"])
            for name in references.compactMap(Self.reference) where !needed.contains(name) {
                throw Refusal(
                    400, Self.clause, "\(id) refers to \(name) without depending on it")
            }
        }
    }

    /// The id that a URL refers to (Protocol 4.01, 11.7.3.1).
    private static func reference(_ url: String) -> String? {
        url.hasPrefix("$") ? String(url.dropFirst().prefix { $0 != "/" }) : nil
    }

    /// The links that a body makes (JSON Format 4.0, 8.5; 4.01, 14).
    private static func links(_ body: Any?) -> [String] {
        (body as? [String: Any] ?? [:]).filter { isLink($0.key) }.compactMap { $0.value as? String }
    }

    private static func isLink(_ name: String) -> Bool {
        name.hasSuffix("@odata.bind") || name == "@odata.id"
    }

    /// A body with the places of what its links refer to.
    private func resolved(_ body: Any, _ done: Done) -> Any {
        guard var members = body as? [String: Any] else { return body }
        for (name, value) in members where Self.isLink(name) {
            guard let url = value as? String, let id = Self.reference(url),
                let location = done.locations[id]
            else { continue }
            members[name] = location + url.dropFirst(id.count + 1)
        }
        return members
    }

    private func run(
        _ items: [[String: Any]], _ group: String?, _ done: inout Done,
        _ state: inout StrictCore.State
    ) -> [[String: Any]] {
        let before = state.workshop
        var answers: [[String: Any]] = []
        var failed = false
        for item in items {
            let id = item["id"] as? String ?? ""
            var answer =
                failed || done.isOver ? Self.failedDependency : run(item, &done, &state)
            done.statuses[id] = answer["status"] as? Int ?? 0
            failed = failed || group != nil && (done.statuses[id] ?? 0) >= 400
            answer["id"] = id
            if let group { answer["atomicityGroup"] = group }
            answers.append(answer)
        }
        if failed {
            // All or nothing (19.1, atomicityGroup).
            state.workshop = before
            answers = answers.map { answer in
                var answer = answer
                if (answer["status"] as? Int ?? 0) < 400 {
                    answer["status"] = 424
                    answer["body"] = nil
                }
                return answer
            }
        }
        if let group { done.statuses[group] = failed ? 424 : 200 }
        let hasFailed = answers.contains { ($0["status"] as? Int ?? 0) >= 400 }
        done.isOver = done.isOver || hasFailed && state.workshop.endsBatchesAtFailures
        return answers
    }

    private static var failedDependency: [String: Any] { ["status": 424] }

    private func run(
        _ item: [String: Any], _ done: inout Done, _ state: inout StrictCore.State
    ) -> [String: Any] {
        let needed = item["dependsOn"] as? [String] ?? []
        guard needed.allSatisfy({ (done.statuses[$0] ?? 500) < 400 }) else {
            return Self.failedDependency
        }
        if let condition = item["if"] as? String, !holds(condition, done) {
            return Self.failedDependency
        }
        var url = item["url"] as? String ?? ""
        if url.hasPrefix("$"),
            let location = done.locations[String(url.dropFirst().prefix { $0 != "/" })]
        {
            url = location + url.dropFirst().drop { $0 != "/" }
        }
        if url.hasPrefix(face.root) { url.removeFirst(face.root.count) }
        if url.hasPrefix(StrictCore.root) { url.removeFirst(StrictCore.root.count) }
        var inner = StrictRequest(
            method: (item["method"] as? String ?? "").uppercased(), target: StrictCore.root + url)
        for (name, value) in item["headers"] as? [String: String] ?? [:] {
            inner.headers.append((name, value))
        }
        if let body = item["body"] { inner.body = JSONText.bytes(resolved(body, done)) }
        let answer: StrictAnswer
        do throws(Refusal) {
            answer = try V4Face(inner, host: face.request["Host"] ?? "").answer(&state)
        } catch {
            state.refusals.append(error)
            answer = V4Face.error(error)
        }
        return json(of: answer, item["id"] as? String ?? "", &done)
    }

    private func json(of answer: StrictAnswer, _ id: String, _ done: inout Done) -> [String: Any] {
        var headers: [String: String] = [:]
        for (name, value) in answer.headers { headers[name.lowercased()] = value }
        var result: [String: Any] = ["status": answer.status, "headers": headers]
        if let body = try? JSONText.object(answer.body, Self.clause) {
            result["body"] = body
            done.bodies[id] = body
        }
        done.locations[id] = headers["location"]
        return result
    }

    /// `$id/Property eq literal`: as much of a condition as the tests ask for (19.1, `if`).
    private func holds(_ condition: String, _ done: Done) -> Bool {
        let words = condition.split(separator: " ", maxSplits: 2)
        let path = words.first?.dropFirst().split(separator: "/") ?? []
        guard words.count == 3, words[1] == "eq", path.count == 2,
            let value = done.bodies[String(path[0])]?[String(path[1])]
        else { return false }
        let literal = words[2].hasPrefix("'") ? words[2].dropFirst().dropLast() : words[2]
        return "\(value)" == literal
    }
}
