import Foundation
import Synchronization

/// Where the command writes: results to standard output, everything else to standard error.
///
/// Lines are written whole, from any thread.
package final class Console: Sendable {
    /// True when `--json` was given: results are JSON, and nothing else reaches standard output.
    package let isJSON: Bool
    private let isTerminal: Bool
    private let bar = Mutex("")

    package init(isJSON: Bool = false) {
        self.isJSON = isJSON
        isTerminal = StandardStream.errors.isTerminal
    }

    /// Writes a line of the result.
    package func print(_ line: String) {
        bar.withLock { bar in
            Self.erase(&bar)
            StandardStream.output.write(line + "\n")
        }
    }

    /// Writes a line that is not part of the result: notes, warnings, errors.
    package func note(_ line: String) {
        bar.withLock { bar in
            Self.erase(&bar)
            StandardStream.errors.write(line + "\n")
        }
    }

    /// Shows how far long work has come: one line that is drawn again on a terminal, plain lines at the end of each
    /// step elsewhere.
    package func progress(_ title: String, fraction: Double, detail: String) {
        let fraction = min(max(fraction, 0), 1)
        guard isTerminal else {
            if fraction >= 1 { note("\(title): \(detail)") }
            return
        }
        let width = 28
        let filled = Int(fraction * Double(width))
        let text =
            title.padding(toLength: 14, withPad: " ", startingAt: 0) + " ["
            + String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
            + "] \(Int(fraction * 100))% \(detail)"
        bar.withLock { bar in
            Self.erase(&bar)
            bar = text
            StandardStream.errors.write(text)
            if fraction >= 1 {
                StandardStream.errors.write("\n")
                bar = ""
            }
        }
    }

    private static func erase(_ bar: inout String) {
        guard !bar.isEmpty else { return }
        StandardStream.errors.write("\r\u{1B}[K")
        bar = ""
    }
}
