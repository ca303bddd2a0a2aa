import ODataText

/// Which transactions a place in time saw: all below `xmin`, none from `xmax` on, and of those between all but the running ones.
struct TransactionSnapshot: Sendable, Hashable {
    var xmin: UInt64
    var xmax: UInt64
    /// In rising order.
    var running: [UInt64]

    /// The text of a `pg_snapshot`; nil for any other.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let xmin = UInt64(parts[0]), let xmax = UInt64(parts[1]) else {
            return nil
        }
        let numbers = parts[2].split(separator: ",")
        let running = numbers.compactMap { UInt64($0) }
        guard running.count == numbers.count else { return nil }
        self.init(xmin: xmin, xmax: xmax, running: running)
    }

    /// Nil for what no snapshot can be.
    init?(xmin: UInt64, xmax: UInt64, running: [UInt64]) {
        guard xmin > 0, xmin <= xmax, xmax <= UInt64(Int64.max) else { return nil }
        var next = xmin
        for number in running {
            guard number >= next, number < xmax else { return nil }
            next = number + 1
        }
        (self.xmin, self.xmax, self.running) = (xmin, xmax, running)
    }

    /// As PostgreSQL reads it.
    var text: String {
        "\(xmin):\(xmax):" + running.map { String($0) }.joined(separator: ",")
    }

    /// A snapshot with so many running transactions at most: it ends before the next one, and so sees less. Whoever goes on
    /// from there is told some changes twice, and none never.
    func limited(to count: Int) -> TransactionSnapshot {
        guard running.count > count else { return self }
        var result = self
        result.xmax = running[count]
        result.running = Array(running.prefix(count))
        return result
    }
}

/// A place in the log of changes of one table, as tokens have it.
struct LogMark: Sendable, Hashable {
    /// Names the log: the cluster, its time line and the database, since when changes are noted, and the parts of a
    /// partitioned table. After a change of any of them nobody knows what was not noted.
    var log: String
    var snapshot: TransactionSnapshot

    init(log: String, snapshot: TransactionSnapshot) {
        self.log = log
        self.snapshot = snapshot.limited(to: Self.maximumRunning)
    }

    /// - Throws: 400 for what ``text`` never gives.
    init(parsing text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().prefix(Self.maximumRunning + 3).compactMap {
            $0.first == "+" ? nil : UInt64($0, radix: Self.radix)
        }
        guard let log = parts.first, numbers.count + 1 == parts.count, numbers.count >= 2,
            numbers.count <= Self.maximumRunning + 2
        else { throw Self.foreign }
        let (xmax, isBeyond) = numbers[0].addingReportingOverflow(numbers[1])
        guard !isBeyond else { throw Self.foreign }
        var running: [UInt64] = []
        var last = numbers[0]
        for gap in numbers.dropFirst(2) {
            let (next, isBeyond) = last.addingReportingOverflow(gap)
            guard !isBeyond else { throw Self.foreign }
            running.append(next)
            last = next
        }
        guard
            let snapshot = TransactionSnapshot(xmin: numbers[0], xmax: xmax, running: running)
        else { throw Self.foreign }
        self.log = String(log)
        self.snapshot = snapshot
    }

    /// Numbers as their distances from each other.
    var text: String {
        var numbers = [snapshot.xmin, snapshot.xmax - snapshot.xmin]
        var last = snapshot.xmin
        for number in snapshot.running {
            numbers.append(number - last)
            last = number
        }
        return ([log] + numbers.map { String($0, radix: Self.radix) }).joined(separator: ".")
    }

    private static let foreign = ODataError(
        .invalidQuery, "Expected a token that this service gave out.", status: 400)
    private static let radix = 36
    /// A token is part of a URL.
    static let maximumRunning = 1_000
}
