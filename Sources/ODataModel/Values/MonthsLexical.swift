/// The form of durations that count months only (XML Schema 1.1, part 2, section 3.4.26): `P1Y6M`, `-P18M`.
package enum MonthsLexical {
    /// The parts as written; nil for other text.
    package static func read(_ text: String) -> (sign: Int, years: Int, months: Int)? {
        LexicalCursor.readAll(text) { cursor -> (sign: Int, years: Int, months: Int)? in
            let sign = cursor.take("-") ? -1 : 1
            guard cursor.take("P"), let first = cursor.number(digits: 1...9) else { return nil }
            if cursor.take("M") { return (sign, 0, Int(first)) }
            guard cursor.take("Y") else { return nil }
            guard let second = cursor.number(digits: 1...9) else {
                return (sign, Int(first), 0)
            }
            return cursor.take("M") ? (sign, Int(first), Int(second)) : nil
        }
    }
}
