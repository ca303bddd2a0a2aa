import Foundation

/// What the service holds: tools with a manual each, members, photos. Values only; the faces write them.
struct Workshop: Sendable {
    struct Content: Sendable {
        var type: String
        var bytes: [UInt8]
        var version = 1

        var tag: String { "\"c\(version)\"" }
    }

    struct Tool: Sendable {
        var id: Int
        var title: String?
        var price: String?
        var height: Int?
        var ownerID: Int?
        var isPowered = false
        var version = 1
        var manual: Content?

        var tag: String { "W/\"\(version)\"" }
    }

    struct Photo: Sendable {
        var id: Int
        var name: String?
        var version = 1
        var content: Content

        var tag: String { "W/\"\(version)\"" }
    }

    var tools: [Int: Tool] = [
        1: Tool(
            id: 1, title: "Saw", price: "12.50", height: 20, ownerID: 1,
            manual: Content(type: "text/plain", bytes: Array("Mind your fingers.".utf8))),
        2: Tool(id: 2, title: nil, price: "7.00", height: nil, ownerID: nil),
        3: Tool(
            id: 3, title: "Drill & <bit>", price: "99.99", height: 8, ownerID: 2, isPowered: true),
    ]
    var members: [Int: String] = [1: "Mia", 2: "Noah ☃"]
    /// Members who help with a tool; no property of either says so.
    var helpers: [Int: [Int]] = [1: [2], 3: [1, 2]]
    /// What stands behind a failure in a batch is answered with 424, as services do that do not go on by themselves.
    var endsBatchesAtFailures = false
    /// `$expand` is taken and has no effect; refused otherwise.
    var ignoresExpand = false
    var photos: [Int: Photo] = [
        1: Photo(
            id: 1, name: "Yard", content: Content(type: "image/png", bytes: [137, 80, 78, 71, 1]))
    ]
    var nextKey = 100
    /// Ids of removed tools, for deltas.
    var removed: [Int] = []
    /// Each write that had an effect, as `verb set(key)`.
    var effects: [String] = []

    mutating func newKey() -> Int {
        nextKey += 1
        return nextKey
    }
}
