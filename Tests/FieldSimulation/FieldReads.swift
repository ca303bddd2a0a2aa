import ODataQuery
import ODataText

/// Reads of the service in memory: rows, pages, next links and deltas.
struct FieldReads {
    let service: FieldService

    init(_ service: FieldService) { self.service = service }

    private var traits: FieldTraits { service.traits }

    func serviceDocument() -> ResponseMessage {
        let names = service.model.sets.keys.sorted()
        let list = names.map {
            traits.isV2
                ? "\"\($0)\"" : "{\"name\":\"\($0)\",\"kind\":\"EntitySet\",\"url\":\"\($0)\"}"
        }.joined(separator: ",")
        return json(
            traits.isV2
                ? "{\"d\":{\"EntitySets\":[\(list)]}}"
                : "{\"@odata.context\":\"\(FieldService.root)$metadata\",\"value\":[\(list)]}")
    }

    func row(_ set: String, _ key: FieldKey) throws(FieldRefusal) -> ResponseMessage {
        guard let row = service.rows[set]?[key] else {
            throw FieldRefusal(404, "\(set)(\(key)) is not there")
        }
        return single(row)
    }

    /// One row as an answer.
    func single(_ row: FieldRow, status: Int = 200) -> ResponseMessage {
        let text =
            traits.isV2
            ? "{\"d\":\(self.text(row))}"
            : self.text(row, context: "\(row.set)/$entity")
        var answer = json(text, status: status)
        if traits.hasTags { answer.headers["ETag"] = row.tag }
        if status == 201 { answer.headers["Location"] = url(row.set, row.key) }
        return answer
    }

    func url(_ set: String, _ key: FieldKey) -> String { FieldService.root + "\(set)(\(key))" }

    // MARK: Pages

    /// How many rows there are, as plain text.
    func count(_ set: String, _ target: FieldTarget) throws(FieldRefusal) -> ResponseMessage {
        let filter = try target.options["$filter"].map { text throws(FieldRefusal) in
            try FieldFilter(text)
        }
        let rows = service.sorted(set).filter { filter?.takes($0) ?? true }
        return ResponseMessage(
            status: 200, headers: ["Content-Type": "text/plain"],
            body: Array("\(rows.count)".utf8))
    }

    func page(
        _ set: String, _ target: FieldTarget, _ request: RequestMessage
    ) throws(FieldRefusal) -> ResponseMessage {
        for name in target.options.keys
        where !["$filter", "$skiptoken", "$deltatoken", "!deltatoken", "$select"].contains(name) {
            throw FieldRefusal(501, "query option \(name)")
        }
        let text = target.options["$filter"]
        let filter = try text.map { text throws(FieldRefusal) in try FieldFilter(text) }
        let token = target.options["$deltatoken"] ?? target.options["!deltatoken"]
        if let token {
            let bare = token.filter { $0 != "'" }
            return try delta(set, bare, text, filter)
        }
        let prefers = request.headers["Prefer"]?.contains("track-changes") == true
        var start = (tracked: traits.hasDeltas && (traits.isV2 || prefers), behind: FieldKey?.none)
        var sequence = service.changes.count
        if let skip = target.options["$skiptoken"] {
            let parts = skip.split(separator: ".", maxSplits: 2)
            guard parts.count == 3, let number = Int(parts[1]), let key = FieldKey(parts[2]) else {
                throw FieldRefusal(400, "no skip token: \(skip)")
            }
            start = (parts[0] == "t", key)
            sequence = number
        }
        let rows = service.sorted(set).filter { row in
            (start.behind.map { $0 < row.key } ?? true) && (filter?.takes(row) ?? true)
        }
        let page = rows.prefix(traits.pageSize)
        for row in page { service.deliver(row) }
        // `$select=Key` is all that is ever selected.
        let selected = target.options["$select"]
        let suffix =
            (text.map { "&$filter=" + PercentCoding.encode($0, for: .query) } ?? "")
            + (selected.map { "&$select=" + $0 } ?? "")
        let isLast = page.count == rows.count
        var link: String?
        if !isLast, let last = page.last {
            let key = PercentCoding.encode("\(last.key)", for: .query)
            link =
                "\(FieldService.root)\(set)?$skiptoken=\(start.tracked ? "t" : "u").\(sequence).\(key)"
                + suffix
        } else if start.tracked {
            link = deltaLink(set, sequence, suffix)
        }
        var answer = list(set, page.map { self.text($0, only: selected) }, link, isLast: isLast)
        if start.tracked, !traits.isV2 {
            answer.headers["Preference-Applied"] = "odata.track-changes"
        }
        return answer
    }

    private func deltaLink(_ set: String, _ sequence: Int, _ suffix: String) -> String {
        FieldService.root + set
            + (traits.isV2 ? "?!deltatoken='\(sequence)'" : "?$deltatoken=\(sequence)") + suffix
    }

