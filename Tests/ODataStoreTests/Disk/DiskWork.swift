import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld

/// What a store does in its life, step by step: each step is one transaction or none.
struct DiskWork {
    static let key = String(repeating: "6b", count: 32)
    /// What the store is made to do.
    enum Scenario: String, CaseIterable {
        /// First load, local writes, an upload.
        case life
        /// A delta of several pages under local changes, an answer, metadata that widens a column.
        case sync
    }

    var stepCount: Int { scenario == .life ? 12 : 11 }

    /// Steps that are on disk when they return; downloads are durable with the next of these.
    var durableSteps: Set<Int> {
        scenario == .life ? [1, 4, 5, 6, 7, 8, 10] : [1, 3, 4, 7, 8, 9, 10]
    }

    /// How far a run came, and what the store held after each step that was done.
    struct Outcome {
        var done = 0
        var states: [[String]] = []
        /// States inside of a step, where it has several transactions.
        var between: [Int: [[String]]] = [:]

        /// The states that a step may leave when it does not come to its end.
        func states(of step: Int) -> [[String]] {
            (between[step] ?? []) + (states.indices.contains(step) ? [states[step]] : [])
        }

        var failure: (any Error)?
    }

    let isEncrypted: Bool
    let scenario: Scenario
    let path = StoreFixture.freshPath()
    var watch: (any FileWatch)?

    init(
        isEncrypted: Bool, scenario: Scenario = .life, watch: (any FileWatch)? = nil
    ) {
        self.isEncrypted = isEncrypted
        self.scenario = scenario
        self.watch = watch
    }

    func configuration() throws -> LocalStore.Configuration {
        var configuration = LocalStore.Configuration()
        configuration.key = isEncrypted ? try StoreKey(Self.key) : nil
        configuration.watch = watch
        configuration.maximumReaders = 2
        configuration.busySeconds = 1
        return configuration
    }

    /// Works until a step fails; `after` is called with the number of each that was done.
    ///
    /// - Parameter remembering: Whether ``Outcome/states`` are read, which costs time.
    func run(
        remembering: Bool = false, after: (Int, StoreFixture) throws -> Void = { _, _ in }
    ) throws -> (Outcome, StoreFixture?) {
        var outcome = Outcome()
        var fixture: StoreFixture?
        do {
            let made = try StoreFixture(try configuration(), world: CountingWorld(), path: path)
            fixture = made
            for step in 0..<stepCount {
                switch scenario {
                case .life: try perform(step, made)
                case .sync:
                    var inner: [[String]] = []
                    var work = SyncWork(fixture: made)
                    if remembering { work.committed = { inner.append(try Self.state(made)) } }
                    try work.perform(step)
                    outcome.between[step] = inner
                }
                outcome.done = step + 1
                if remembering { outcome.states.append(try Self.state(made)) }
                try after(step, made)
            }
        } catch {
            outcome.failure = error
        }
        return (outcome, fixture)
    }

    private func perform(_ step: Int, _ fixture: StoreFixture) throws {
        switch step {
        case 0: break  // The store was made.
        case 1: try fixture.adopt()
        case 2:
            let rows = (1...30).map { "{\"ID\":\($0),\"Name\":\"planted-\($0)\"}" }
            try fixture.download("Customers", rows.joined(separator: ","))
        case 3:
            let rows = (1...20).map { "{\"ID\":\($0),\"Title\":\"t\($0)\",\"CustomerID\":\($0)}" }
            try fixture.download("Orders", rows.joined(separator: ","))
        case 4:
            _ = try fixture.create(
                "Orders", ["ID": .number(100), "Title": .text("mine"), "CustomerID": .number(3)])
        case 5:
            try fixture.update(try fixture.row("Customers", 5), ["Name": .text("renamed")])
        case 6: try fixture.store.perform(.delete(try fixture.row("Orders", 7)))
        case 7: _ = try fixture.freeze([1])
        case 8:
            guard let attempt = try fixture.store.attempts().first else { return }
            _ = try fixture.store.record(
                [
                    AttemptAnswers.Answer(
                        request: 1,
                        outcome: .answered(
                            ResponseMessage(
                                status: 201,
                                body: Array(
                                    "{\"ID\":100,\"Title\":\"mine\",\"CustomerID\":3}".utf8))))
                ], of: attempt.id)
        case 9: try fixture.store.checkpoint()
        case 10: try fixture.update(try fixture.row("Orders", 2), ["Title": .text("later")])
        default: try fixture.reopen()
        }
    }

    /// All rows of the store, by a connection of its own.
    static func state(_ fixture: StoreFixture) throws -> [String] { try fixture.dump() }

    /// All rows of a file, opened with nothing in its way; empty when there is no table yet.
    func state(at path: String) throws -> [String] {
        let key = isEncrypted ? try StoreKey(Self.key) : nil
        let file = try StoreFile(path: path, key: key)
        do {
            let queue = try file.queue()
            defer { try? queue.close() }
            return try queue.read(Self.rows)
        } catch {
            // A check of the whole file reports errors as text.
            throw file.takeFailure() ?? error
        }
    }

    private static func rows(_ database: Database) throws -> [String] {
        let check = try String.fetchAll(database, sql: "PRAGMA quick_check")
        guard check == ["ok"] else { throw ODataError(.storage, "\(check)") }
        let tables = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " AND name <> '_odata_meta' ORDER BY name")
        return try tables.flatMap { table in
            try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { row in
                let values = row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "-"
                    case .int64(let value): "\(value)"
                    case .double(let value): "\(value)"
                    case .string(let text): text
                    case .blob(let bytes): "x\(bytes.count)"
                    }
                }
                return "\(table): " + values.joined(separator: "|")
            }.sorted()
        }
    }
}
