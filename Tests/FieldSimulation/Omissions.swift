/// One thing that happens in a schedule, by its kind and its number among those: what a shorter schedule may leave out.
package struct SimulationEvent: Hashable, Comparable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case write, change, cancel, fault, powerLoss
    }

    package var kind: Kind
    /// Counted from 1.
    package var number: Int

    package init(kind: Kind, number: Int) {
        self.kind = kind
        self.number = number
    }

    package var description: String { "\(kind.rawValue) \(number)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind.rawValue, left.number) < (right.kind.rawValue, right.number)
    }
}

/// Makes a failing schedule small: leaves out what it fails without.
///
/// A schedule is a seed and what is left out of it, so that the shorter ones are found by trying (delta debugging): first halves of what
/// happened, then smaller and smaller parts.
package enum Shrinking {
    /// What came of trying a schedule.
    package struct Attempt {
        package var isFailing: Bool
        /// What happened in it.
        package var events: Set<SimulationEvent>

        package init(isFailing: Bool, events: Set<SimulationEvent>) {
            self.isFailing = isFailing
            self.events = events
        }
    }

    /// - Parameters:
    ///   - attempts: how many schedules may be tried.
    ///   - run: runs the schedule without some events.
    /// - Returns: what can be left out; empty where the schedule does not fail.
    package static func omissions(
        attempts: Int, _ run: (Set<SimulationEvent>) throws -> Attempt
    ) rethrows -> Set<SimulationEvent> {
        var omitted: Set<SimulationEvent> = []
        var left = attempts
        let whole = try run(omitted)
        guard whole.isFailing else { return [] }
        var events = whole.events.sorted()
        var parts = 2
        while left > 0, !events.isEmpty {
            let size = max(1, events.count / parts)
            var wasShortened = false
            var start = 0
            while start < events.count, left > 0 {
                left -= 1
                let part = Set(events[start..<min(start + size, events.count)])
                let attempt = try run(omitted.union(part))
                guard attempt.isFailing else {
                    start += size
                    continue
                }
                omitted.formUnion(part)
                events = attempt.events.subtracting(omitted).sorted()
                wasShortened = true
            }
            if wasShortened { continue }
            if size == 1 { break }
            parts *= 2
        }
        return omitted
    }
}
