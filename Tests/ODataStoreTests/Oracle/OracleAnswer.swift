import ODataModel

/// An entity or another instance as an answer shows it.
struct OracleShown: Sendable {
    var type: String
    var values: [String: OracleValue] = [:]
    /// Expanded to-one navigation properties: one instance or none.
    var one: [String: [OracleShown]] = [:]
    var many: [String: [OracleShown]] = [:]
    var counts: [String: Int64] = [:]
    /// Expanded collections whose order nothing tells.
    var unordered: Set<String> = []
    /// Expanded collections that are no entities.
    var derived: Set<String> = []
    /// Values that no property declares.
    var computed: Set<String> = []

    init(type: String) { self.type = type }

    /// What tells rows of one set apart.
    var key: [Int64] {
        let base = type == "Vip" ? "Customer" : type
        return (OracleRow.keyNames[base] ?? []).map { name in
            if case .whole(let value)? = values[name] { value } else { 0 }
        }
    }

    static func sorted(_ rows: [OracleShown]) -> [OracleShown] {
        rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// Every value by its path, null left out.
    func flat(_ prefix: String = "") -> [String: OracleValue] {
        var result: [String: OracleValue] = [:]
        func add(_ name: String, _ value: OracleValue) {
            if case .record(let members) = value {
                for (inner, value) in members { add(name + "/" + inner, value) }
            } else if !value.isNull {
                result[name] = value
            }
        }
        for (name, value) in values { add(prefix + name, value) }
        for (name, instances) in one {
            for instance in instances {
                result.merge(instance.flat(prefix + name + "/")) { $1 }
            }
        }
        return result
    }

    var text: String {
        var parts = [type]
        parts += values.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(OracleLexical.text($0.value))" }
        parts += one.sorted { $0.key < $1.key }
            .map { "\($0.key)={\($0.value.map(\.text).joined())}" }
        parts += many.sorted { $0.key < $1.key }
            .map { "\($0.key)=[\($0.value.map(\.text).joined(separator: "; "))]" }
        parts += counts.sorted { $0.key < $1.key }.map { "\($0.key)/$count=\($0.value)" }
        return parts.joined(separator: " ")
    }
}

/// The answer to a query.
struct OracleAnswer: Sendable {
    var rows: [OracleShown] = []
    var count: Int64?
    /// The value of one property; nil for other queries.
    var value: OracleValue?
    /// False where rows may come in any order.
    var isOrdered = true
    /// True for instances that `$apply` made, which have no key.
    var isDerived = false

    /// What this answer, the expected one, says otherwise than the found one; nil when nothing.
    func difference(from found: OracleAnswer) -> String? {
        if count != found.count {
            return
                "count \(count.map(String.init) ?? "none") / \(found.count.map(String.init) ?? "none")"
        }
        if let value {
            let other = found.value ?? .null
            return OracleValue.same(value, other, isLoose: false)
                ? nil : "\(OracleLexical.text(value)) / \(OracleLexical.text(other))"
        }
        if isDerived { return derivedDifference(found) }
        return Self.difference(
            rows, isOrdered ? found.rows : OracleShown.sorted(found.rows), at: "rows")
    }

    /// One text for each row, told apart by its bytes: Swift takes canonically equivalent text for equal.
    private static func texts(_ rows: [OracleShown], isSorted: Bool) -> [[UInt8]] {
        let texts = rows.map { Array(looseText($0.flat()).utf8) }
        return isSorted ? texts.sorted { $0.lexicographicallyPrecedes($1) } : texts
    }

    private func derivedDifference(_ found: OracleAnswer) -> String? {
        let a = Self.texts(rows, isSorted: !isOrdered)
        let b = Self.texts(found.rows, isSorted: !isOrdered)
        guard a != b else { return nil }
        guard a.count == b.count else { return "\(a.count) / \(b.count) instances" }
        guard let pair = zip(a, b).first(where: { $0 != $1 }) else { return nil }
        return "\(Self.shown(pair.0)) / \(Self.shown(pair.1))"
    }

    private static func shown(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }

    /// Numbers by their value, instants without their offset.
    private static func looseText(_ values: [String: OracleValue]) -> String {
        values.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case .instant(let instant, _):
                return "\(name)=\(OracleLexical.text(.instant(instant, offset: 0)))"
            case .decimal(let number):
                return "\(name)=\(number.withoutTrailingZeros.description)"
            case .real(let number) where number.magnitude < 1e15 && number == number.rounded():
                return "\(name)=\(Int64(number))"
            case .real(let number): return "\(name)=\(number.isNaN ? .nan : number)"
            default: return "\(name)=\(OracleLexical.text(value))"
            }
        }.joined(separator: " ")
    }

    private static func difference(
        _ a: [OracleShown], _ b: [OracleShown], at place: String
    ) -> String? {
        guard a.count == b.count else { return "\(place): \(a.count) / \(b.count)" }
        for (index, (x, y)) in zip(a, b).enumerated() {
            if let found = difference(x, y) { return "\(place)[\(index)] \(found)" }
        }
        return nil
    }

    private static func difference(_ a: OracleShown, _ b: OracleShown) -> String? {
        guard a.type == b.type else { return "\(a.type) / \(b.type)" }
        guard a.values.count == b.values.count else {
            return "\(a.values.keys.sorted()) / \(b.values.keys.sorted())"
        }
        for (name, value) in a.values {
            guard let other = b.values[name] else { return "\(name) / none" }
            guard OracleValue.same(value, other, isLoose: a.computed.contains(name)) else {
                return "\(name) \(OracleLexical.text(value)) / \(OracleLexical.text(other))"
            }
        }
        guard a.counts == b.counts else { return "\(a.counts) / \(b.counts)" }
        guard Set(a.one.keys) == Set(b.one.keys), Set(a.many.keys) == Set(b.many.keys) else {
            return "\((Array(a.one.keys) + a.many.keys).sorted()) / "
                + "\((Array(b.one.keys) + b.many.keys).sorted())"
        }
        for (name, instances) in a.one {
            if let found = difference(instances, b.one[name] ?? [], at: name) { return found }
        }
        for (name, instances) in a.many {
            let other = b.many[name] ?? []
            if a.derived.contains(name) {
                let x = texts(instances, isSorted: true)
                let y = texts(other, isSorted: true)
                if x != y { return "\(name): \(x.map(shown)) / \(y.map(shown))" }
                continue
            }
            let ordered = a.unordered.contains(name) ? OracleShown.sorted(other) : other
            if let found = difference(instances, ordered, at: name) { return found }
        }
        return nil
    }

    var text: String {
        var lines = rows.map { isDerived ? Self.looseText($0.flat()) : $0.text }
        if let count { lines.insert("count \(count)", at: 0) }
        if let value { lines.append(OracleLexical.text(value)) }
        return lines.isEmpty ? "nothing" : lines.joined(separator: "\n    ")
    }
}
