/// An entity tag (RFC 9110, section 8.8.3), kept as received: quotes and `W/` are part of it.
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }

    package var isWeak: Bool { description.hasPrefix("W/") || description.hasPrefix("w/") }

    /// The opaque text without `W/` and quotes.
    package var opaque: Substring {
        var text = description[...]
        if isWeak { text = text.dropFirst(2) }
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return text.dropFirst().dropLast()
    }

    /// Weak comparison: only the opaque parts count (Protocol 4.01, section 8.2.4 and 8.3.1).
    package func matches(_ other: EntityTag) -> Bool {
        opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// `W/"opaque"`.
    package static func weak(_ opaque: String) -> EntityTag { EntityTag("W/\"\(opaque)\"") }
}

/// The value of `If-Match` or `If-None-Match`: any state, or a list of tags (RFC 9110, section 13.1).
package enum EntityTagCondition: Sendable, Hashable {
    /// `*`
    case any
    case tags([EntityTag])

    /// Reads a header value; commas inside quotes do not separate.
    package init(parsing text: String) {
        let items = HeaderText.split(text, separator: UInt8(ascii: ","))
        self = items == ["*"] ? .any : .tags(items.map(EntityTag.init))
    }

    /// Whether the condition names the current state; nil stands for a resource that does not exist or has no tag.
    package func matches(_ current: EntityTag?, exists: Bool = true) -> Bool {
        switch self {
        case .any: exists
        case .tags(let tags): current.map { tag in tags.contains { $0.matches(tag) } } ?? false
        }
    }

    package var text: String {
        switch self {
        case .any: "*"
        case .tags(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}
