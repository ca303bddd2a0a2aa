import ODataText

/// A page that is being read: where its reading stands, and what it said beside its rows so far.
package struct RowPage: ~Copyable {
    var reader: JSONReader
    /// Complete once the rows have been read to the end.
    package internal(set) var control = PageControl()
    private var state = State.start
    /// The members that rows bring as arrays; empty for a page of objects.
    private(set) var columns: [String] = []
    /// Inside the object that V2 wraps a page in.
    private var isWrapped = false

    private enum State {
        case start, members, rows, behindRows, ended
    }

    /// A page that is pulled from a source; its parts may end anywhere.
    package init(source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        reader = JSONReader(source: source, limits: limits)
    }

    /// A page that is in memory.
    package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        reader = JSONReader(bytes, limits: limits)
    }

    /// Moves to the next row, reading control members on the way; false when the page ended.
    mutating func advance() throws -> Bool {
        if state == .rows {
            if try reader.nextElement() { return true }
            state = .behindRows
        }
        if state == .ended { return false }
        if state == .start {
            try reader.beginObject()
            state = .members
        }
        while let name = try nextMember() {
            if reader.matches(name, "d"), state == .members, !isWrapped {
                // What V2 wraps a page in: an object, or in version 1 the rows themselves.
                guard try reader.peek() == .array else {
                    try reader.beginObject()
                    isWrapped = true
                    continue
                }
            } else if reader.matches(name, "columns"), state == .members {
                try readColumns()
                continue
            } else if !reader.matches(name, "value"), !reader.matches(name, "results"),
                !reader.matches(name, "rows") || columns.isEmpty
            {
                try control.read(named: reader.text(name), &reader)
                continue
            }
            guard state == .members else { throw invalid("Expected one array of rows, found two.") }
            try reader.beginArray()
            state = .rows
            return try advance()
        }
        guard state == .behindRows else {
            throw invalid("Expected a page with its rows in \"value\", found none.")
        }
        try reader.finish()
        state = .ended
        return false
    }

    /// The members of compact rows (see ``CompactRows``).
    private mutating func readColumns() throws {
        guard try reader.peek() == .array else { return try reader.skipValue() }
        try reader.beginArray()
        while try reader.nextElement() {
            guard columns.count < CompactRows.maximumColumns else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(CompactRows.maximumColumns) columns of compact rows.")
            }
            columns.append(try reader.readString())
        }
    }

    /// The next member of the page, the end of a V2 wrapping passed over.
    private mutating func nextMember() throws -> JSONSpan? {
        if let name = try reader.nextMember() { return name }
        guard isWrapped else { return nil }
        isWrapped = false
        return try nextMember()
    }

    private func invalid(_ message: String) -> ODataError {
        ODataError(.invalidPayload, message, at: .offset(reader.offset))
    }
}

extension PageControl {
    /// Reads the member with this name, or over it when it says nothing about the page.
    mutating func read(named name: String, _ reader: inout JSONReader) throws {
        switch name {
        case "@odata.context", "@context": context = try Self.text(&reader)
        case "@odata.nextLink", "@nextLink", "__next": nextLink = try Self.link(&reader)
        case "@odata.deltaLink", "@deltaLink", "__delta": deltaLink = try Self.link(&reader)
        case "@odata.count", "@count", "__count":
            let text = try reader.peek() == .number ? reader.readNumber() : Self.text(&reader)
            count = text.flatMap { Int64($0) }
        case "error":
            throw ODataError(
                .service, "Expected a page of rows, found an error of the service.",
                at: .offset(reader.offset))
        default: try reader.skipValue()
        }
    }

    /// A link as text, or as an object with a `uri` (seen in V2).
    private static func link(_ reader: inout JSONReader) throws -> String? {
        guard try reader.peek() == .object else { return try text(&reader) }
        return try reader.readValue(duplicates: .keepLast)["uri"]?.string
    }

    /// A string, or nil for null; anything else is not a link.
    private static func text(_ reader: inout JSONReader) throws -> String? {
        try reader.readNullIfPresent() ? nil : reader.readString()
    }
}
