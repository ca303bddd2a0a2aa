import ODataText

/// The pages of a delta or sweep that wait until the last one has come, in order.
///
/// They are kept as received, because bytes are the most compact form there is.
struct StagedPages {
    /// Bytes beyond which a read is applied in pieces instead of at once.
    private let limit: Int
    private(set) var pages: [[[UInt8]]] = []
    private var size = 0

    init(limit: Int = 16 << 20) { self.limit = limit }

    /// True when what is kept should be applied before more comes.
    var isFull: Bool { size >= limit }

    mutating func append(_ page: [[UInt8]]) {
        pages.append(page)
        size += page.reduce(0) { $0 + $1.count }
    }

    mutating func removeAll() {
        pages = []
        size = 0
    }
}
