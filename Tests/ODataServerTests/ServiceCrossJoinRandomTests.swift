import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Drawn cross joins say what the product of the sets, filtered and ordered in memory, says.
@Suite struct ServiceCrossJoinRandomTests {
    /// A row of a set: its key as it stands in links, and its columns; what is null is absent.
    private struct Row {
        var key: String
        var values: [String: Int]
    }

    private typealias Instance = [String: Row]
    private typealias Path = (set: String, column: String)

    /// False and true, and nil for what is unknown.
    private struct Condition {
        var text: String
        var holds: (Instance) -> Bool?
    }

    private struct Order {
        var path: Path
        var isDown: Bool
    }

    private static let schema = """
        CREATE TABLE A (Id INTEGER PRIMARY KEY, X INTEGER, Y INTEGER);
        CREATE TABLE B (Id INTEGER PRIMARY KEY, X INTEGER, AId INTEGER REFERENCES A(Id));
        CREATE TABLE C (P INTEGER NOT NULL, Q INTEGER NOT NULL, X INTEGER, PRIMARY KEY (P, Q));
        """

    private static let columns: [String: [String]] = [
        "A": ["Id", "X", "Y"], "B": ["Id", "X", "AId"], "C": ["P", "Q", "X"],
    ]

    /// Rows drawn anew in the order of their keys.
    private static func draw(_ random: inout SeededGenerator) -> [String: [Row]] {
        var sets: [String: [Row]] = [:]
        for name in ["A", "B", "C"] {
            let count: Int = 3 + random.below(4)
            for number in 1...count {
                var values: [String: Int] = [:]
                for column in columns[name] ?? [] where random.chance(75) {
                    values[column] = random.below(4)
                }
                var key = String(number)
                if name == "C" {
                    // Three rows have one value in the first part of the key.
                    let first: Int = number / 3
                    values["P"] = first
                    values["Q"] = number
                    key = "P=\(first),Q=\(number)"
                } else {
                    values["Id"] = number
                }
                if name == "B" { values["AId"] = random.chance(70) ? 1 + random.below(3) : nil }
                sets[name, default: []].append(Row(key: key, values: values))
            }
        }
        return sets
    }

    private static func sql(_ sets: [String: [Row]]) -> String {
        var sql = schema
        for name in ["A", "B", "C"] {
            for row in sets[name] ?? [] {
                let texts: [String] = (columns[name] ?? []).map { column in
                    guard let value = row.values[column] else { return "NULL" }
                    return String(value)
                }
                sql += "INSERT INTO \(name) VALUES (\(texts.joined(separator: ", ")));"
            }
        }
        return sql
    }

    private static func value(_ path: Path, _ instance: Instance) -> Int? {
        instance[path.set]?.values[path.column]
    }

    private static func compare(_ symbol: String, _ left: Int, _ right: Int) -> Bool {
        switch symbol {
        case "eq": left == right
        case "ne": left != right
        case "lt": left < right
        default: left >= right
        }
    }

    private static func path(_ sets: [String], _ random: inout SeededGenerator) -> Path {
        let set: String = random.pick(sets)
        let column: String = random.pick(columns[set] ?? [])
        return (set, column)
    }

    private static func condition(
        _ sets: [String], _ depth: Int, _ random: inout SeededGenerator
    ) -> Condition {
        guard depth > 0, random.chance(60) else { return comparison(sets, &random) }
        let left = condition(sets, depth - 1, &random)
        if random.chance(20) {
            return Condition(text: "not (\(left.text))") { instance in
                guard let truth = left.holds(instance) else { return nil }
                return !truth
            }
        }
        let right = condition(sets, depth - 1, &random)
        let isAnd: Bool = random.chance(60)
        let text: String = "(\(left.text)) \(isAnd ? "and" : "or") (\(right.text))"
        return Condition(text: text) { instance in
            let truths: [Bool?] = [left.holds(instance), right.holds(instance)]
            // One false, or one true, decides.
            if truths.contains(.some(!isAnd)) { return !isAnd }
            return truths.contains(nil) ? nil : isAnd
        }
    }

    private static func comparison(
        _ sets: [String], _ random: inout SeededGenerator
    ) -> Condition {
        let first = path(sets, &random)
        let symbol: String = random.pick(["eq", "ne", "lt", "ge"])
        let start: String = "\(first.set)/\(first.column) \(symbol) "
        guard random.chance(50) else {
            let number: Int = random.below(4)
            return Condition(text: start + String(number)) { instance in
                guard let one = value(first, instance) else { return nil }
                return compare(symbol, one, number)
            }
        }
        let second = path(sets, &random)
        return Condition(text: start + "\(second.set)/\(second.column)") { instance in
            guard let one = value(first, instance), let two = value(second, instance) else {
                return nil
            }
            return compare(symbol, one, two)
        }
    }

