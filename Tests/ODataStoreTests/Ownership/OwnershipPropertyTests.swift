import Foundation
import ODataStore
import ODataSyncPlan
import Testing

/// Sources that come, go, are switched and replaced in any order, against the plain truth of who was given what: a row stays
/// while one source holds it and goes when none does.
@Suite struct OwnershipPropertyTests {
    private struct Draws: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static func asks(_ draws: inout Draws) -> OwnedStore.Asks {
        let group = [nil, 1, 2, 3].randomElement(using: &draws) ?? nil
        return Bool.random(using: &draws)
            ? .orders(group: group ?? 1)
            : .tree(upTo: Int.random(in: 1...4, using: &draws), group: group)
    }

    private static func change(_ desk: OwnedStore, _ next: inout Int, _ draws: inout Draws) {
        for _ in 0..<3 {
            switch Int.random(in: 0..<4, using: &draws) {
            case 0:
                next += 1
                desk.orders[next] = OwnedStore.Order(
                    customer: Int.random(in: 1...4, using: &draws),
                    group: Int.random(in: 1...3, using: &draws), title: "t")
            case 1:
                if let id = desk.orders.keys.sorted().randomElement(using: &draws) {
                    desk.orders[id] = nil
                }
            default:
                if let id = desk.orders.keys.sorted().randomElement(using: &draws) {
                    desk.orders[id]?.group = Int.random(in: 1...3, using: &draws)
                }
            }
        }
    }

    /// One thing that an app, its service or the system does; what it was.
    private static func step(
        _ desk: OwnedStore, _ next: inout Int, _ draws: inout Draws
    ) throws -> String {
        let names = desk.queries.keys.sorted()
        switch Int.random(in: 0..<12, using: &draws) {
        case 0:
            let name = "q\(Int.random(in: 0..<1_000_000, using: &draws))"
            let asks = asks(&draws)
            try desk.add(name, asks)
            return "add \(name) \(asks.url)"
        case 1:
            guard let name = names.randomElement(using: &draws) else { return "nothing" }
            let isInTheWay = desk.isInTheWay(name)
            #expect(try desk.delete(name) == !isInTheWay)
            return "delete \(name)"
        case 2:
            guard let name = names.randomElement(using: &draws) else { return "nothing" }
            let asks = asks(&draws)
            try desk.replace(name, with: asks)
            return "replace \(name) \(asks.url)"
        case 3:
            desk.hasDefault.toggle()
            return "default \(desk.hasDefault)"
        case 4:
            try desk.reopen()
            return "reopen"
        case 5:
            guard
                let id = try desk.present().filter({ !desk.edited.contains($0) })
                    .randomElement(using: &draws)
            else { return "nothing" }
            try desk.edit(id)
            return "edit \(id)"
        case 6:
            try desk.undo()
            return "undo"
        case 7:
            // A download of one source, or one that is cut off behind it.
            try desk.plan()
            guard let source = try desk.wanted().randomElement(using: &draws) else {
                return "nothing"
            }
            try desk.read(source, byDelta: Bool.random(using: &draws))
            let isCutOff = Bool.random(using: &draws)
            if isCutOff { try desk.reopen() } else { try desk.end() }
            return "read \(source.key) \(isCutOff)"
        default:
            change(desk, &next, &draws)
            let byDelta = Bool.random(using: &draws)
            let endsEmpty = desk.orders.count.isMultiple(of: 2)
            try desk.download(byDelta: byDelta, endsEmpty: endsEmpty)
            return "download \(byDelta) \(endsEmpty)"
        }
    }

    @Test(arguments: 0..<20)
    func aRowStaysWhileASourceHoldsIt(block: Int) throws {
        for number in 0..<10 {
            let seed = UInt64(block * 10 + number)
            var draws = Draws(state: seed)
            let desk = try OwnedStore()
            desk.hasDefault = Bool.random(using: &draws)
            var next = 0
            for _ in 0..<4 { Self.change(desk, &next, &draws) }
            var done: [String] = []
            for _ in 0..<14 {
                done.append(try Self.step(desk, &next, &draws))
                let (present, expected) = (try desk.present(), desk.expected)
                guard present == expected else {
                    Issue.record("seed \(seed): \(present) for \(expected) after \(done)")
                    return
                }
            }
            // Without sources and changes of its own nothing is left.
            try desk.undo()
            for name in desk.queries.keys.sorted() { #expect(try desk.delete(name)) }
            desk.hasDefault = false
            try desk.plan()
            try desk.end()
            #expect(try desk.present() == [], "seed \(seed) after \(done)")
            #expect(try desk.fixture.sql("SELECT * FROM _odata_source") == [])
            #expect(try desk.fixture.sql("SELECT * FROM _odata_row_source") == [])
        }
    }
}
