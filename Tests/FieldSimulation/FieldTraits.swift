import ODataText

/// What a drawn service can: the corners in which services differ.
struct FieldTraits: Sendable, Hashable {
    var isV2 = false
    /// Rows have entity tags, and a change without one is refused with 428.
    var hasTags = true
    var hasDeltas = true
    /// Deltas are forgotten behind so many changes: 410.
    var deltaMemory = Int.max
    var hasBatches = true
    /// Repeatable Requests 1.0.
    var isRepeatable = true
    /// The service gives the keys of orders; otherwise whoever creates one does, as text.
    var givesKeys = true
    var pageSize = 3
    var hasItems = false
    /// A batch of more parts is refused as a whole: 413.
    var largestBatch = Int.max
    /// How many of a hundred batches are refused as a whole, by 500 or 400, while there are faults.
    var batchRefusals: UInt64 = 0
    /// A changed row comes as a whole with the answer to an update; otherwise nothing does.
    var returnsChanged = false

    /// - Parameter isPlain: everything as most tests have it.
    init(_ random: inout SeededGenerator) {
        isV2 = random.below(3) == 0
        hasTags = random.below(4) != 0
        hasDeltas = random.below(3) != 0
        if random.below(5) == 0 { deltaMemory = 2 + random.below(4) }
        hasBatches = random.below(3) != 0
        isRepeatable = !isV2 && random.below(2) == 0
        givesKeys = random.below(3) != 0
        pageSize = random.below(5) == 0 ? 1 : 2 + random.below(4)
        hasItems = random.below(2) == 0
        returnsChanged = random.below(2) == 0
        if random.below(10) == 0 { largestBatch = 1 + random.below(3) }
        if random.below(10) == 0 { batchRefusals = 20 }
    }

    var text: String {
        let can = [
            ("tags", hasTags), ("deltas", hasDeltas), ("batches", hasBatches),
            ("repeatable", isRepeatable), ("gives keys", givesKeys), ("items", hasItems),
        ].filter(\.1).map(\.0)
        return (isV2 ? "V2" : "V4") + ", " + can.joined(separator: ", ") + ", pages of \(pageSize)"
            + (largestBatch < .max ? ", batches of \(largestBatch)" : "")
            + (batchRefusals > 0 ? ", refuses batches" : "")
    }
}
