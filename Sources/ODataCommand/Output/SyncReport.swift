import ODataText

/// What a synchronisation did, for people and for scripts.
struct SyncReport {
    var service = ""
    var version: String?
    /// Entities received by the download; nil when there was none.
    var received: Int64?
    /// Requests that the service accepted; nil when there was no upload.
    var uploaded: Int?
    var queued = 0
    var failed = 0
    /// Rows that the store shows now, by entity set.
    var rows: [(set: String, count: Int)] = []
    var skipped: [(set: String, reason: String)] = []
    /// Navigation properties whose links are unknown.
    var unknownLinks: [(navigation: String, reason: String)] = []
    /// What the upload did beside sending; nil when there was none.
    var upload: UploadReport?
    /// What became of changes whose answers were lost, one sentence each.
    var settled: [String] = []

    func print(to console: Console) {
        if console.isJSON {
            console.print(json.text)
            return
        }
        for (set, count) in rows { console.print("\(set): \(count) rows") }
        for (set, reason) in skipped { console.print("skipped \(set): \(reason)") }
        for (name, reason) in unknownLinks { console.print("links unknown \(name): \(reason)") }
        for line in upload?.lines ?? [] { console.print(line) }
        for sentence in settled { console.print(sentence) }
        var parts: [String] = []
        if let received { parts.append("downloaded=\(received)") }
        if let uploaded { parts.append("uploaded=\(uploaded)") }
        parts.append("queued=\(queued)")
        parts.append("failed=\(failed)")
        console.print(parts.joined(separator: " "))
    }

    private var json: JSONValue {
        var object = JSONObject()
        object["service"] = .string(service)
        if let version { object["version"] = .string(version) }
        if let received { object["downloaded"] = .number(String(received)) }
        if let uploaded { object["uploaded"] = .number(String(uploaded)) }
        object["queued"] = .number(String(queued))
        object["failed"] = .number(String(failed))
        if !rows.isEmpty {
            object["rows"] = .object(
                JSONObject(rows.map { .init(name: $0.set, value: .number(String($0.count))) }))
        }
        object["skipped"] = .array(
            skipped.map { item in
                .object(
                    JSONObject([
                        .init(name: "set", value: .string(item.set)),
                        .init(name: "reason", value: .string(item.reason)),
                    ]))
            })
        if let upload, !upload.overwrites.isEmpty {
            object["overwritten"] = .array(upload.overwrites)
        }
        if let upload, !upload.unseenConflicts.isEmpty {
            object["unseenConflicts"] = .array(upload.unseenConflicts.map { .string($0) })
        }
        if let upload, !upload.undecidedSets.isEmpty {
            object["undecidedSets"] = .array(upload.undecidedSets.map { .string($0) })
        }
        if let upload, !upload.undecidedConflicts.isEmpty {
            object["undecidedConflicts"] = .array(
                upload.undecidedConflicts.map { .string($0) })
        }
        if !settled.isEmpty { object["settled"] = .array(settled.map { .string($0) }) }
        if !unknownLinks.isEmpty {
            object["unknownLinks"] = .array(
                unknownLinks.map { item in
                    .object(
                        JSONObject([
                            .init(name: "navigation", value: .string(item.navigation)),
                            .init(name: "reason", value: .string(item.reason)),
                        ]))
                })
        }
        return .object(object)
    }
}
