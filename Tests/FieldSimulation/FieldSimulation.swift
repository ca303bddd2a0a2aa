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
        // Neighbours meet the same kind of service, so that one store is made for all of them to start from.
        var kind = SeededGenerator(seed: schedule.seed / 32 ^ 0x2545_F491)
        let traits = FieldTraits(&kind)
        service = FieldService(traits, seed: schedule.seed)
        let changesMetadata = random.below(4) == 0
        others = FieldOthers(service, seed: schedule.seed, changesMetadata: changesMetadata)
        others.omitted = schedule.numbers(.change, of: 0)
        others.tell = { [unowned self] in tell("others: " + $0) }
        service.others = { [world, others] in others.work(until: world.uptime()) }
        tell("service: " + traits.text)
        service.fill()
        let odds = Self.odds(&random)
        // Most defects need few steps, and those that need more need them all in one schedule.
        let isLong = random.below(12) == 0
        let count = isLong ? Self.clientCounts[random.below(Self.clientCounts.count)] : 1
        for number in 1...count {
            var habits = FieldHabits(&random, isLong: isLong)
            habits.asksForMetadata = changesMetadata
            tell("client \(number): \(habits)")
            clients.append(
                try FieldClient(number, world, schedule, habits, odds, folder, service) {
                    [unowned self] in tell($0)
                })
        }
    }

    private static let clientCounts = [1, 1, 1, 2, 2, 2, 3, 4]

    private static func odds(_ random: inout SeededGenerator) -> SimulatedTransport.Odds {
        var odds = SimulatedTransport.Odds()
        odds.beforeSending = random.below(8)
        odds.afterSending = random.below(14)
        odds.inBody = random.below(8)
        odds.unavailable = random.below(5)
        odds.portal = random.below(2) * random.below(5)
        odds.signedOut = random.below(2) * random.below(4)
        odds.login = random.below(8) == 0 ? 3 : 0
        odds.unavailableAfter = random.below(3) == 0 ? random.below(6) : 0
        odds.empty = random.below(8) == 0 ? 3 : 0
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
        for worker in workers { worker.join() }
        service.others = nil
        for client in clients { outcome.findings += client.findings }
        if outcome.findings.isEmpty { try end() }
        outcome.findings += service.remarks
        count()
        for finding in outcome.findings { outcome.story.append("finding: " + finding) }
    }

    /// After the faults stopped everything drains, or is listed with a reason and settled by a person who looks.
    private func end() throws {
        service.isFaulty = false
        for client in clients { client.transport.isFaulty = false }
        for client in clients {
            outcome.findings += try FieldEnding(client.app, service).drain()
        }
        for client in clients {
            do {
                // What was sent by those who ended later.
                if clients.count > 1 { try client.app.download() }
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
