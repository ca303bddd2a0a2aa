/// What an app remembers of its changes; it outlives the process.
struct FieldMemory {
    /// The acknowledged texts of each row by its name, in order.
    var texts: [String: [String]] = [:]
    var deleted: Set<String> = []
    /// Rows that the app made and has not deleted.
    var own: [String] = []
    /// The change that is not acknowledged yet.
    var underWay: Change?
    /// Rows of which a change was taken back or given up: how far, service and store have to agree about.
    var loose: Set<String> = []
    /// What was taken back before it was ever sent, which must not be sent any more.
    var takenBack: Set<String> = []
    /// Rows of which a refused request was corrected in its place, with later changes behind it.
    var corrected: Set<String> = []
    /// Rows of which somebody has decided to send a refused change once more, over whatever is there.
    var insisted: Set<String> = []
    /// Rows of which an overwriting was told, of the service's state and of the one here.
    var overwrote: Set<String> = []
    /// Rows with the texts of others that a policy has put in the place of what was here, and told.
    var shown: Set<String> = []
    /// A download has begun and not come to its end: the next one goes on with it, and may bring what was so before.
    var isDownloadOpen = false
    var downloads = 0
    var acknowledged = 0
    var steps = 0
    /// The names of the queries that are there.
    var queries: [String: FieldQuery] = [:]
    /// What each query was when it was made last, whether or not that came to its end.
    var attempted: [String: FieldQuery] = [:]
    /// The key of the store, and who works with it.
    var key = FieldMemory.key(0)
    var user: String?

    enum Change: CustomStringConvertible {
        case text(String, of: String, isNew: Bool)
        case deletion(of: String)

        var description: String {
            switch self {
            case .text(let text, let name, true): "creates \(name) with '\(text)'"
            case .text(let text, let name, false): "changes \(name) to '\(text)'"
            case .deletion(let name): "deletes \(name)"
            }
        }
    }

    /// A key of 32 bytes, which costs no derivation.
    static func key(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    mutating func acknowledge(_ change: Change) {
        acknowledged += 1
        switch change {
        case .text(let text, let name, let isNew):
            texts[name, default: []].append(text)
            if isNew { own.append(name) }
        case .deletion(let name):
            own.removeAll { $0 == name }
            deleted.insert(name)
        }
    }
}

/// A download query: rows of orders above or below a size.
struct FieldQuery: Hashable {
    let limit: Int
    let isAbove: Bool

    func takes(_ size: Int?) -> Bool { size.map { isAbove ? $0 > limit : $0 <= limit } ?? false }
}
