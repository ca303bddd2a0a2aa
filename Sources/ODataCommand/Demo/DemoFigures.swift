import ODataText

/// What the demo counted; its closing line is what scripts look at.
package struct DemoFigures: Sendable, Hashable {
    /// Entities of the first download.
    package var downloaded: Int64 = 0
    /// Requests that the service accepted.
    package var uploaded = 0
    package var conflicts = 0
    package var repaired = 0
    /// Changed and removed entities of the later downloads.
    package var deltas: Int64 = 0
    package var rowsCompared = 0
    package var differences = 0

    package init() {}

    /// The closing line when everything is as it should be.
    package var line: String {
        "demo ok: downloaded=\(downloaded) uploaded=\(uploaded) conflicts=\(conflicts)"
            + " repaired=\(repaired) rows_compared=\(rowsCompared) differences=\(differences)"
    }

    var json: JSONValue {
        let members: [(String, String)] = [
            ("downloaded", "\(downloaded)"), ("uploaded", "\(uploaded)"),
            ("conflicts", "\(conflicts)"), ("repaired", "\(repaired)"), ("deltas", "\(deltas)"),
            ("rowsCompared", "\(rowsCompared)"), ("differences", "\(differences)"),
        ]
        return .object(JSONObject(members.map { .init(name: $0.0, value: .number($0.1)) }))
    }
}
