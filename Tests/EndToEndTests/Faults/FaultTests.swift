import Foundation
import ODataTesting
import Testing

@Suite(.serialized) struct FaultTests {
    static let sets = ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"]

    private static let isSoak = ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil

    @Test func anyFaultyNetworkEndsInTheStateOfAGoodOne() async throws {
        try await onOwnThread {
            let expected = try FaultStory().run()
            #expect(expected.faults.isEmpty)
            #expect(expected.findings == [])
            #expect(expected.rowsCompared > 300)
            #expect(expected.requests >= 200)
            var total: [FaultTransport.Fault: Int] = [:]
            // Counted over all requests, and over changes alone, so that short intervals reach the uploads, too.
            let intervals = Self.isSoak ? Array(1...10) : [1, 2, 3, 5, 8]
            for (interval, onlyWrites) in intervals.map({ ($0, false) })
                + (1...3).map({ ($0, true) })
            {
                var story = FaultStory(faultsEvery: interval)
                story.onlyWrites = onlyWrites
                let ending = try story.run()
                #expect(ending.faults.values.reduce(0, +) == 20, "every \(interval)")
                for kind in FaultTransport.Fault.allCases {
                    #expect((ending.faults[kind] ?? 0) >= 6, "\(kind), every \(interval)")
                }
                #expect(ending.findings == [], "every \(interval)")
                #expect(ending.differences(from: expected) == [], "every \(interval)")
                total.merge(ending.faults, uniquingKeysWith: +)
            }
            let kinds = FaultTransport.Fault.allCases.map { "\($0)=\(total[$0] ?? 0)" }
            print(
                "figure: faults \(total.values.reduce(0, +)) \(kinds.joined(separator: " "))"
                    + " runs=\(intervals.count + 3) requests=\(expected.requests) differing_states=0"
            )
        }
    }
}
