import ODataText

/// One row of a page as a sink sees it: where each value's bytes are, nothing built.
///
/// Valid during the call that hands it over; nothing of it may be kept.
@usableFromInline
package struct IncomingRow {
    package enum Kind: Sendable, Hashable {
        case entity
        /// A removal: by `@removed`, or a deleted entity of the 4.0 delta form.
        case removed
        /// An entity of another set in a delta (4.0 flat form): the slots say nothing, see ``raw``.
        case foreign(path: String)
        /// An added or deleted link of the 4.0 delta form, see ``raw``.
        case link, deletedLink
    }

    package var kind: Kind
    /// By slot of the ``RowShape``.
    @usableFromInline package let fields: UnsafeBufferPointer<RowField>
    let controls: UnsafeBufferPointer<RowField>
    /// The row's ETag, which nearly every row has.
    @usableFromInline package let etag: RowField
    /// The row brings control information beside its ETag.
    @usableFromInline package let hasOtherControls: Bool
    package let navigations: [RowNavigation]
    package let extras: [RowExtra]
    /// The whole row.
    package let raw: JSONSpan
    /// Where the byte with offset 0 would be; only bytes of the row are there.
    @usableFromInline let origin: UnsafeRawPointer

    package subscript(control: RowControl) -> RowField { controls[control.rawValue] }

    /// The bytes of a field or name as written.
    @inlinable
    package func bytes(_ span: JSONSpan) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: origin + span.offset, count: span.count)
    }

    /// A field's text, unescaped; nil when it is missing or null.
    package func text(_ field: RowField) -> String? {
        switch field.kind {
        case .missing, .null: nil
        case .true: "true"
        case .false: "false"
        default: text(field.span)
        }
    }

    /// A span's text, unescaped.
    package func text(_ span: JSONSpan) -> String {
        let bytes = bytes(span)
        guard span.isEscaped else { return String(decoding: bytes, as: UTF8.self) }
        return JSONText.unescaped(bytes)
    }

    /// A reader over a part of the row, for what the slots do not say.
    package func reader(_ span: JSONSpan) -> JSONReader { JSONReader(bytes(span)) }
}

/// Who and why, of a removed row (JSON Format 4.01, section 15.3).
package struct RowRemoval: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The entity does not exist any longer.
        case deleted
        /// It left the result (or no reason is given).
        case changed
    }

    /// The entity id; nil when the row identifies itself by key properties.
    package var id: String?
    package var reason: Reason

    package init(id: String?, reason: Reason) {
        self.id = id
        self.reason = reason
    }
}

extension IncomingRow {
    /// What a row of kind `removed` says, in either form.
    package func removal() throws -> RowRemoval {
        var removal = RowRemoval(id: text(self[.id]), reason: .changed)
        var reader = reader(raw)
        try reader.beginObject()
        let isFlat = self[.removed].kind == .missing
        while let name = try reader.nextName() {
            switch name {
            case "id" where isFlat && removal.id == nil:
                removal.id = try reader.peek() == .string ? reader.readString() : skipped(&reader)
            case "reason" where isFlat:
                removal.reason = try Self.reason(&reader)
            case "@removed", "@odata.removed":
                guard try reader.peek() == .object else {
                    try reader.skipValue()
                    continue
                }
                try reader.beginObject()
                while let member = try reader.nextName() {
                    if member == "reason" {
                        removal.reason = try Self.reason(&reader)
                    } else {
                        try reader.skipValue()
                    }
                }
            default: try reader.skipValue()
            }
        }
        return removal
    }

    private func skipped(_ reader: inout JSONReader) throws -> String? {
        try reader.skipValue()
        return nil
    }

    private static func reason(_ reader: inout JSONReader) throws -> RowRemoval.Reason {
        guard try reader.peek() == .string else {
            try reader.skipValue()
            return .changed
        }
        return try reader.readString() == "deleted" ? .deleted : .changed
    }
}
