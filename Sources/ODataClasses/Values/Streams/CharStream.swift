import Foundation
import ODataModel
import ODataText

/// A stream of characters.
open class CharStream: StreamBase, @unchecked Sendable {
    // Confined as its base class says.
    private final var text: Substring

    /// Creates an empty stream.
    public override init() {
        text = ""
        super.init()
    }

    /// The characters of a text.
    open class func fromString(_ text: String) -> CharStream {
        let stream = CharStream()
        stream.text = Substring(text)
        return stream
    }

    /// The characters of a file in UTF-8.
    ///
    /// - Throws: what the system says where the file cannot be read or is no text.
    open class func fromFile(_ path: String) throws -> CharStream {
        fromString(try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8))
    }

    /// A new stream without characters.
    open class var empty: CharStream { CharStream() }

    /// The type of this value.
    open override var dataType: DataType { BasicType.charStream }

    /// The next characters, at most `limit`; nil at the end.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func readString(_ limit: Int) throws -> String? {
        guard !text.isEmpty else { return nil }
        let part = text.prefix(Swift.max(1, limit))
        text = text[part.endIndex...]
        return String(part)
    }

    /// The characters up to the end of the line, which is passed over; nil at the end.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func readLine() throws -> String? {
        guard !text.isEmpty else { return nil }
        let line = text.prefix { !$0.isNewline }
        text = text[line.endIndex...].dropFirst()
        return String(line)
    }

    /// The next character; nil at the end.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func readChar() throws -> Character? { text.popFirst() }

    /// Adds characters at the end.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func writeString(_ value: String) throws { text += value }

    /// Adds characters and an end of line at the end.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func writeLine(_ value: String) throws { text += value + "\n" }

    /// Everything up to the end; the stream is closed.
    ///
    /// - Throws: Nothing: the characters are in memory.
    open func readAndClose() throws -> String {
        let rest = String(text)
        try close()
        return rest
    }

    /// Gives up what the stream holds.
    open override func close() throws { text = "" }
}
