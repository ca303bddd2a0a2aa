@testable import ODataClasses
import Testing

@testable import ODataModel

@Suite struct AttachedValuesTests {
    private let values = (0..<4).map { IntValue.of($0) }

    @Test func eachSlotKeepsItsOwnValue() {
        var attached = AttachedValues()
        #expect(attached.isEmpty && attached[7] == nil)
        for (slot, value) in [7, 2, 5].enumerated() { attached[value] = values[slot] }
        #expect(attached[7] === values[0])
        #expect(attached[2] === values[1])
        #expect(attached[5] === values[2])
        #expect(attached[1] == nil)
        #expect(Set(attached.all.map(\.slot)) == [2, 5, 7])
    }

    @Test func whatIsTakenOutIsGoneAndTheRestStays() {
        var attached = AttachedValues()
        attached[1] = values[0]
        attached[2] = values[1]
        attached[1] = nil
        #expect(attached[1] == nil && attached[2] === values[1] && !attached.isEmpty)
        // The place of the first is free; what stands among the others is changed there.
        attached[2] = values[2]
        #expect(attached[2] === values[2] && attached.all.count == 1)
        attached[3] = values[3]
        #expect(attached.all.count == 2)
        attached[2] = nil
        attached[3] = nil
        #expect(attached.isEmpty && attached.all.isEmpty)
    }
}
