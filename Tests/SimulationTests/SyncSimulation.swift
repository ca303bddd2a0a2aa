import FieldSimulation
import Foundation
import GRDB
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataTransport
import ODataWorld
import SAPOData

/// The whole of a client in one simulated world: an app that writes, downloads and uploads beside it, somebody who
/// cancels them, a network with faults, power that is lost, and a service that others change. The seed decides
/// everything.
///
/// One worker runs at a time, so that nothing here needs a lock.
final class SyncSimulation: @unchecked Sendable {
    /// What became of a run.
    struct Outcome: Equatable {
        /// What should not be.
        var findings: [String] = []
        var trace = SimulationTrace()
        var steps = 0
        var requests = 0
        var faults = 0
        var cancelled = 0
        var powerLosses = 0
        var acknowledged = 0
        var conflicts = 0
        /// What happened and could be left out.
        var events: Set<SimulationEvent> = []
    }

    /// What is run: a seed, and what is left out of what it says.
    struct Schedule: Sendable {
        var seed: UInt64
        /// What is wrong with the client, to see that it is found.
        var defect: PlantedDefect?
        /// With all that was added since the first seeds were recorded.
        var isWide = false
        var omitted: Set<SimulationEvent> = []

        func omits(_ kind: SimulationEvent.Kind, _ number: Int) -> Bool {
            omitted.contains(SimulationEvent(kind: kind, number: number))
        }

        func numbers(_ kind: SimulationEvent.Kind) -> Set<Int> {
            Set(omitted.filter { $0.kind == kind }.map(\.number))
        }
    }

    let world: SimulatedWorld
    private(set) var client: SimulatedClient
    private let folder: URL
    private let service: ODataService
    private let database: DatabaseQueue
    private let transport: SimulatedTransport
    private var outcome = Outcome()
    private let schedule: Schedule
    private var defect: PlantedDefect? { schedule.defect }
    /// What happened, line by line, in simulated seconds.
    private(set) var story: [String] = []
    private var disk: PowerLossDisk
    /// Where the store of the present life is.
    private var home: URL
    /// What is on the disk when the power comes back.
    private var found: (files: [String: [UInt8]], memory: SimulatedClient.Memory)?
    private var isAppDone = false
    /// How often somebody cancelled, and changed something at the service.
    private var (cancels, changes) = (0, 0)

    /// A service's file with its sample, copied for every run.
    private static let template = Result { () throws -> URL in
        let folder = try TestFolder.makeFast("odata-simulation-template-")
        var configuration = ServiceConfiguration(
            databasePath: folder.appendingPathComponent("service.db").path,
            sample: ServiceConfiguration.Sample(scale: 60))
        configuration.defaultPageSize = 10
        let service = try ODataService(configuration)
        try service.close()
        return folder.appendingPathComponent("service.db")
    }

    /// Runs one seed to its end; called on a thread of its own.
    static func run(_ seed: UInt64) throws -> Outcome { try run(Schedule(seed: seed)).outcome }

    /// Runs one schedule to its end; called on a thread of its own.
    static func run(_ schedule: Schedule) throws -> (outcome: Outcome, story: [String]) {
        let simulation = try SyncSimulation(schedule)
        defer { simulation.remove() }
        let outcome = try simulation.run()
        return (outcome, simulation.story)
    }

    private init(_ schedule: Schedule) throws {
        self.schedule = schedule
        let (seed, defect) = (schedule.seed, schedule.defect)
        world = SimulatedWorld(seed: seed)
        folder = try TestFolder.makeFast("odata-simulation-")
        let path = folder.appendingPathComponent("service.db").path
        try FileManager.default.copyItem(
            at: try Self.template.get(), to: URL(fileURLWithPath: path))
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.namespace = "FieldService"
        configuration.defaultPageSize = 10
        configuration.world = world
        let service = try ODataService(configuration)
        self.service = service
        database = try DatabaseQueue(path: path)
        var odds = SimulatedTransport.Odds()
        if schedule.isWide { (odds.portal, odds.signedOut) = (3, 2) }
        transport = SimulatedTransport(world: world, odds: odds) { service.respond(to: $0) }
        home = try Self.home(0, folder)
        disk = PowerLossDisk(seed: seed &* 0x9E37_79B9, every: .max)
        client = SimulatedClient(world, Self.transport(transport, 0, defect), home, disk)
        configure()
    }

