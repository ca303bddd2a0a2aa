import Synchronization

/// The texts of statements that stay prepared, of which there are so many at most.
///
/// A change names the columns that the client has sent, so that a table has as many texts as sets of columns, and who keeps
/// each keeps what clients like.
final class KeptTexts: Sendable {
    static let limit = 64

    private let texts = Mutex<Set<String>>([])

    /// Whether the text is one of those that are kept; it becomes one while there is room.
    func admits(_ text: String) -> Bool {
        texts.withLock { texts in
            if texts.contains(text) { return true }
            guard texts.count < Self.limit else { return false }
            texts.insert(text)
            return true
        }
    }
}
