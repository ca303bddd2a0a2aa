import ODataWire
import Synchronization

/// The date of answers, whose text is made once a second.
final class DateHeader: Sendable {
    private let last = Mutex<(seconds: Int64, text: String)>((.min, ""))

    /// The text of an instant.
    func text(at seconds: Int64) -> String {
        last.withLock { last in
            if last.seconds != seconds {
                last = (seconds, HTTPDate.text(secondsSince1970: seconds))
            }
            return last.text
        }
    }
}