    private static func home(_ life: Int, _ folder: URL) throws -> URL {
        let home = folder.appendingPathComponent("life-\(life)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return home
    }

    private static func transport(
        _ transport: SimulatedTransport, _ life: Int, _ defect: PlantedDefect?
    ) -> any HTTPTransport {
        let own = transport.life(life)
        return defect?.wrap?(own) ?? own
    }

    /// What goes in batches, and how many at once, is the seed's choice, too.
    private func configure() {
        provider.batchEntityUploads = world.random() % 2 == 0
        provider.batchEntityDownloads = world.random() % 2 == 0
        provider.entityDownloadThreads = 1 + Int(world.random() % 3)
        provider.uploadWorkerThreads = 1 + Int(world.random() % 3)
        provider.autoSaveEstimates = false
        client.isWide = schedule.isWide
        client.omitted = schedule.numbers(.write)
        client.tell = { [unowned self] in tell("app: " + $0) }
        guard schedule.isWide else { return }
        provider.sendRepeatableRequests = world.random() % 4 != 0
        provider.combineLocalUpdates = world.random() % 2 == 0
        provider.currentUser = world.random() % 2 == 0 ? "zoe" : nil
    }

    private func tell(_ line: String) {
        guard story.count < Self.maximumLines else { return }
        let (seconds, attoseconds) = world.uptime().components
        let thousandths = attoseconds / 1_000_000_000_000_000
        story.append("\(seconds).\(String(thousandths + 1_000).dropFirst()) \(line)")
    }

    private static let maximumLines = 2_000

    private func remove() {
        try? client.provider.close()
        try? database.close()
        try? service.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private var provider: CloudSyncProvider { client.provider }

    // MARK: The run

    private func run() throws -> Outcome {
        transport.omittedFaults = schedule.numbers(.fault)
        transport.listen { [unowned self] in tell("network: " + $0) }
        let losses = Int(world.random() % 3)
        for life in 0...losses {
            if life > 0 { try startAgain(life) }
            try persist { try self.provider.open() }
            try defect?.install(in: home.appendingPathComponent("store.db").path)
            try client.lookForChangeUnderWay()
            try persist { try self.client.service.download() }
            try client.load()
            isAppDone = false
            let client = client
            var workers = [
                world.startWorker("app") { [self] in
                    work { try client.work(20) { self.isAppDone } }
                },
                world.startWorker("uploads") { [self] in sync { try client.service.upload() } },
                world.startWorker("downloads") { [self] in sync { try client.service.download() } },
                world.startWorker("cancels", cancelNowAndThen),
                world.startWorker("others", changeAtService),
            ]
            if life < losses {
                let isLost = !schedule.omits(.powerLoss, life + 1)
                workers.append(world.startWorker("power") { [self] in losePower(isLost) })
            }
            for worker in workers { worker.join() }
        }
        transport.isFaulty = false
        try drain()
        try check()
        outcome.trace = transport.trace
        outcome.steps = world.steps
        outcome.requests = transport.requestCount
        outcome.faults = transport.faultCount
        outcome.acknowledged = client.memory.acknowledged
        note(.write, client.memory.steps)
        note(.fault, transport.faultNumber)
        note(.powerLoss, losses)
        for finding in outcome.findings { story.append("finding: " + finding) }
        return outcome
    }

    private func note(_ kind: SimulationEvent.Kind, _ count: Int) {
        for number in 0..<count where !schedule.omits(kind, number + 1) {
            outcome.events.insert(SimulationEvent(kind: kind, number: number + 1))
        }
    }

    // MARK: Power

    private func losePower(_ isLost: Bool) {
        world.sleep(.milliseconds(Int64(world.random() % 900)), token: nil)
        guard isLost else { return }
        tell("power: is lost")
        // Nobody else runs before the end of this worker, so that all of it is one moment.
        found = (disk.losePower(), client.memory)
        transport.loseClient()
        isAppDone = true
        outcome.powerLosses += 1
    }

    /// Another client over what was left of the store.
    private func startAgain(_ life: Int) throws {
        guard let found else { return }
        self.found = nil
        try? provider.close()
        let old = home.appendingPathComponent("store.db").path
        home = try Self.home(life, folder)
        let new = home.appendingPathComponent("store.db").path
        var files: [String: [UInt8]] = [:]
        for (path, content) in found.files where path.hasPrefix(old) {
            files[new + path.dropFirst(old.count)] = content
        }
        for (path, content) in files {
            try Data(content).write(to: URL(fileURLWithPath: path))
        }
        disk = PowerLossDisk(seed: world.random(), every: .max, files: files)
        client = SimulatedClient(
            world, Self.transport(transport, life, defect), home, disk, found.memory)
        configure()
    }

    /// Tries again until the network lets it.
    private func persist(_ body: () throws -> Void) throws {
        for attempt in 1...40 {
            do {
                return try body()
            } catch  where attempt < 40 && Self.isExpected(error) {
                world.sleep(.milliseconds(10), token: nil)
            }
        }
    }

    /// What a network may do to an operation.
    private static func isExpected(_ error: any Error) -> Bool {
        if error is DataNetworkError { return true }
        guard let error = error as? DataServiceError else { return false }
        // One error for what several sets met, a portal among it, has no status.
        let isPortal = error.status == 0 && error.toString().contains("(Not the service: ")
        return isPortal || [401, 503].contains(error.status)
    }

    private func work(_ body: () throws -> Void) {
        do { try body() } catch { outcome.findings.append("the app failed: \(error)") }
        isAppDone = true
    }

    private func sync(_ body: () throws -> Void) {
        while !isAppDone {
            world.sleep(.milliseconds(Int64(world.random() % 120)), token: nil)
            do {
                try body()
            } catch  where Self.isExpected(error) {
                continue
            } catch {
                outcome.findings.append("a sync failed: \(error)")
                return
            }
        }
    }

    private func cancelNowAndThen() {
        while !isAppDone {
            world.sleep(.milliseconds(Int64(world.random() % 500)), token: nil)
            outcome.cancelled += 1
            let isUpload = world.random() % 2 == 0
            cancels += 1
            guard !schedule.omits(.cancel, cancels) else { continue }
            outcome.events.insert(SimulationEvent(kind: .cancel, number: cancels))
            tell("app: stops " + (isUpload ? "the upload" : "the download"))
            if isUpload {
                try? provider.cancelUpload()
            } else {
                try? provider.cancelDownload()
            }
        }
    }

    /// The service can give the baton away inside a transaction, and whoever writes beside it waits for its end.
    private func change(_ sql: String) throws {
        for _ in 0..<100 {
            do {
                return try database.write { try $0.execute(sql: sql) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                world.sleep(.milliseconds(5), token: nil)
            }
        }
        try database.write { try $0.execute(sql: sql) }
    }

    /// What others do at the service: mostly elsewhere, now and then where the app works.
    private func changeAtService() {
        var number = 0
        while !isAppDone {
            world.sleep(.milliseconds(Int64(world.random() % 200)), token: nil)
            number += 1
            let lot = world.random() % 8
            changes += 1
            guard !schedule.omits(.change, changes) else { continue }
            outcome.events.insert(SimulationEvent(kind: .change, number: changes))
            tell("others: " + Self.change(lot, number))
            do {
                try change(Self.change(lot, number))
            } catch {
                outcome.findings.append("a change at the service failed: \(error)")
            }
        }
    }

    /// A failing schedule, made short, as text; nil where it does not fail.
    ///
    /// - Parameter attempts: how many shorter ones are tried.
    static func story(of schedule: Schedule, attempts: Int) throws -> Story? {
        var whole = 0
        let omitted = try Shrinking.omissions(attempts: attempts) { omitted in
            var shorter = schedule
            shorter.omitted = omitted
            let outcome = try run(shorter).outcome
            whole = max(whole, outcome.events.count)
            return .init(isFailing: !outcome.findings.isEmpty, events: outcome.events)
        }
        var shortest = schedule
        shortest.omitted = omitted
        let (outcome, lines) = try run(shortest)
        guard !outcome.findings.isEmpty else { return nil }
        return Story(
            schedule: shortest, events: whole, left: outcome.events.count, lines: lines)
    }

    /// A failing schedule that people can read.
    struct Story: CustomStringConvertible {
        var schedule: Schedule
        /// How many events the whole schedule had, and how many are left.
        var events: Int
        var left: Int
        var lines: [String]

        var text: String {
            let shown =
                lines.count > 300 ? lines.prefix(60) + ["…"] + lines.suffix(240) : lines[...]
            return
                (["seed \(schedule.seed): \(left) of \(events) events left"] + shown)
                .joined(separator: "\n")
        }

        var description: String { text }
    }

    private static func change(_ lot: UInt64, _ number: Int) -> String {
        switch lot {
        case 0: "DELETE FROM Photos WHERE Id = (SELECT max(Id) FROM Photos)"
        case 1: "UPDATE Customers SET Notes = 'others \(number)' WHERE rowid = \(1 + number % 5)"
        case 2:
            "INSERT INTO Sites SELECT (SELECT max(Id) + 1 FROM Sites), CustomerId, 'others',"
                + " Street, City, PostalCode, Country, Latitude, Longitude, OpensAt, HasParking"
                + " FROM Sites WHERE Id = 1"
        case 3: "UPDATE WorkOrders SET Priority = \(number % 5) WHERE Id = \(1 + number % 4)"
        default:
            "UPDATE Equipment SET Status = 'others \(number % 7)' WHERE rowid % 3 = \(number % 3)"
        }
    }

    // MARK: The end

    /// After the faults stopped everything drains, or is listed with a reason (invariant 6).
    private func drain() throws {
        for _ in 0..<5 {
            try client.service.upload()
            // A conflict waits for the app; this one's own change counts more.
            let conflicts = client.failed().filter { $0.httpStatus == 412 }
            outcome.conflicts += conflicts.count
            for conflict in conflicts { try conflict.retry() }
            if !conflicts.isEmpty { try client.service.upload() }
            // What the service does not want, or nobody knows the fate of, the app gives up where it has taken things back.
            if schedule.isWide {
                for request in client.failed() { try client.give(up: request) }
            }
            try client.service.download()
            if client.queued().isEmpty, client.failed().isEmpty { break }
        }
        for request in client.failed() {
            outcome.findings.append(
                "\(request.toString()) stays failed: \(request.httpStatus ?? 0)"
                    + " \(request.errorMessage ?? "without a reason")")
        }
        for request in client.queued() {
            outcome.findings.append("\(request.toString()) stays queued")
        }
        try client.service.download()
    }

    private func check() throws {
        let comparison = try RowComparison(
            service: folder.appendingPathComponent("service.db").path,
            store: home.appendingPathComponent("store.db").path)
        outcome.findings += comparison.differences.map { "store and service differ: \($0)" }
        if comparison.rowsCompared < 50 { outcome.findings.append("hardly a row is there") }
        outcome.findings += try database.read { try client.findings(in: $0) }
    }
}
