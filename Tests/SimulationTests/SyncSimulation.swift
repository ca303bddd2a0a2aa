import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataTransport
import ODataWorld

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
    }

    let world: SimulatedWorld
    private(set) var client: SimulatedClient
    private let folder: URL
    private let service: ODataService
    private let database: DatabaseQueue
    private let transport: SimulatedTransport
    private var outcome = Outcome()
    private let defect: DefectTransport.Defect?
    private var disk: PowerLossDisk
    /// Where the store of the present life is.
    private var home: URL
    /// What is on the disk when the power comes back.
    private var found: (files: [String: [UInt8]], memory: SimulatedClient.Memory)?
    private var isAppDone = false

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
    ///
    /// - Parameter defect: What is wrong with the client, to see that it is found.
    static func run(
        _ seed: UInt64, defect: DefectTransport.Defect? = nil
    ) throws -> Outcome {
        let simulation = try SyncSimulation(seed, defect)
        defer { simulation.remove() }
        return try simulation.run()
    }

    private init(_ seed: UInt64, _ defect: DefectTransport.Defect?) throws {
        self.defect = defect
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
        transport = SimulatedTransport(world: world) { service.respond(to: $0) }
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
        _ transport: SimulatedTransport, _ life: Int, _ defect: DefectTransport.Defect?
    ) -> any HTTPTransport {
        let own = transport.life(life)
        return defect.map { DefectTransport(own, $0) } ?? own
    }

    /// What goes in batches, and how many at once, is the seed's choice, too.
    private func configure() {
        provider.batchEntityUploads = world.random() % 2 == 0
        provider.batchEntityDownloads = world.random() % 2 == 0
        provider.entityDownloadThreads = 1 + Int(world.random() % 3)
        provider.uploadWorkerThreads = 1 + Int(world.random() % 3)
        provider.autoSaveEstimates = false
    }

    private func remove() {
        try? client.provider.close()
        try? database.close()
        try? service.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private var provider: CloudSyncProvider { client.provider }

    // MARK: The run

    private func run() throws -> Outcome {
        let losses = Int(world.random() % 3)
        for life in 0...losses {
            if life > 0 { try startAgain(life) }
            try persist { try self.provider.open() }
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
            if life < losses { workers.append(world.startWorker("power", losePower)) }
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
        return outcome
    }

    // MARK: Power

    private func losePower() {
        world.sleep(.milliseconds(Int64(world.random() % 900)), token: nil)
        // Nobody else runs before the end of this worker, so that all of it is one moment.
        found = (disk.losePower(), client.memory)
        transport.loseClient()
        isAppDone = true
        outcome.powerLosses += 1
    }

    /// Another client over what was left of the store.
    private func startAgain(_ life: Int) throws {
        try? provider.close()
        guard let found else { return }
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
        return (error as? DataServiceError)?.status == 503
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
            if world.random() % 2 == 0 {
                try? provider.cancelUpload()
            } else {
                try? provider.cancelDownload()
            }
        }
    }

    /// What others do at the service: mostly elsewhere, now and then where the app works.
    private func changeAtService() {
        var number = 0
        while !isAppDone {
            world.sleep(.milliseconds(Int64(world.random() % 200)), token: nil)
            number += 1
            let lot = world.random() % 8
            do {
                try database.write { try $0.execute(sql: Self.change(lot, number)) }
            } catch {
                outcome.findings.append("a change at the service failed: \(error)")
            }
        }
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