    /// What has changed since a token: `FROM`, or `FROM.UPTO.OFFSET` for a further page.
    private func delta(
        _ set: String, _ token: String, _ text: String?, _ filter: FieldFilter?
    ) throws(FieldRefusal) -> ResponseMessage {
        let parts = token.split(separator: ".").compactMap { Int($0) }
        guard let from = parts.first, parts.count == 1 || parts.count == 3,
            from <= service.changes.count
        else { throw FieldRefusal(400, "no delta token: \(token)") }
        guard service.changes.count - from <= traits.deltaMemory else {
            throw FieldRefusal(410, "the delta token is too old")
        }
        let end = parts.count == 3 ? parts[1] : service.changes.count
        let offset = parts.count == 3 ? parts[2] : 0
        var keys: [FieldKey] = []
        for change in service.changes[from..<end]
        where change.set == set && !keys.contains(change.key) {
            keys.append(change.key)
        }
        let page = keys.dropFirst(offset).prefix(traits.pageSize)
        let entries = page.map { key in
            guard let row = service.rows[set]?[key], filter?.takes(row) ?? true else {
                return removed(set, key)
            }
            service.deliver(row)
            return self.text(row)
        }
        let suffix = text.map { "&$filter=" + PercentCoding.encode($0, for: .query) } ?? ""
        let next = offset + page.count
        guard next < keys.count else {
            return list(set, entries, deltaLink(set, end, suffix), isLast: true, isDelta: true)
        }
        let more = "\(from).\(end).\(next)"
        let link =
            FieldService.root + set
            + (traits.isV2 ? "?!deltatoken='\(more)'" : "?$deltatoken=\(more)") + suffix
        return list(set, entries, link, isLast: false, isDelta: true)
    }

    /// JSON Format 4.0, section 14.2; Olingo writes the same into V2, which knows no reasons.
    private func removed(_ set: String, _ key: FieldKey) -> String {
        let reason = service.rows[set]?[key] == nil ? "deleted" : "changed"
        return
            "{\"@odata.context\":\"$metadata#\(set)/$deletedEntity\",\"id\":\"\(url(set, key))\""
            + (traits.isV2 ? "}" : ",\"reason\":\"\(reason)\"}")
    }

    private func list(
        _ set: String, _ rows: [String], _ link: String?, isLast: Bool, isDelta: Bool = false
    ) -> ResponseMessage {
        let rows = rows.joined(separator: ",")
        guard !traits.isV2 else {
            let name = isLast ? "__delta" : "__next"
            let end = link.map { ",\"\(name)\":\"\($0)\"" } ?? ""
            return json("{\"d\":{\"results\":[\(rows)]\(end)}}")
        }
        let name = isLast ? "@odata.deltaLink" : "@odata.nextLink"
        let end = link.map { ",\"\(name)\":\"\($0)\"" } ?? ""
        let context = FieldService.root + "$metadata#\(set)" + (isDelta ? "/$delta" : "")
        return json("{\"@odata.context\":\"\(context)\",\"value\":[\(rows)]\(end)}")
    }

    // MARK: Payloads

    private func text(
        _ row: FieldRow, context: String? = nil, only selected: String? = nil
    ) -> String {
        var members: [String] = []
        if traits.isV2 {
            let url = url(row.set, row.key)
            let tag =
                traits.hasTags ? ",\"etag\":\(JSONValue.string(row.tag).text)" : ""
            members.append(
                "\"__metadata\":{\"id\":\"\(url)\",\"uri\":\"\(url)\",\"type\":\"F.\(row.set.dropLast())\"\(tag)}"
            )
        } else {
            if let context {
                members.append("\"@odata.context\":\"\(FieldService.root)$metadata#\(context)\"")
            }
            if traits.hasTags {
                members.append("\"@odata.etag\":\(JSONValue.string(row.tag).text)")
            }
        }
        members.append("\"Key\":\(row.key.json.text)")
        for property in service.model.sets[row.set] ?? []
        where selected?.split(separator: ",").contains(Substring(property.name)) ?? true {
            members.append("\"\(property.name)\":\((row.values[property.name] ?? .null).text)")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func json(_ text: String, status: Int = 200) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
}

/// `Size gt 3` and its like, which is all that the drawn queries ask.
struct FieldFilter {
    private let takes: @Sendable (Int) -> Bool

    init(_ text: String) throws(FieldRefusal) {
        let words = text.filter { $0 != "(" && $0 != ")" }.split(separator: " ")
        guard words.count == 3, words[0] == "Size", let limit = Int(words[2]) else {
            throw FieldRefusal(501, "filter \(text)")
        }
        switch words[1] {
        case "gt": takes = { $0 > limit }
        case "le": takes = { $0 <= limit }
        default: throw FieldRefusal(501, "filter \(text)")
        }
    }

    /// Comparisons with null are not true (URL Conventions, section 5.1.1.1).
    func takes(_ row: FieldRow) -> Bool { row.size.map(takes) ?? false }
}
