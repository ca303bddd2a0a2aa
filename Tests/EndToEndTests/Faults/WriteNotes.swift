import Foundation

/// What a client wrote down about its writes: tried, and acknowledged. Says which titles a row may have.
struct WriteNotes {
    /// The titles that a row may have, the acknowledged one first; the row may be missing when none was acknowledged.
    struct Row {
        var acknowledged: String?
        var later: [String] = []

        func allows(_ title: String?) -> Bool {
            guard let title else { return acknowledged == nil }
            return title == acknowledged || later.contains(title)
        }
    }

    var rows: [String: Row] = [:]
    private(set) var acknowledgedCount = 0

    init() {}

    init(_ file: URL) throws {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            guard words.count == 3 else { continue }
            if words[0] == "done" {
                acknowledge(words[1], words[2])
            } else {
                rows[words[1], default: Row()].later.append(words[2])
            }
        }
    }

    mutating func acknowledge(_ name: String, _ title: String) {
        rows[name] = Row(acknowledged: title)
        acknowledgedCount += 1
    }

    /// With the notes of what came later.
    func followed(by later: WriteNotes) -> WriteNotes {
        var result = self
        result.acknowledgedCount += later.acknowledgedCount
        for (name, row) in later.rows {
            let known = row.acknowledged ?? rows[name]?.acknowledged
            result.rows[name] = Row(acknowledged: known, later: row.later)
        }
        return result
    }
}
