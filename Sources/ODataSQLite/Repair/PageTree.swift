import ODataText

/// Reads the rows of tables and the entries of indexes page by page, around pages that are damaged.
package struct PageTree {
    package let pages: DatabasePages
    /// Pages that a tree was found to own; no page belongs to two.
    package private(set) var visited: PageSet

    private static let maximumDepth = 24
    private static let maximumPayload = 1 << 30

    package init(_ pages: DatabasePages) {
        self.pages = pages
        visited = PageSet(count: pages.count)
        _ = visited.insert(1)
    }

    /// What a walk has met.
    package struct Outcome: Sendable, Hashable {
        /// Pages that could not be read, and everything below them.
        package var damagedPages = 0
        /// Rows on readable pages that are themselves damaged.
        package var damagedRows = 0

        package var isWhole: Bool { damagedPages == 0 && damagedRows == 0 }
    }

    private enum Kind: Int {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isTable: Bool { self == .tableInterior || self == .tableLeaf }
        var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    }

    /// Gives every readable row of the tree, with its rowid (0 for the entries of an index), in order.
    package mutating func walk(
        root: Int, isTable: Bool, _ body: (Int64, [UInt8]) throws -> Bool
    ) rethrows -> Outcome {
        var outcome = Outcome()
        try walk(root, isTable, depth: 0, &outcome, body)
        return outcome
    }

    private mutating func walk(
        _ page: Int, _ isTable: Bool, depth: Int, _ outcome: inout Outcome,
        _ body: (Int64, [UInt8]) throws -> Bool
    ) rethrows {
        guard page >= 1, page <= pages.count, depth < Self.maximumDepth,
            page == 1 && depth == 0 || visited.insert(page),
            let (kind, cells, rightmost) = layout(page), kind.isTable == isTable
        else {
            outcome.damagedPages += 1
            return
        }
        for cell in cells {
            if !kind.isLeaf {
                guard let child = pages.number(page: page, cell, 4) else {
                    outcome.damagedPages += 1
                    continue
                }
                try walk(child, isTable, depth: depth + 1, &outcome, body)
            }
            guard kind != .tableInterior else { continue }
            guard let (rowid, payload) = payload(page, cell, kind), try body(rowid, payload) else {
                outcome.damagedRows += 1
                continue
            }
        }
        if let rightmost { try walk(rightmost, isTable, depth: depth + 1, &outcome, body) }
    }

    /// Gives the rows of leaves that no walk has reached and that are not unused.
    ///
    /// - Parameter body: Returns whether the row is one that was looked for.
    package func orphans(_ body: (Int64, [UInt8]) throws -> Void) rethrows {
        guard pages.count > 1 else { return }
        for page in 2...pages.count
        where !visited.contains(page) && pages.free?.contains(page) != true {
            guard let (kind, cells, _) = layout(page), kind == .tableLeaf else { continue }
            for cell in cells {
                guard let (rowid, payload) = payload(page, cell, kind) else { continue }
                try body(rowid, payload)
            }
        }
    }

    /// Kind, places of the cells and last child; nil for a page that is no node of a tree.
    private func layout(_ page: Int) -> (Kind, [Int], Int?)? {
        let start = page == 1 ? 100 : 0
        guard let kind = pages.number(page: page, start, 1).flatMap(Kind.init(rawValue:)),
            let count = pages.number(page: page, start + 3, 2)
        else { return nil }
        let pointers = start + (kind.isLeaf ? 8 : 12)
        guard pointers + 2 * count <= pages.usable else { return nil }
        var cells: [Int] = []
        cells.reserveCapacity(count)
        for index in 0..<count {
            guard let cell = pages.number(page: page, pointers + 2 * index, 2),
                cell >= pointers + 2 * count, cell < pages.usable
            else { return nil }
            cells.append(cell)
        }
        guard !kind.isLeaf else { return (kind, cells, nil) }
        guard let rightmost = pages.number(page: page, start + 8, 4) else { return nil }
        return (kind, cells, rightmost)
    }

    private func payload(_ page: Int, _ cell: Int, _ kind: Kind) -> (Int64, [UInt8])? {
        var place = cell + (kind.isLeaf ? 0 : 4)
        guard let (length, lengthBytes) = pages.varint(page: page, place), length >= 0,
            length <= Self.maximumPayload
        else { return nil }
        place += lengthBytes
        var rowid: Int64 = 0
        if kind.isTable {
            guard let (value, bytes) = pages.varint(page: page, place) else { return nil }
            (rowid, place) = (value, place + bytes)
        }
        let total = Int(length)
        let local = localLength(total, kind)
        guard let start = pages.content(page: page, place, local) else { return nil }
        guard local < total else { return (rowid, Array(start)) }
        guard let next = pages.number(page: page, place + local, 4),
            let rest = overflow(from: next, total - local)
        else { return nil }
        return (rowid, Array(start) + rest)
    }

    /// How much of a payload is on the page itself.
    private func localLength(_ total: Int, _ kind: Kind) -> Int {
        let usable = pages.usable
        let most = kind.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard total > most else { return total }
        let least = (usable - 12) * 32 / 255 - 23
        let local = least + (total - least) % (usable - 4)
        return local <= most ? local : least
    }

    private func overflow(from first: Int, _ count: Int) -> [UInt8]? {
        guard count <= pages.count * pages.pageSize else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var page = first
        var seen: Set<Int> = []
        while bytes.count < count {
            let piece = min(pages.usable - 4, count - bytes.count)
            guard seen.insert(page).inserted, page > 1,
                pages.free?.contains(page) != true,
                let content = pages.content(page: page, 4, piece),
                let next = pages.number(page: page, 0, 4)
            else { return nil }
            bytes += content
            page = next
        }
        // A chain of zeros is a page that was lost.
        return page == 0 ? bytes : nil
    }
}
