import ODataModel
import Testing

@Suite struct ScalarTests {
    @Test func scalarsStayWithinThreeWords() {
        #expect(MemoryLayout<Scalar>.stride <= 24)
        #expect(MemoryLayout<ODataValue?>.stride <= 24)
    }

    @Test func numbersOfAllClassesCompareExactly() throws {
        let tenth = ComparableScalar(.decimal(try #require(DecimalNumber("0.1"))))
        // The double is a little above one tenth.
        #expect(tenth < ComparableScalar(.double(0.1)))
        #expect(ComparableScalar(.integer(3)) == ComparableScalar(.double(3)))
        #expect(ComparableScalar(.integer(3)).hashValue == ComparableScalar(.double(3)).hashValue)
        #expect(ComparableScalar(.integer(.max)) < ComparableScalar(.double(.infinity)))
        #expect(ComparableScalar(.integer(.max)) < ComparableScalar(.double(9.3e18)))
        #expect(ComparableScalar(.double(.infinity)) < ComparableScalar(.double(.nan)))
    }
}
