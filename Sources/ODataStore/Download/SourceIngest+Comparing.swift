import GRDB
import ODataSyncPlan
import ODataText
import ODataWire

/// Pages of a sweep of which every row is here as it comes: nothing of them is kept for later.
extension SourceIngest {
    // Hot: Sweep
    /// Takes a page of a sweep. Where all of its rows are here as they come, that they were met is all that is noted;
    /// from the first page on that differs, every page waits for its turn, so that the order in which rows came counts.
    func stageUnlessKnown(_ page: any ByteSource) throws -> PageControl {
        guard let read = context.read, staged.pages.isEmpty, plan.expansions.isEmpty,
            plan.hold?.isAside != true
        else { return try stage(page, plan, path: []) }
        let paced = page as? any PacedSource
        var known: [Int64]? = []
        var count = 0
        let control = try stage(page, link: nil) { rows in
            var isComplete = false
            while !isComplete {
                // Whoever waited for the network within a snapshot would keep the log from going back into the file.
                paced?.waitUntilBuffered()
                try read { database in
                    if self.seen == nil {
                        self.seen = try DownloadBookkeeping(database).seenRows(of: self.source)
                    }
                    let ingest = try RowIngest(
                        self.plan, mapping: self.context.mapping, database: database,
                        mode: .merge, handler: self.context.handler)
                    var sink = KnownRows(ingest, source: paced, known: known)
                    known = []
                    isComplete = try self.reader.read(&rows, into: &sink)
                    (known, count) = (sink.known, count + sink.rows)
                }
            }
            try plan.check(rows.control)
        }
        staged.endPage(rows: count)
        guard let known, !staged.hasStoredPartsOfLastPage else { return control }
        bytesKnown += staged.dropLastPage()
        counts.received += known.count
        for id in known { seen?.insert(id) }
        return control
    }

    /// A page of a sweep of which nothing waits has ended: whether it is worth to note how far the read has come. What was met is
    /// written with it as a whole, which is to take little of what reading the pages again would.
    var isNoteDue: Bool {
        guard staged.pages.isEmpty, bytesKnown > 0 else { return true }
        return bytesKnown >= (seen?.byteCount ?? 0) * 64
    }
}

/// The rows of a page as long as all of them are here as they come. Nothing is written.
private struct KnownRows: RowSink, ~Copyable {
    private var ingest: RowIngest
    private let source: (any PacedSource)?
    private(set) var rows = 0
    /// Their ids, behind those that came before; nil once a row was not.
    private(set) var known: [Int64]?

    init(_ ingest: consuming RowIngest, source: (any PacedSource)?, known: [Int64]?) {
        (self.source, self.known) = (source, known)
        self.ingest = ingest
    }

    /// What comes next would have to be waited for.
    var isFull: Bool { source?.isRunningDry == true }

    mutating func receive(_ row: IncomingRow) {
        rows += 1
        guard known != nil else { return }
        // What cannot be stored is told when it is.
        if let id = try? ingest.known(row) { known?.append(id) } else { known = nil }
    }
}
