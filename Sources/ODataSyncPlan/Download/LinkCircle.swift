/// Finds out that links lead back to an earlier one, in constant memory (Brent's algorithm).
///
/// A link to itself is found at once, a circle of n links after less than four times n of them.
struct LinkCircle: Sendable, Hashable {
    private var mark: String?
    private var steps = 0
    private var power = 1

    /// Takes the next link; true when it is one of those before.
    mutating func closes(with link: String) -> Bool {
        if link == mark { return true }
        steps += 1
        if mark == nil || steps == power {
            mark = link
            power *= 2
            steps = 0
        }
        return false
    }
}
