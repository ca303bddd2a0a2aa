import ODataModel
import ODataSQL
import ODataWire

/// The next link of an expanded collection, and the expansions that lead to it.
struct OpenLink: Sendable, Hashable {
    var link: String
    var path: [Int]
}

/// Takes no row: finds what a page says of collections that go on elsewhere, at any depth.
struct OpenLinkFinder: RowSink {
    let plan: IngestPlan
    let path: [Int]
    private(set) var rows = 0
    private(set) var links: [OpenLink] = []

    init(_ plan: IngestPlan, path: [Int] = []) {
        self.plan = plan
        self.path = path
    }

    mutating func receive(_ row: IncomingRow) throws {
        rows += 1
        for part in row.navigations {
            let path = path + [part.index]
            if part.part == .nextLink {
                if let link = row.text(part.field) {
                    links.append(OpenLink(link: link, path: path))
                }
                continue
            }
            let below = plan.expansions[part.index].plan
            guard !below.expansions.isEmpty,
                part.field.kind == .object || part.field.kind == .array
            else { continue }
            var reader = RowReader(shape: below.shape)
            var finder = OpenLinkFinder(below, path: path)
            try reader.readNested(row.bytes(part.field.span), into: &finder)
            links += finder.links
        }
    }
}

extension OpenLinkFinder {
    /// The same for an item that came as values.
    mutating func receive(_ item: EntityPageItem) {
        rows += 1
        if case .entity(let value, _) = item { find(in: value, plan, path) }
    }

    private mutating func find(in value: StructureValue, _ plan: IngestPlan, _ path: [Int]) {
        for (index, expansion) in plan.expansions.enumerated() {
            let (name, path) = (expansion.navigation.path, path + [index])
            for related in value.related(name, in: plan.graph) ?? [] {
                find(in: related, expansion.plan, path)
            }
            if let link = value.control.nextLinks[name] {
                links.append(OpenLink(link: link, path: path))
            }
        }
    }
}
