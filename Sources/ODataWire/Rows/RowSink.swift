/// Takes the rows of a page one by one, in the order of the payload.
///
/// One call for each row: it may look at the row's bytes during the call only. An error ends the page.
package protocol RowSink: ~Copyable {
    mutating func receive(_ row: IncomingRow) throws
    /// True when no more rows are wanted for now; asked after each row.
    var isFull: Bool { get }
}

extension RowSink where Self: ~Copyable {
    package var isFull: Bool { false }
}

/// What a page says beside its rows (JSON Format 4.01, section 4.6).
package struct PageControl: Sendable, Hashable {
    package var context: String?
    package var count: Int64?
    package var nextLink: String?
    package var deltaLink: String?
    /// Rows handed to the sink.
    package var rows = 0

    package init() {}
}
