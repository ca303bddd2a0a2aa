/// What a live query found, and what is different from what it delivered before.
///
/// Values of ``changes`` are positions: take the old ones out from the last to the first, then put the new ones in from the
/// first to the last.
public struct Rows<Element: Sendable>: RandomAccessCollection, Sendable {
    /// One difference.
    public enum Change: Sendable, Hashable {
        /// A row that stood here before is gone.
        case remove(old: Int)
        /// A row has come.
        case insert(new: Int)
        /// A row stands elsewhere.
        case move(old: Int, new: Int)
        /// A row that stays has other values.
        case update(new: Int)
    }

    private let elements: [Element]
    /// The differences to what was delivered before; all rows inserted the first time.
    public let changes: [Change]
    /// Whether everything that decides about the result has been downloaded once: the set, what the query expands, and what
    /// its conditions look at. While it is false, a row that is missing is merely not here yet, and no rows do not mean that
    /// there are none.
    public let isComplete: Bool

    init(_ elements: [Element], _ changes: [Change], isComplete: Bool) {
        self.elements = elements
        self.changes = changes
        self.isComplete = isComplete
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many rows there are.
    public var endIndex: Int { elements.count }
    /// A row by its position, which must be there as in an array.
    public subscript(position: Int) -> Element { elements[position] }
}
