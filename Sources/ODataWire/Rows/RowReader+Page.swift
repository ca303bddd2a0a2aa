import ODataText

extension RowReader {
    /// Reads a page: control members before and after the rows, the rows into `sink`.
    mutating func readPage(
        _ reader: inout JSONReader, into sink: inout some RowSink
    ) throws -> PageControl {
        var control = PageControl()
        var hasRows = false
        try reader.beginObject()
        while let name = try reader.nextMember() {
            if reader.matches(name, "value") {
                guard !hasRows else {
                    throw ODataError(
                        .invalidPayload, "Expected one array of rows, found two.",
                        at: .offset(reader.offset))
                }
                hasRows = true
                control.rows = try readRows(&reader, into: &sink)
            } else {
                try control.read(named: reader.text(name), &reader)
            }
        }
        try reader.finish()
        guard hasRows else {
            throw ODataError(
                .invalidPayload, "Expected a page with its rows in \"value\", found none.",
                at: .offset(0))
        }
        return control
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
