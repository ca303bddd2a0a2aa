import ODataText
import ODataTransport

/// What is run: a seed, and what is left out of what it says.
package struct FieldSchedule: Sendable {
    package var seed: UInt64
    /// What happened in the whole schedule and does not in this one: acts of a client are numbered with 1,000 times its number.
    package var omitted: Set<SimulationEvent> = []
    /// What is wrong with the clients, to see that it is found.
    package var defect: FieldDefect?

    package init(seed: UInt64, defect: FieldDefect? = nil) {
        self.seed = seed
        self.defect = defect
    }

    func omits(_ kind: SimulationEvent.Kind, _ number: Int) -> Bool {
        omitted.contains(SimulationEvent(kind: kind, number: number))
    }

    /// The numbers of what is left out of a kind, for one client.
    func numbers(_ kind: SimulationEvent.Kind, of client: Int) -> Set<Int> {
        Set(
            omitted.filter { $0.kind == kind && $0.number / 1_000 == client }.map {
                $0.number % 1_000
            })
    }
}

/// What became of a run.
package struct FieldOutcome: Sendable {
    /// What should not be.
    package var findings: [String] = []
    /// What happened, line by line, in simulated seconds.
    package var story: [String] = []
    package var acknowledged = 0
    package var exchanges = 0
    package var faults = 0
    package var deaths = 0
    package var effects = 0
    package var steps = 0
    /// What happened and could be left out.
    package var events: Set<SimulationEvent> = []

    package init() {}

    /// Counts another run, too.
    package mutating func add(_ other: FieldOutcome) {
        acknowledged += other.acknowledged
        exchanges += other.exchanges
        faults += other.faults
        deaths += other.deaths
        effects += other.effects
        steps += other.steps
    }
}

/// A defect that is put into a simulated client, to see that the simulation finds it: in what it sends and reads, or, as a
/// trigger in its file, in what it keeps.
package struct FieldDefect: Sendable, CustomStringConvertible {
    package let name: String
    package var description: String { name }
    /// What is done in the store's file after each opening.
    package var sql: [String] = []
    package var wrap: (@Sendable (any HTTPTransport) -> any HTTPTransport)?

    package init(
        name: String, sql: [String] = [],
        wrap: (@Sendable (any HTTPTransport) -> any HTTPTransport)? = nil
    ) {
        self.name = name
        self.sql = sql
        self.wrap = wrap
    }

    init(_ trigger: PlantedTrigger) { self.init(name: trigger.name, sql: [trigger.sql]) }

    /// The first schedule of these that finds it, and how; nil where none does.
    package static func search(
        _ defect: FieldDefect, in seeds: ClosedRange<UInt64>
    ) -> (seed: UInt64, finding: String)? {
        for seed in seeds {
            do {
                let outcome = try FieldSimulation.run(FieldSchedule(seed: seed, defect: defect))
                if let finding = outcome.findings.first { return (seed, finding) }
            } catch {
                // A client that fails has been found, too.
                return (seed, "the run ended with \(error)")
            }
        }
        return nil
    }
}
