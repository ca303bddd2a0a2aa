import ODataSyncPlan
import Testing

@Suite struct OverlappingReadsTests {
    @Test func whatSharesATableWaitsForAllBeforeIt() {
        let reads: [(tables: Set<String>, waits: Bool)] = [
            (["A"], true), (["B"], true), (["A", "C"], true), (["C"], true), (["D"], true),
        ]
        // The fourth shares its table with one that waits itself.
        #expect(OverlappingReads.independent(reads) == [0, 1, 4])
        #expect(OverlappingReads.independent(reads.map { ($0.tables, false) }) == [0, 1, 2, 3, 4])
        #expect(OverlappingReads.independent([]) == [])
    }

    @Test func whatCameBeforeItsTurnIsOvertakenByItsOwnTablesAlone() {
        var reads = OverlappingReads()
        #expect(!reads.overtake(["A"]))
        reads.note(stored: ["A", "B"])
        #expect(reads.overtake(["B", "C"]))
        #expect(!reads.overtake(["C"]))
    }
}
