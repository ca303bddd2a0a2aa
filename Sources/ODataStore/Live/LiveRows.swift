import ODataSQL
import ODataSQLite

/// A row of a live query: where it stands among the others, and where its values are.
package struct LiveRow: Sendable {
    package let id: Int64
    /// The values that order the rows, the id last.
    let keys: [SQLArgument]
    /// Tells whether anything that is read of the row changed.
    let fingerprint: Int
    package let chunk: SQLiteRowChunk
    package let row: Int
}

/// What changed between two results of a live query.
///
/// Positions of ``deleted`` and the first of ``moved`` count in the old result, all others in the new one: take out the
/// old positions, then put in the new ones in rising order.
package struct LiveDifference: Sendable {
    package var inserted: [(position: Int, row: LiveRow)] = []
    package var updated: [(position: Int, row: LiveRow)] = []
    package var moved: [(from: Int, to: Int, row: LiveRow)] = []
    package var deleted: [(position: Int, row: LiveRow)] = []

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && moved.isEmpty && deleted.isEmpty
    }
}

/// The ordered rows of a live query.
struct LiveRows: Sendable {
    private(set) var rows: [LiveRow] = []
    private var byID: [Int64: LiveRow] = [:]
    private let isDescending: [Bool]

    init(_ rows: [LiveRow], isDescending: [Bool]) {
        self.rows = rows
        self.isDescending = isDescending
        byID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The difference to another result.
    func difference(to other: LiveRows) -> LiveDifference {
        var difference = LiveDifference()
        let newPositions = Dictionary(
            other.rows.enumerated().map { ($0.element.id, $0.offset) }
        ) { first, _ in first }
        var kept: [(old: Int, new: Int)] = []
        for (position, row) in rows.enumerated() {
            guard let new = newPositions[row.id] else {
                difference.deleted.append((position, row))
                continue
            }
            kept.append((position, new))
            if other.rows[new].fingerprint != row.fingerprint {
                difference.updated.append((new, other.rows[new]))
            }
        }
        for (position, row) in other.rows.enumerated() where byID[row.id] == nil {
            difference.inserted.append((position, row))
        }
        let staying = Self.longestRise(kept.map(\.new))
        for (index, pair) in kept.enumerated() where !staying.contains(index) {
            difference.moved.append((pair.old, pair.new, other.rows[pair.new]))
        }
        difference.moved.sort { $0.to < $1.to }
        difference.updated.sort { $0.position < $1.position }
        return difference
    }

    /// The indexes of a longest rising subsequence: the rows that need not move.
    private static func longestRise(_ values: [Int]) -> Set<Int> {
        var tails: [Int] = []
        var previous = Array(repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: Set<Int> = []
        var index = tails.last ?? -1
        while index >= 0 {
            result.insert(index)
            index = previous[index]
        }
        return result
    }

    // MARK: Touched rows only

    /// Puts the present state of some rows in the place of their old one. Complexity: logarithmic in the rows for
    /// each touched one, beside moving the array's memory.
    mutating func replace(_ ids: Set<Int64>, with found: [LiveRow]) -> LiveDifference {
        var difference = LiveDifference()
        let present = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        var leaving: [(position: Int, row: LiveRow)] = []
        for id in ids {
            guard let old = byID[id] else { continue }
            if let new = present[id], new.keys == old.keys {
                guard new.fingerprint != old.fingerprint else { continue }
                let position = position(of: old)
                rows[position] = new
                byID[id] = new
                difference.updated.append((position, new))
                continue
            }
            leaving.append((position(of: old), old))
        }
        leaving.sort { $0.position < $1.position }
        for (position, row) in leaving.reversed() {
            rows.remove(at: position)
            byID[row.id] = nil
        }
        let old = Dictionary(leaving.map { ($0.row.id, $0) }) { first, _ in first }
        let entering = found.filter { byID[$0.id] == nil }.sorted { precedes($0, $1) }
        for row in entering {
            rows.insert(row, at: position(of: row))
            byID[row.id] = row
        }
        for row in entering {
            let position = position(of: row)
            guard let before = old[row.id] else {
                difference.inserted.append((position, row))
                continue
            }
            if before.row.fingerprint != row.fingerprint {
                difference.updated.append((position, row))
            }
            difference.moved.append((before.position, position, row))
        }
        difference.deleted = leaving.filter { present[$0.row.id] == nil }
        difference.updated = difference.updated.map { (position(of: $0.row), $0.row) }
            .sorted { $0.position < $1.position }
        return difference
    }

    /// Where the row stands or would stand.
    private func position(of row: LiveRow) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(rows[middle], row) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(_ left: LiveRow, _ right: LiveRow) -> Bool {
        for (index, (a, b)) in zip(left.keys, right.keys).enumerated() {
            let order = Self.order(a, b)
            guard order != 0 else { continue }
            return index < isDescending.count && isDescending[index] ? order > 0 : order < 0
        }
        return false
    }

    /// SQLite's order of values of all storage classes.
    private static func order(_ a: SQLArgument, _ b: SQLArgument) -> Int {
        switch (a, b) {
        case (.integer(let x), .integer(let y)): return x < y ? -1 : x > y ? 1 : 0
        case (.real(let x), .real(let y)): return x < y ? -1 : x > y ? 1 : 0
        case (.integer(let x), .real(let y)):
            return Double(x) < y ? -1 : Double(x) > y ? 1 : 0
        case (.real(let x), .integer(let y)):
            return x < Double(y) ? -1 : x > Double(y) ? 1 : 0
        case (.text(let x), .text(let y)):
            return x.utf8.lexicographicallyPrecedes(y.utf8)
                ? -1 : x.utf8.elementsEqual(y.utf8) ? 0 : 1
        case (.blob(let x), .blob(let y)):
            return x.lexicographicallyPrecedes(y) ? -1 : x == y ? 0 : 1
        default: return rank(a) - rank(b)
        }
    }

    private static func rank(_ value: SQLArgument) -> Int {
        switch value {
        case .null, .parentRows: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
