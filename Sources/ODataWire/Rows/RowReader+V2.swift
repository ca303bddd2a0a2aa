import ODataText

// What V2 writes in objects of their own: control information and related entities (V2 JSON, sections 4 and 5).

extension RowReader {
    enum V2Form { case deferred, results }

    /// What kind of V2 object the bytes are; nil for an entity.
    static func v2Form(_ bytes: UnsafeRawBufferPointer) -> V2Form? {
        let isSpace = { (byte: UInt8) in byte == 32 || byte == 10 || byte == 13 || byte == 9 }
        guard let name = bytes.dropFirst().firstIndex(where: { !isSpace($0) }) else { return nil }
        let text = bytes[name...]
        if text.starts(with: "\"__deferred\"".utf8) { return .deferred }
        let isResults =
            text.starts(with: "\"results\"".utf8) || text.starts(with: "\"__count\"".utf8)
            || text.starts(with: "\"__next\"".utf8)
        return isResults ? .results : nil
    }

    /// An expanded collection as its array and next link; a deferred relation says nothing.
    mutating func takeV2Related(
        _ index: Int, _ form: V2Form, _ field: RowField, _ reader: inout JSONReader
    ) throws {
        guard case .results = form else { return }
        let base = field.span.offset
        let found = try reader.withBytes(field.span) { bytes -> [RowNavigation] in
            var inner = JSONReader(bytes)
            var found: [RowNavigation] = []
            try inner.beginObject()
            while let name = try inner.nextName() {
                var part = RowNavigation.Part.value
                switch name {
                case "results": part = .value
                case "__next": part = .nextLink
                default:
                    try inner.skipValue()
                    continue
                }
                var value = try Self.field(&inner)
                value.span.offset += base
                found.append(RowNavigation(index: index, part: part, field: value))
            }
            return found
        }
        navigations += found
    }

    /// `__metadata` of a row.
    mutating func takeMetadata(_ reader: inout JSONReader) throws {
        guard try reader.peek() == .object else { return try reader.skipValue() }
        try reader.beginObject()
        while let name = try reader.nextMember() {
            let control: RowControl
            if reader.matches(name, "uri") {
                control = .editLink
            } else if reader.matches(name, "id") {
                control = .id
            } else if reader.matches(name, "etag") {
                control = .etag
            } else if reader.matches(name, "type") {
                control = .type
            } else if reader.matches(name, "media_src") {
                control = .mediaReadLink
            } else if reader.matches(name, "edit_media") {
                control = .mediaEditLink
            } else if reader.matches(name, "content_type") {
                control = .mediaContentType
            } else if reader.matches(name, "media_etag") {
                control = .mediaETag
            } else {
                try reader.skipValue()
                continue
            }
            set(control, try Self.field(&reader))
        }
    }
}
