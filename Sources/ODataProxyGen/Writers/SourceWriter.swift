/// Lines of Swift with their indentation.
struct SourceWriter {
    private(set) var text = ""
    private var depth: Int

    /// - Parameter depth: how deep the lines will stand.
    init(depth: Int = 0) { self.depth = depth }

    /// Adds lines that were written for this place.
    mutating func add(_ lines: String) { text += lines }

    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            text += String(repeating: "    ", count: depth)
            text += line
        }
        text += "\n"
    }

    /// The head with its brace, the body, and the other brace.
    mutating func block(
        _ head: String, open: String = " {", tail: String = "}",
        _ body: (inout SourceWriter) -> Void
    ) {
        line(head + open)
        depth += 1
        body(&self)
        depth -= 1
        line(tail)
    }

    /// A documentation comment: what it is, and what the document says about it.
    mutating func comment(_ sentence: String, _ note: String = "") {
        line("/// " + sentence)
        if !note.isEmpty {
            line("///")
            line("/// " + note)
        }
    }
}
