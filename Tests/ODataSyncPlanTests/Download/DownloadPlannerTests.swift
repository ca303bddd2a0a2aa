import ODataSyncPlan
import ODataText
import Testing

@Suite struct DownloadPlannerTests {
    private let sources = [
        DownloadSource(entitySet: "Tools", url: "Tools", bit: 0),
        DownloadSource(entitySet: "Loans", url: "Loans", bit: 0),
        DownloadSource(name: "open", entitySet: "Loans", url: "Loans?$filter=Open", bit: 1),
        DownloadSource(entitySet: "Members", url: "Members", bit: 0),
    ]

    private func keys(
        _ groups: [String] = [], _ change: (inout DownloadSelection) -> Void = { _ in }
    ) throws -> [[String]] {
        var selection = DownloadSelection()
        change(&selection)
        return try DownloadPlanner.plan(sources: sources, groups: groups, selection: selection)
            .map { $0.sources.map(\.key) }
    }

    @Test func noGroupsMeansEverything() throws {
        #expect(try keys() == [["set:Tools", "set:Loans", "query:open", "set:Members"]])
    }

    @Test func aSetWithoutDefaultDownloadIsReadThroughItsQueriesOnly() throws {
        let plan = try keys { $0.setsWithoutDefaultDownload = ["Loans", "Members"] }
        #expect(plan == [["set:Tools", "query:open"]])
    }

    @Test func groupsNestAndMayCircle() throws {
        let plan = try keys(["outer"]) {
            $0.groups["outer"] = .init(entitySets: ["Tools"], groups: ["inner"])
            $0.groups["inner"] = .init(entitySets: ["Members", "Tools"], groups: ["outer"])
        }
        #expect(plan == [["set:Tools", "set:Members"]])
    }

    @Test func aQueryInAGroupBringsOnlyItself() throws {
        let plan = try keys(["g"]) { $0.groups["g"] = .init(queries: ["open"]) }
        #expect(plan == [["query:open"]])
    }

    @Test func phasesRunInOrderAndTheRestComesLast() throws {
        let plan = try keys {
            $0.phases[2] = .init(entitySets: ["Tools"])
            $0.phases[1] = .init(entitySets: ["Members"])
        }
        #expect(plan == [["set:Members"], ["set:Tools"], ["set:Loans", "query:open"]])
    }

    @Test func aPhaseOfZeroDisablesItsSetsEvenInAGroup() throws {
        let plan = try keys(["g"]) {
            $0.phases[0] = .init(entitySets: ["Tools"])
            $0.groups["g"] = .init(entitySets: ["Tools", "Members"])
        }
        #expect(plan == [["set:Members"]])
    }

    @Test(arguments: ["missing", "badSet", "badQuery"])
    func anUnknownNameIsNamed(group: String) throws {
        let error = #expect(throws: ODataError.self) {
            try keys([group]) {
                $0.groups["badSet"] = .init(entitySets: ["Nope"])
                $0.groups["badQuery"] = .init(queries: ["Nope"])
            }
        }
        #expect(error?.code == .unknownName)
        #expect(error?.location == .path(group == "missing" ? "missing" : "Nope"))
    }

    @Test func anOpenModeFollowsTheSettings() {
        #expect(DownloadPlanner.resolve(.any, count: 3, batches: true, threads: 10) == .batch)
        #expect(DownloadPlanner.resolve(.any, count: 3, batches: false, threads: 10) == .parallel)
        #expect(DownloadPlanner.resolve(.any, count: 3, batches: false, threads: 1) == .sequence)
        #expect(DownloadPlanner.resolve(.any, count: 1, batches: true, threads: 10) == .sequence)
        #expect(
            DownloadPlanner.resolve(.parallel, count: 1, batches: true, threads: 1) == .parallel)
    }
}
