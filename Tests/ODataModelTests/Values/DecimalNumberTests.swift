import ODataModel
import Testing

@Suite struct DecimalNumberTests {
    private func decimal(_ text: String) throws -> DecimalNumber {
        try #require(DecimalNumber(text))
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("12.50", "12.50"), ("-0.001", "-0.001"), ("+42", "42"),
        ("1e3", "1000"), ("1.5E-3", "0.0015"), ("00012.5", "12.5"), ("0.0", "0.0"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"),
        ("-1000000000000000000000000000000", "-1000000000000000000000000000000"),
        ("1.23e25", "12300000000000000000000000"),
    ])
    func textKeepsItsScale(text: String, expected: String) throws {
        #expect(try decimal(text).description == expected)
    }

    @Test(arguments: [
        "", "-", "+", ".", "1.", ".5", "1e", "1e+", "--1", "1,5", " 1", "1 ", "0x10", "1e10001",
        "NaN",
        "1e999999999", "1e9999999999",
    ])
    func textThatIsNoDecimalIsRefused(text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func equalityAndHashIgnoreTheScale() throws {
        #expect(try decimal("12.5") == decimal("12.500"))
        #expect(try decimal("12.5").hashValue == decimal("12.500").hashValue)
        #expect(
            try decimal("1e30").hashValue == decimal("1000000000000000000000000000000.0").hashValue)
        #expect(try decimal("0.00") == .zero)
        #expect(try decimal("12.5").orderKey == decimal("12.50").orderKey)
    }

    @Test(arguments: [
        ("2.5", 0, "2", "3", "3", "2", "3", "2"), ("-2.5", 0, "-2", "-3", "-3", "-2", "-2", "-3"),
        ("3.5", 0, "3", "4", "4", "4", "4", "3"),
        ("2.51", 1, "2.5", "2.6", "2.5", "2.5", "2.6", "2.5"),
        ("2.449", 1, "2.4", "2.5", "2.4", "2.4", "2.5", "2.4"),
        ("7", 2, "7", "7", "7", "7", "7", "7"),
    ])
    func roundingModesCutAsNamed(
        text: String, scale: Int, down: String, up: String, halfUp: String, halfEven: String,
        ceiling: String, floor: String
    ) throws {
        let value = try decimal(text)
        #expect(value.rounded(toScale: scale, .down).description == down)
        #expect(value.rounded(toScale: scale, .up).description == up)
        #expect(value.rounded(toScale: scale, .halfUp).description == halfUp)
        #expect(value.rounded(toScale: scale, .halfEven).description == halfEven)
        #expect(value.rounded(toScale: scale, .ceiling).description == ceiling)
        #expect(value.rounded(toScale: scale, .floor).description == floor)
    }

    @Test func scalingIsExactOrNothing() throws {
        #expect(try decimal("12.50").scaled(by: 2) == 1250)
        #expect(try decimal("12.50").scaled(by: 1) == 125)
        #expect(try decimal("12.50").scaled(by: 0) == nil)
        #expect(try decimal("12").scaled(by: 3) == 12000)
        #expect(try decimal("-9223372036854775808").scaled(by: 0) == .min)
        #expect(try decimal("9223372036854775808").scaled(by: 0) == nil)
        #expect(try decimal("92233720368547758.07").scaled(by: 2) == .max)
        #expect(try decimal("92233720368547758.08").scaled(by: 2) == nil)
        #expect(try decimal("0.000000000000000000000000000000").scaled(by: 0) == 0)
        #expect(try decimal("1.0").int64Value == 1)
    }

    @Test func quotientsAreCutWhereAsked() throws {
        let third = try decimal("1").divided(by: decimal("3"), scale: 5)
        #expect(third?.description == "0.33333")
        #expect(try decimal("2").divided(by: decimal("3"), scale: 3)?.description == "0.667")
        #expect(try decimal("-7.5").divided(by: decimal("0.25"), scale: 0)?.description == "-30")
        #expect(try decimal("1").divided(by: .zero, scale: 2) == nil)
        #expect(try decimal("-7").remainder(dividingBy: decimal("3"))?.description == "-1")
        #expect(try decimal("7.5").remainder(dividingBy: decimal("2"))?.description == "1.5")
        #expect(try decimal("7.5").remainder(dividingBy: .zero) == nil)
    }

    @Test(arguments: [
        (0.1, "0.1", "0.1000000000000000055511151231257827021181583404541015625"),
        (-2.5, "-2.5", "-2.5"), (1e21, "1000000000000000000000", "1000000000000000000000"),
        (3.0, "3", "3"),
    ])
    func doublesBecomeDecimalsShortestOrExact(value: Double, shortest: String, exact: String) {
        #expect(DecimalNumber(shortest: value)?.description == shortest)
        #expect(DecimalNumber(exactly: value)?.description == exact)
        #expect(DecimalNumber(exactly: value)?.doubleValue == value)
    }

    @Test func doublesThatAreNoNumbersBecomeNothing() {
        #expect(DecimalNumber(shortest: .nan) == nil)
        #expect(DecimalNumber(exactly: .infinity) == nil)
        #expect(
            DecimalNumber(exactly: Double.leastNonzeroMagnitude)?.doubleValue
                == .leastNonzeroMagnitude)
    }
}
