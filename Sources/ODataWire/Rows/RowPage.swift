import ODataText

/// A page that is being read: where its reading stands, and what it said beside its rows so far.
package struct RowPage: ~Copyable {
    var reader: JSONReader
    /// Complete once the rows have been read to the end.
    package internal(set) var control = PageControl()
    private var state = State.start

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
        while let name = try reader.nextMember() {
            guard reader.matches(name, "value") else {
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

    private func invalid(_ message: String) -> ODataError {
        ODataError(.invalidPayload, message, at: .offset(reader.offset))
    }
}

extension PageControl {
    /// Reads the member with this name, or over it when it says nothing about the page.
    mutating func read(named name: String, _ reader: inout JSONReader) throws {
        switch name {
        case "@odata.context", "@context": context = try Self.text(&reader)
        case "@odata.nextLink", "@nextLink": nextLink = try Self.text(&reader)
        case "@odata.deltaLink", "@deltaLink": deltaLink = try Self.text(&reader)
        case "@odata.count", "@count":
            let text = try reader.peek() == .number ? reader.readNumber() : Self.text(&reader)
            count = text.flatMap { Int64($0) }
        case "error":
            throw ODataError(
                .service, "Expected a page of rows, found an error of the service.",
                at: .offset(reader.offset))
        default: try reader.skipValue()
        }
    }

    /// A string, or nil for null; anything else is not a link.
    private static func text(_ reader: inout JSONReader) throws -> String? {
        try reader.readNullIfPresent() ? nil : reader.readString()
    }
}
