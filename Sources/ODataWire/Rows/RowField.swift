import ODataText

/// What a row says for one slot: the kind of the value and where its bytes are.
@usableFromInline
package struct RowField: Sendable, Hashable {
    @usableFromInline
    package enum Kind: Sendable, Hashable {
        /// The row does not name the property, which is not the same as null.
        case missing
        case null, `false`, `true`, number, string, object, array
    }

    @usableFromInline package var kind: Kind
    /// For numbers their text, for strings what stands between the quotation marks, for objects and arrays all.
    @usableFromInline package var span: JSONSpan

    package init(_ kind: Kind, _ span: JSONSpan = JSONSpan(offset: 0, count: 0)) {
        self.kind = kind
        self.span = span
    }

    package static let missing = RowField(.missing)

    /// The row does not name it. (A comparison of kinds is not inlined in other modules.)
    @inlinable
    package var isMissing: Bool {
        if case .missing = kind { true } else { false }
    }

    @inlinable
    package var isString: Bool {
        if case .string = kind { true } else { false }
    }
}

/// The control information of a row that has a fixed place (JSON Format 4.01, section 4.6).
package enum RowControl: Int, Sendable, Hashable, CaseIterable {
    case id, etag, type, editLink, readLink
    case mediaReadLink, mediaEditLink, mediaContentType, mediaETag
    case context, removed

    /// The control for a name without its `@odata.` or `@`; nil for all others.
    package init?(name: Substring) {
        switch name {
        case "id": self = .id
        case "etag": self = .etag
        case "type": self = .type
        case "editLink": self = .editLink
        case "readLink": self = .readLink
        case "mediaReadLink": self = .mediaReadLink
        case "mediaEditLink": self = .mediaEditLink
        case "mediaContentType": self = .mediaContentType
        case "mediaEtag": self = .mediaETag
        case "context": self = .context
        case "removed": self = .removed
        default: return nil
        }
    }
}

/// What a row says about a navigation property of its shape.
package struct RowNavigation: Sendable, Hashable {
    package enum Part: Sendable, Hashable {
        /// The expanded entity, null, or the expanded entities.
        case value
        /// A nested delta (4.01): changed and removed related entities.
        case delta
        /// Where the rest of the expanded entities is.
        case nextLink
    }

    /// Position in ``RowShape/navigations``.
    package var index: Int
    package var part: Part
    package var field: RowField
}

/// A member that the shape does not name: a property of an open type.
package struct RowExtra: Sendable, Hashable {
    package var name: JSONSpan
    package var field: RowField
}
