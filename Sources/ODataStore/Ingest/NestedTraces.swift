/// What rows that came through expansions say of the expansions below them.
///
/// Bits by the number of an expansion: those of a plan in their order, each before the ones below it. What is beyond 64
/// is not noted.
struct NestedTraces: Sendable, Hashable {
    /// The expansions through which rows came.
    var rows: UInt64 = 0
    /// The expansions that rows have said something about.
    var met: UInt64 = 0

    static let none = NestedTraces()

    static func | (left: Self, right: Self) -> Self {
        Self(rows: left.rows | right.rows, met: left.met | right.met)
    }

    /// The bit of an expansion; 0 where there is none.
    static func bit(_ number: Int) -> UInt64 {
        (0..<64).contains(number) ? 1 << UInt64(number) : 0
    }
}

extension IngestPlan {
    /// How many expansions there are, at any depth.
    var expansionCount: Int { expansions.reduce(0) { $0 + 1 + $1.plan.expansionCount } }

    /// The number of the expansion at a path of positions.
    func number(at path: [Int]) -> Int {
        var (plan, number) = (self, -1)
        for index in path {
            number += plan.expansions[..<index].reduce(1) { $0 + 1 + $1.plan.expansionCount }
            plan = plan.expansions[index].plan
        }
        return number
    }
}

extension RowIngest {
    /// What its rows have said so far.
    ///
    /// - Parameter first: the number of the first expansion of its plan.
    func traces(from first: Int = 0) -> NestedTraces {
        var (traces, number) = (NestedTraces(), first)
        for (index, nested) in nested.enumerated() {
            if metExpansions & (1 << UInt64(index & 63)) != 0 {
                traces.met |= NestedTraces.bit(number)
            }
            traces = traces | nested.traces(number)
            number += 1 + plan.expansions[index].plan.expansionCount
        }
        return traces
    }
}

extension NestedIngest {
    /// What its rows have said so far.
    ///
    /// - Parameter number: that of its expansion.
    func traces(_ number: Int) -> NestedTraces {
        var traces = ingest.traces(from: number + 1)
        if ingest.counts.received > 0 { traces.rows |= NestedTraces.bit(number) }
        return traces
    }
}
