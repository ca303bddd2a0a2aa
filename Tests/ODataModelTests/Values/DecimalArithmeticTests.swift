import ODataModel
import ODataText
import Testing

/// Random arithmetic against long-hand arithmetic on strings of digits that shares nothing with the code under test.
@Suite struct DecimalArithmeticTests {
    /// A signed integer as digits, most significant first.
    private struct LongHand: Equatable {
        var isNegative: Bool
        var digits: [Int]

        init(_ isNegative: Bool, _ digits: [Int]) {
            let trimmed = Array(digits.drop { $0 == 0 })
            self.digits = trimmed.isEmpty ? [0] : trimmed
            self.isNegative = isNegative && !trimmed.isEmpty
        }

        var text: String { (isNegative ? "-" : "") + digits.map(String.init).joined() }

        static func compareMagnitude(_ a: [Int], _ b: [Int]) -> Int {
            guard a.count == b.count else { return a.count < b.count ? -1 : 1 }
            for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
            return 0
        }

        static func addMagnitude(_ a: [Int], _ b: [Int]) -> [Int] {
            var result: [Int] = []
            var carry = 0
            for index in 0..<max(a.count, b.count) {
                let x = index < a.count ? a[a.count - 1 - index] : 0
                let y = index < b.count ? b[b.count - 1 - index] : 0
                result.insert((x + y + carry) % 10, at: 0)
                carry = (x + y + carry) / 10
            }
            return [carry] + result
        }

        static func subtractMagnitude(_ a: [Int], _ b: [Int]) -> [Int] {
            var result: [Int] = []
            var borrow = 0
            for index in 0..<a.count {
                let x = a[a.count - 1 - index] - borrow
                let y = index < b.count ? b[b.count - 1 - index] : 0
                borrow = x < y ? 1 : 0
                result.insert(x + borrow * 10 - y, at: 0)
            }
            return result
        }

        static func + (a: LongHand, b: LongHand) -> LongHand {
            if a.isNegative == b.isNegative {
                return LongHand(a.isNegative, addMagnitude(a.digits, b.digits))
            }
            if compareMagnitude(a.digits, b.digits) >= 0 {
                return LongHand(a.isNegative, subtractMagnitude(a.digits, b.digits))
            }
            return LongHand(b.isNegative, subtractMagnitude(b.digits, a.digits))
        }

        static func * (a: LongHand, b: LongHand) -> LongHand {
            var cells = [Int](repeating: 0, count: a.digits.count + b.digits.count)
            for (i, x) in a.digits.enumerated() {
                for (j, y) in b.digits.enumerated() { cells[i + j + 1] += x * y }
            }
            for index in cells.indices.reversed() where index > 0 {
                cells[index - 1] += cells[index] / 10
                cells[index] %= 10
            }
            return LongHand(a.isNegative != b.isNegative, cells)
        }

        /// Long division, one digit at a time, towards zero.
        func divided(by other: LongHand) -> (quotient: LongHand, remainder: LongHand) {
            var rest: [Int] = [0]
            var quotient: [Int] = []
            for digit in digits {
                rest = LongHand(false, rest + [digit]).digits
                var count = 0
                while LongHand.compareMagnitude(rest, other.digits) >= 0 {
                    rest =
                        LongHand(
                            false, LongHand.subtractMagnitude(rest, other.digits)
                        ).digits
                    count += 1
                }
                quotient.append(count)
            }
            return (
                LongHand(isNegative != other.isNegative, quotient), LongHand(isNegative, rest)
            )
        }
    }

    private func random(_ generator: inout SeededGenerator) -> (LongHand, DecimalNumber) {
        let count = Int.random(in: 1...(Bool.random(using: &generator) ? 8 : 60), using: &generator)
        // Runs of nines and zeros provoke carries and wrong quotient estimates.
        let style = Int.random(in: 0..<3, using: &generator)
        let digits = (0..<count).map { _ -> Int in
            switch style {
            case 0: Int.random(in: 0...9, using: &generator)
            case 1: Bool.random(using: &generator) ? 9 : 0
            default: Int.random(in: 0..<20, using: &generator) == 0 ? 1 : 9
            }
        }
        let value = LongHand(Bool.random(using: &generator), digits)
        return (value, DecimalNumber(value.text) ?? .zero)
    }

    @Test func fourThousandRandomPairsAgreeWithLongHand() throws {
        var generator = SeededGenerator(seed: 20_311_105)
        for round in 0..<4000 {
            let (a, x) = random(&generator)
            let (b, y) = random(&generator)
            #expect(x.description == a.text, "round \(round)")
            #expect((x + y).description == (a + b).text, "round \(round)")
            #expect((x - y).description == (a + LongHand(!b.isNegative, b.digits)).text)
            #expect((x * y).description == (a * b).text, "round \(round)")
            let difference = a + LongHand(!b.isNegative, b.digits)
            let isZero = difference.digits == [0]
            #expect((x < y) == difference.isNegative)
            #expect((x == y) == isZero)
            #expect(x.orderKey.lexicographicallyPrecedes(y.orderKey) == difference.isNegative)
            #expect((x.orderKey == y.orderKey) == isZero)
            guard b.digits != [0] else { continue }
            let (quotient, rest) = a.divided(by: b)
            #expect(
                x.divided(by: y, scale: 0, rounding: .down)?.description == quotient.text,
                "round \(round): \(a.text) / \(b.text)")
            #expect(x.remainder(dividingBy: y)?.description == rest.text, "round \(round)")
        }
    }

    @Test func orderKeysOrderFractionsOfAllMagnitudes() throws {
        var generator = SeededGenerator(seed: 7)
        var values: [DecimalNumber] = []
        for _ in 0..<400 {
            let digits = Int64.random(in: -99_999...99_999, using: &generator)
            let scale = Int.random(in: -90...90, using: &generator)
            values.append(DecimalNumber(coefficient: digits, scale: scale))
        }
        for left in values {
            for right in values {
                #expect(
                    (left < right)
                        == left.orderKey.lexicographicallyPrecedes(right.orderKey))
            }
        }
    }
}
