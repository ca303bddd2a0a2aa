import ODataModel
import ODataText

/// What the statements of a plan gave.
package struct PlanAnswer {
    package struct Row {
        package var cells: [String: Scalar] = [:]
        package var expanded: [String: PlanAnswer] = [:]
    }

    package var count: Int64?
    package var rows: [Row] = []
    /// True where the statement gives expanded rows in a total order.
    package var isOrdered = false

    package init() {}

    /// Nil where both say the same; doubles may differ by what the order of additions makes of them.
    package func difference(from other: PlanAnswer, isOrdered: Bool) -> String? {
        guard count == other.count else {
            return "count \(count ?? -1), \(other.count ?? -1)"
        }
        guard rows.count == other.rows.count else {
            return "rows \(rows.count), \(other.rows.count)"
        }
        let (left, right) =
            isOrdered ? (rows, other.rows) : (Self.sorted(rows), Self.sorted(other.rows))
        for (position, (a, b)) in zip(left, right).enumerated() {
            if let difference = a.difference(from: b) {
                return "row \(position): \(difference)"
            }
        }
        return nil
    }

    private static func sorted(_ rows: [Row]) -> [Row] {
        rows.map { (key: $0.text, row: $0) }.sorted { $0.key < $1.key }.map(\.row)
    }
}

extension PlanAnswer.Row {
    fileprivate func difference(from other: PlanAnswer.Row) -> String? {
        guard cells.keys == other.cells.keys || Set(cells.keys) == Set(other.cells.keys),
            Set(expanded.keys) == Set(other.expanded.keys)
        else { return "\(cells.keys.sorted()), \(other.cells.keys.sorted())" }
        for (name, value) in cells {
            guard let found = other.cells[name], !value.isNearly(found) else { continue }
            return "\(name): \(value), \(found)"
        }
        for (name, answer) in expanded {
            guard let found = other.expanded[name],
                let difference = answer.difference(from: found, isOrdered: answer.isOrdered)
            else { continue }
            return "\(name)/\(difference)"
        }
        return nil
    }

    /// Orders rows that come in any order.
    fileprivate var text: String {
        let values = cells.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.sortText)" }
        let nested = expanded.sorted { $0.key < $1.key }.map { name, answer in
            "\(name)=[\(answer.rows.map(\.text).sorted().joined(separator: ";"))]"
        }
        return (values + nested).joined(separator: ",")
    }
}

extension Scalar {
    fileprivate var sortText: String {
        switch self {
        case .null: "null"
        case .string(let text): "'\(text)'"
        case .decimal(let value): value.withoutTrailingZeros.description
        case .double(let value) where value.isFinite:
            // Far fewer digits than two sums may differ in.
            Float(value) == 0 ? "0.0" : Float(value).description.prefix(6) + "e\(value.exponent)"
        case .dateTimeOffset(let value): value.utcText
        default: Lexical.text(self)
        }
    }

    fileprivate func isNearly(_ other: Scalar) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)):
            a == b || a.isNaN && b.isNaN || abs(a - b) <= 1e-12 * max(abs(a), abs(b))
        case (.decimal(let a), .decimal(let b)):
            a.withoutTrailingZeros == b.withoutTrailingZeros
        case (.dateTimeOffset(let a), .dateTimeOffset(let b)): a.utcText == b.utcText
        default: self == other
        }
    }
}
