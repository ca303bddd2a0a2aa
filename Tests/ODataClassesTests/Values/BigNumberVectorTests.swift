import ODataClasses
import ODataModel
import Testing

/// Arithmetic of the API's numbers against results of Python's `decimal`.
@Suite struct BigNumberVectorTests {
    private func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    @Test func decimalsAgreeWithPython() throws {
        let rows = rows(BigNumberVectors.decimals)
        #expect(rows.count > 150)
        for row in rows {
            let a = try #require(BigDecimal.parse(row[0]))
            let b = try #require(BigDecimal.parse(row[1]))
            let scale = try #require(Int(row[5]))
            #expect(a + b == BigDecimal(row[2]), "\(row)")
            #expect(a - b == BigDecimal(row[3]), "\(row)")
            #expect(a * b == BigDecimal(row[4]), "\(row)")
            #expect((a * b).toString() == BigDecimal(row[4]).toString(), "\(row)")
            #expect(a.divide(b, scale: scale) == BigDecimal(row[6]), "\(row)")
            #expect(
                a.divide(b, scale: scale, rounding: BigDecimal.roundDown) == BigDecimal(row[7]),
                "\(row)")
            #expect(a.remainder(b) == BigDecimal(row[8]), "\(row)")
            #expect(a.compareTo(b) == Int(row[9]), "\(row)")
            #expect((a < b) == (row[9] == "-1"))
            #expect(BigDecimal(row[0]).hashValue == a.hashValue)
            #expect(a.negate().negate() == a)
        }
    }

    @Test func integersAgreeWithPython() throws {
        let rows = rows(BigNumberVectors.integers)
        #expect(rows.count == 80)
        for row in rows {
            let a = try #require(BigInteger.parse(row[0]))
            let b = try #require(BigInteger.parse(row[1]))
            #expect((a + b).toString() == row[2], "\(row)")
            #expect((a - b).toString() == row[3], "\(row)")
            #expect((a * b).toString() == row[4], "\(row)")
            #expect((a / b).toString() == row[5], "\(row)")
            #expect((a % b).toString() == row[6], "\(row)")
            #expect(a.modulo(b).toString() == row[7], "\(row)")
        }
    }
}
