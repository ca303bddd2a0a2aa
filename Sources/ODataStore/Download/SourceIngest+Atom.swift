import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// Pages in Atom, in which some V2 services give tombstones that their JSON lacks: their values go to the same rows.
extension SourceIngest {
    /// Takes a page in Atom that is applied in the given mode.
    func takeAtom(_ page: any ByteSource, mode: ReadMode) throws -> PageControl {
        let bytes = try Self.parts(of: page).flatMap { $0 }
        let feed = try atom(bytes)
        let control = PageControl(feed)
        if mode == .first {
            try leaveOutIndexes()
            ended(control, try store(feed.items, control))
            return control
        }
        var finder = OpenLinkFinder(plan)
        for item in feed.items { finder.receive(item) }
        staged.beginPage()
        staged.append(bytes)
        staged.endPage(rows: finder.rows)
        if staged.isHeavy { try context.write { try self.staged.store($0) } }
        for open in finder.links { add(open) }
        deltaLink = deltaLink ?? control.deltaLink
        current = (mode, control, false)
        return control
    }

    /// Brings the rows of a staged page in Atom to the ingest.
    func applyAtom(
        _ page: StagedPages.Page, _ database: Database, into ingest: inout RowIngest
    ) throws {
        let bytes = try Self.parts(of: staged.source(of: page, in: database)).flatMap { $0 }
        for item in try atom(bytes).items { try ingest.receive(item) }
    }

    private func atom(_ bytes: [UInt8]) throws -> EntityPage {
        try AtomReader(context.mapping.graph).page(
            bytes, of: plan.table.structure, in: plan.table.entitySet)
    }

    private func store(
        _ items: [EntityPageItem], _ control: PageControl
    ) throws -> [OpenNavigation] {
        var parts = PageIngest(plan, context, from: nil)
        var rest = items[...]
        repeat {
            try writePart { database in
                var ingest = try parts.begin(in: database)
                while let item = rest.popFirst() {
                    try ingest.receive(item)
                    if ingest.isFull { break }
                }
                let received = try parts.end(&ingest)
                if parts.open.isEmpty { try self.takeBackDeleted(in: database) }
                if rest.isEmpty, parts.open.isEmpty {
                    try self.keep(control, of: parts, rows: received, in: database)
                }
                return received
            }
        } while !rest.isEmpty
        return took(parts)
    }
}

extension PageControl {
    fileprivate init(_ feed: EntityPage) {
        self.init()
        context = feed.context
        count = feed.count
        nextLink = feed.nextLink
        deltaLink = feed.deltaLink
        rows = feed.items.count
    }
}
