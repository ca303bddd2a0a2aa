/// Writes XML 1.0 as UTF-8: one element per line, indented, empty elements closed in place.
///
/// Characters that XML cannot carry, such as U+0000, are written as U+FFFD.
package struct XMLWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var open: [Open] = []
    private var isTagOpen = false
    private let indentation: Int?

    private struct Open {
        var name: String
        var hasText = false
        var hasChildren = false
    }

    /// - Parameter indentation: spaces per level; nil writes everything on one line.
    package init(indentation: Int? = 2) {
        self.indentation = indentation
        bytes.append(contentsOf: #"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Opens an element; attributes follow until the next call that is not ``attribute(_:_:)``.
    package mutating func start(_ name: String) {
        closeTag()
        if !open.isEmpty { open[open.count - 1].hasChildren = true }
        newLine()
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: name.utf8)
        open.append(Open(name: name))
        isTagOpen = true
    }

    /// Adds an attribute to the element just opened; nil adds none.
    package mutating func attribute(_ name: String, _ value: String?) {
        guard let value, isTagOpen else { return }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        escape(value, inAttribute: true)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds character data to the open element.
    package mutating func text(_ text: String) {
        guard !text.isEmpty, !open.isEmpty else { return }
        closeTag()
        open[open.count - 1].hasText = true
        escape(text, inAttribute: false)
    }

    /// Closes the element opened last.
    package mutating func end() {
        guard let element = open.popLast() else { return }
        if isTagOpen {
            isTagOpen = false
            bytes.append(contentsOf: "/>".utf8)
            return
        }
        if element.hasChildren, !element.hasText { newLine() }
        bytes.append(contentsOf: "</\(element.name)>".utf8)
    }

    /// Writes an element with its attributes and what `content` adds.
    package mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ content: (inout XMLWriter) -> Void = { _ in }
    ) {
        start(name)
        for (name, value) in attributes { attribute(name, value) }
        content(&self)
        end()
    }

    private mutating func closeTag() {
        guard isTagOpen else { return }
        isTagOpen = false
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func newLine() {
        guard let indentation, !(open.last?.hasText ?? false) else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: indentation * open.count))
    }

    private mutating func escape(_ text: String, inAttribute: Bool) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"" where inAttribute: bytes.append(contentsOf: "&quot;".utf8)
            case "\n" where inAttribute: bytes.append(contentsOf: "&#10;".utf8)
            case "\t" where inAttribute: bytes.append(contentsOf: "&#9;".utf8)
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            default:
                let isAllowed = XMLCharacters.isCharacter(scalar.value)
                bytes.append(
                    contentsOf: UTF8.encode(isAllowed ? scalar : "\u{FFFD}").map(Array.init) ?? [])
            }
        }
    }
}
