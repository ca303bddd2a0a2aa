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

    private(set) var rows: [String: Row] = [:]
    private(set) var acknowledgedCount = 0

    init(_ file: URL) throws {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            guard words.count == 3 else { continue }
            var row = rows[words[1]] ?? Row()
            if words[0] == "done" {
                row = Row(acknowledged: words[2])
                acknowledgedCount += 1
            } else {
                row.later.append(words[2])
            }
            rows[words[1]] = row
        }
    }
}
