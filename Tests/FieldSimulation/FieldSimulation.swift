import Foundation
import ODataTesting
import ODataText
import ODataWorld
import SAPOData

/// Some technicians with a client each, a service in memory that knows the truth, and others who change it: one schedule in
/// simulated time, decided by its seed.
package final class FieldSimulation: @unchecked Sendable {
    private let schedule: FieldSchedule
    private let world: SimulatedWorld
    private let service: FieldService
    private let others: FieldOthers
    private var clients: [FieldClient] = []
    private let folder: URL
    private var outcome = FieldOutcome()
    private var isWorkDone = false

    /// Runs one schedule to its end; called on a thread of its own.
    package static func run(_ schedule: FieldSchedule) throws -> FieldOutcome {
        let simulation = try FieldSimulation(schedule)
        defer { simulation.remove() }
        try simulation.run()
        return simulation.outcome
    }

    /// A failing schedule, made short, as what happens in it; nil where it does not fail.
    ///
    /// - Parameter attempts: how many shorter ones are tried.
    package static func story(of schedule: FieldSchedule, attempts: Int) throws -> [String]? {
        let omissions = try Shrinking.omissions(attempts: attempts) { omitted in
            var shorter = schedule
            shorter.omitted = omitted
            let outcome = try run(shorter)
            return .init(isFailing: !outcome.findings.isEmpty, events: outcome.events)
        }
        var shortest = schedule
        shortest.omitted = omissions
        let outcome = try run(shortest)
        return outcome.findings.isEmpty ? nil : outcome.story
    }

    private init(_ schedule: FieldSchedule) throws {
        self.schedule = schedule
        world = SimulatedWorld(seed: schedule.seed)
        folder = try TestFolder.makeFast("odata-field-")
        var random = SeededGenerator(seed: schedule.seed ^ 0x5DEE_CE66)
        let traits = FieldTraits(&random)
        service = FieldService(traits)
        others = FieldOthers(world, service, changesMetadata: random.below(4) == 0)
        others.omitted = schedule.numbers(.change, of: 0)
        others.tell = { [unowned self] in tell("others: " + $0) }
        tell("service: " + traits.text)
        fill()
        let odds = Self.odds(&random)
        let count = [1, 1, 1, 1, 2, 2, 3, 4][random.below(8)]
        for number in 1...count {
            let habits = FieldHabits(&random)
            tell("client \(number): \(habits)")
            clients.append(
                try FieldClient(number, world, schedule, habits, odds, folder, service) {
                    [unowned self] in tell($0)
                })
        }
    }

    private func fill() {
        for number in 1...5 {
            service.add(
                [
                    "Name": .string("s\(number)"), "Text": .string("sample \(number)"),
                    "Size": .number("\(number * 2)"), "Extra": .string("extra"),
                ], to: "Orders")
        }
        guard service.traits.hasItems, let order = service.sorted("Orders").first else { return }
        for number in 1...2 {
            service.add(
                [
                    "Name": .string("i\(number)"), "Text": .string("item \(number)"),
                    "OrderKey": order.key.json, "Done": .boolean(false),
                ], to: "Items")
        }
    }

    private static func odds(_ random: inout SeededGenerator) -> SimulatedTransport.Odds {
        var odds = SimulatedTransport.Odds()
        odds.beforeSending = random.below(8)
        odds.afterSending = random.below(14)
        odds.inBody = random.below(8)
        odds.unavailable = random.below(5)
        odds.portal = random.below(2) * random.below(5)
        odds.signedOut = random.below(2) * random.below(4)
        return odds
    }

    private func remove() {
        for client in clients { try? client.app.provider.close() }
        guard ProcessInfo.processInfo.environment["ODATA_KEEP"] == nil else {
            return print(folder.path)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private func tell(_ line: String) {
        guard outcome.story.count < 3_000 else { return }
        let (seconds, attoseconds) = world.uptime().components
        let thousandths = attoseconds / 1_000_000_000_000_000
        outcome.story.append(
            "\(seconds).\(String(thousandths + 1_000).dropFirst()) \(line)")
    }

    // MARK: The run

    private func run() throws {
        let workers = clients.map { client in
            world.startWorker("client \(client.number)") { client.live() }
        }
        let changes = world.startWorker("others") { [self] in
            others.work { isWorkDone }
        }
        for worker in workers { worker.join() }
        isWorkDone = true
        changes.join()
        for client in clients { outcome.findings += client.findings }
        if outcome.findings.isEmpty { try end() }
        outcome.findings += service.remarks
        count()
        for finding in outcome.findings { outcome.story.append("finding: " + finding) }
    }

    /// After the faults stopped everything drains, or is listed with a reason and settled by a person who looks.
    private func end() throws {
        for client in clients { client.transport.isFaulty = false }
        for client in clients {
            outcome.findings += try FieldEnding(client.app, service).drain()
        }
        for client in clients {
            do {
                try client.app.service.download()
                let verdict = FieldVerdict(client, service, gaveUp: others.gaveUp)
                outcome.findings += verdict.ofChanges() + (try verdict.ofStore())
            } catch {
                outcome.findings.append("client \(client.number) in the end: \(error)")
            }
        }
    }

    private func count() {
        outcome.steps = world.steps
        outcome.effects = service.effects.count
        for client in clients {
            outcome.acknowledged += client.app.memory.acknowledged
            outcome.exchanges += client.transport.requestCount
            outcome.faults += client.transport.faultCount
            outcome.deaths += client.deaths
            let base = client.number * 1_000
            note(.write, base, client.app.memory.steps)
            note(.fault, base, client.transport.faultNumber)
        }
        note(.change, 0, others.count)
    }

    private func note(_ kind: SimulationEvent.Kind, _ base: Int, _ count: Int) {
        for number in 0..<min(count, 999) where !schedule.omits(kind, base + number + 1) {
            outcome.events.insert(SimulationEvent(kind: kind, number: base + number + 1))
        }
    }
}
