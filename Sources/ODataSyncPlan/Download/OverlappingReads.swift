/// Which reads of a phase may be asked for before others are stored (pure): what is asked for before an earlier read of the same
/// tables is stored would be stored behind what is newer.
package struct OverlappingReads: Sendable, Hashable {
    /// The tables of which rows were stored since the phase began.
    private var stored: Set<String> = []

    package init() {}

    /// Rows of a read were stored, or taken away.
    package mutating func note(stored tables: Set<String>) { stored.formUnion(tables) }

    /// Whether what came of a read before its turn is older than what was stored since.
    package func overtake(_ tables: Set<String>) -> Bool { !stored.isDisjoint(with: tables) }

    /// The positions of reads that share no table with one before them, or that may be asked for in any case.
    ///
    /// - Parameter reads: the tables of each read, in the order in which they are stored, and whether it has to wait for those
    ///   before it.
    package static func independent(_ reads: [(tables: Set<String>, waits: Bool)]) -> [Int] {
        var before: Set<String> = []
        return reads.indices.filter { index in
            defer { before.formUnion(reads[index].tables) }
            return !reads[index].waits || before.isDisjoint(with: reads[index].tables)
        }
    }
}