    /// In the order of the keys.
    private static func product(_ names: [String], _ sets: [String: [Row]]) -> [Instance] {
        var instances: [Instance] = [[:]]
        for name in names {
            var longer: [Instance] = []
            for instance in instances {
                for row in sets[name] ?? [] {
                    var next = instance
                    next[name] = row
                    longer.append(next)
                }
            }
            instances = longer
        }
        return instances
    }

    /// Sorted with equals as they were; what is unknown comes first.
    private static func sorted(_ instances: [Instance], _ order: [Order]) -> [Instance] {
        let numbered = Array(instances.enumerated())
        return numbered.sorted { left, right in
            for item in order {
                let one: Int = value(item.path, left.element) ?? Int.min
                let two: Int = value(item.path, right.element) ?? Int.min
                if one != two { return item.isDown ? one > two : one < two }
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// A cross join, and what it gives.
    private struct Drawn {
        var line: String
        var count: Int
        var links: [[String]]

        init(_ sets: [String: [Row]], _ random: inout SeededGenerator) {
            var names: [String] = ["A", "B", "C"].shuffled(using: &random)
            names.removeLast(random.below(3))
            let filter = random.chance(80) ? condition(names, 2, &random) : nil
            var order: [Order] = []
            for _ in 0..<random.below(3) {
                order.append(Order(path: path(names, &random), isDown: random.chance(50)))
            }
            let top: Int? = random.chance(40) ? random.below(12) : nil
            let skip: Int? = random.chance(40) ? random.below(6) : nil
            var options = ["$count=true"]
            if let filter { options.append("$filter=" + filter.text) }
            if !order.isEmpty {
                let items: [String] = order.map { item in
                    "\(item.path.set)/\(item.path.column)\(item.isDown ? " desc" : "")"
                }
                options.append("$orderby=" + items.joined(separator: ","))
            }
            if let top { options.append("$top=\(top)") }
            if let skip { options.append("$skip=\(skip)") }
            line =
                "/$crossjoin(\(names.joined(separator: ",")))?"
                + options.joined(separator: "&")
            let all = product(names, sets).filter { instance in
                guard let filter else { return true }
                return filter.holds(instance) ?? false
            }
            count = all.count
            let page = sorted(all, order).dropFirst(skip ?? 0).prefix(top ?? Int.max)
            links = page.map { instance in names.map { instance[$0]?.key ?? "none" } }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func drawnQueriesAgree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sets = Self.draw(&random)
        let fixture = try ServiceFixture(schema: Self.sql(sets))
        for _ in 0..<10 {
            let drawn = Drawn(sets, &random)
            let prefer = ["Prefer: odata.maxpagesize=\(1 + random.below(20))"]
            var found: [[String]] = []
            var next: String? = drawn.line
            while let link = next, found.count <= drawn.count {
                let answer = fixture.send("GET " + link, prefer)
                #expect(answer.status == 200, "\(drawn.line) \(answer.text)")
                if link == drawn.line {
                    let count = answer.json["@odata.count"]?.text
                    #expect(count == String(drawn.count), "\(drawn.line)")
                }
                found += ServiceCrossJoinTests.links(answer)
                next = answer.nextLink
            }
            #expect(found == drawn.links, "seed \(seed): \(drawn.line)")
        }
    }

    @Test func aJoinIsOverAtTheDeadline() async throws {
        let tables = ["K", "L", "M"].map { name in
            "CREATE TABLE \(name) (Id INTEGER PRIMARY KEY, V INTEGER);"
                + "INSERT INTO \(name) SELECT Id, V FROM N;"
        }.joined()
        let fixture = try ServiceFixture(schema: SlowRows.schema + tables) {
            $0.requestTime = .milliseconds(200)
        }
        let url = "/$crossjoin(N,K,L,M)/$count?$filter=N/V add K/V add L/V add M/V lt 0"
        try await ServiceSocketTests.served(fixture) { port in
            let line = "GET \(url.replacing(" ", with: "%20")) HTTP/1.1\r\n"
            let answer = ServiceSocketTests.exchange(
                line + "Host: h\r\nConnection: close\r\n\r\n", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer.prefix(200))")
        }
    }
}
