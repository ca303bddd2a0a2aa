import Foundation
import GRDB
import ODataQuery
import ODataSQLite
import ODataTesting
import ODataText
import ODataTransport
import ODataWorld
import SAPOData

/// One client over all lives of its process: it works, is killed or loses power, and goes on over what is left of its store.
final class FieldClient: @unchecked Sendable {
    let number: Int
    private(set) var habits: FieldHabits
    let transport: SimulatedTransport
    private let world: SimulatedWorld
    private let schedule: FieldSchedule
    private let folder: URL
    private(set) var app: FieldApp
    private var home: URL
    private var power: PowerLossDisk?
    private var disk: FullDisk?
    /// What is there when the process starts again.
    private var found: (files: [String: [UInt8]], memory: FieldMemory)?
    private var actsLeft: Int
    private(set) var deaths = 0
    var findings: [String] = []
    /// Everything that was tried to be sent, for the question whether something ever was.
    private let sent: SentTexts
    private let service: FieldService
    private let tellLine: (String) -> Void
    /// What runs beside the app, by its name.
    private var beside: [String: any WorkerHandle] = [:]
    private var busy: Set<String> = []

    init(
        _ number: Int, _ world: SimulatedWorld, _ schedule: FieldSchedule, _ habits: FieldHabits,
        _ odds: SimulatedTransport.Odds, _ folder: URL, _ service: FieldService,
        _ tell: @escaping @Sendable (String) -> Void
    ) throws {
        self.number = number
        self.world = world
        self.schedule = schedule
        self.habits = habits
        self.folder = folder.appendingPathComponent("client-\(number)")
        tellLine = { tell("client \(number): " + $0) }
        transport = SimulatedTransport(world: world, odds: odds) {
            service.respond($0, from: number)
        }
        transport.omittedFaults = schedule.numbers(.fault, of: number)
        transport.listen { tell("network \(number): " + $0) }
        sent = SentTexts()
        self.service = service
        actsLeft = habits.acts
        home = self.folder.appendingPathComponent("life-0")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        app = FieldApp(
            world, number, transport.life(0), home, habits, nil, FieldMemory())
        var files: [String: [UInt8]] = [:]
        if !habits.startsEmpty {
            for (name, content) in try FieldStart.of(service.traits).put(
                into: home, format: habits.format)
            {
                files[home.path + "/" + name] = content
            }
        }
        start(0, FieldMemory(), files: files)
    }

    private func start(_ life: Int, _ memory: FieldMemory, files: [String: [UInt8]]) {
        // What a defect writes into the file is written past the disk that remembers.
        let losesPower =
            habits.losesPower && habits.deaths > 0 && schedule.defect?.sql.isEmpty ?? true
        power =
            losesPower ? PowerLossDisk(seed: world.random(), every: .max, files: files) : nil
        disk = habits.fillsDisk ? FullDisk(power) : nil
        let watch: (any FileWatch)? = disk ?? power
        let own = transport.life(life)
        let sending = SentTexts.Transport(base: own, sent: sent)
        app = FieldApp(
            world, number, schedule.defect?.wrap?(sending) ?? sending, home, habits,
            watch, memory)
        app.omitted = schedule.numbers(.write, of: number)
        app.tell = tellLine
        app.listen()
    }

    // MARK: Lives

    func live() {
        for life in 0...habits.deaths {
            do {
                if life > 0 { try startAgain(life) }
                try begin(isFirst: life == 0)
            } catch {
                findings.append("client \(number) does not start: \(error)")
                return
            }
            let app = app
            let isLast = life == habits.deaths
            let death = isLast ? nil : world.startWorker("death", die)
            while !app.isDead, isLast ? actsLeft > 0 : true {
                guard actsLeft > 0 else {
                    world.sleep(.milliseconds(50), token: nil)
                    continue
                }
                actsLeft -= 1
                act()
                world.sleep(.milliseconds(Int64(world.random() % 60)), token: nil)
            }
            death?.join()
            for worker in beside.values { worker.join() }
            beside = [:]
        }
        disk?.hasRoom = true
    }

    private func begin(isFirst: Bool) throws {
        try persist { try self.app.provider.open() }
        try install()
        app.configureSets(habits)
        try app.lookForChangeUnderWay()
        try app.lookForQueries()
        if !habits.readsAll, app.memory.queries.isEmpty {
            try app.changeQuery("q0", world.random())
        }
        // Who has a store goes on without the network.
        guard isFirst, habits.startsEmpty else { return }
        try persist {
            self.app.synchronisations += 1
            try self.app.download()
        }
        app.configureSets(habits)
    }

    private func install() throws {
        guard let sql = schedule.defect?.sql, !sql.isEmpty, !habits.isEncrypted else { return }
        let queue = try DatabaseQueue(path: home.path + "/store.db")
        try queue.write { database in for text in sql { try? database.execute(sql: text) } }
        try queue.close()
    }

    /// Tries again until the network lets it.
    private func persist(_ body: () throws -> Void) throws {
        for attempt in 1...60 {
            do {
                return try body()
            } catch  where attempt < 60 && isExpected(error) {
                world.sleep(.milliseconds(10), token: nil)
            }
        }
    }

    private func die() {
        let app = app
        world.sleep(.milliseconds(Int64(world.random() % 700)), token: nil)
        // Nobody else runs before the end of this worker, so that all of it is one moment.
        tellLine(power == nil ? "is killed" : "loses power")
        deaths += 1
        app.isDead = true
        transport.loseClient()
        found = (power?.losePower() ?? files(), app.memory)
    }

    /// What SIGKILL leaves: every write that was made, synced or not.
    private func files() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for (name, content) in FieldStart.files(in: home) {
            files[home.path + "/" + name] = content
        }
        return files
    }

    private func startAgain(_ life: Int) throws {
        guard let found else { return }
        self.found = nil
        try? app.provider.close()
        let old = home.path
        home = folder.appendingPathComponent("life-\(life)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        var files: [String: [UInt8]] = [:]
        for (path, content) in found.files where path.hasPrefix(old + "/") {
            files[home.path + path.dropFirst(old.count)] = content
        }
        for (path, content) in files {
            try Data(content).write(to: URL(fileURLWithPath: path))
        }
        tellLine("starts again")
        if habits.switchesDownload {
            habits.readsAll.toggle()
            tellLine(habits.readsAll ? "downloads all orders" : "downloads what queries ask for")
        }
        start(life, found.memory, files: files)
    }

    // MARK: Acts

    private func act() {
        app.memory.steps += 1
        let step = app.memory.steps
        let lots = (world.random() % 100, world.random())
        guard !app.omitted.contains(step) else { return }
        do {
            if !habits.readsAll, lots.0 < 12 {
                return try app.changeQuery("q\(lots.1 % 3)", lots.1)
            }
            try act(lots.0, lots.1)
        } catch  where app.isDead || isExpected(error) {
            tellLine("is told: \(error)")
        } catch {
            findings.append("client \(number), act \(step): \(error)")
        }
    }

    private func act(_ lot: UInt64, _ other: UInt64) throws {
        switch lot {
        case 0..<24: try changeSomething(other)
        case 24..<38: try app.create(in: "Orders", item: false, other)
        case 38..<45: try app.create(in: "Items", item: true, other)
        case 45..<52:
            try app.delete(choose(other))
        case 52..<57:
            let finding = try app.undo(choose(other)) { sent.holds($0) }
            // What runs beside may change the row, too.
            if let finding, busy.isEmpty { findings.append(finding) }
        case 57..<60:
            let requests = app.queued()
            guard !requests.isEmpty else { return }
            try app.give(up: requests[Int(other % UInt64(requests.count))])
        case 60..<65: try mend(other)
        case 65..<77: synchronise("upload", other)
        case 77..<88: synchronise("download", other)
        case 88..<92: stop(other)
        case 92..<94:
            tellLine("moves the clock")
            world.moveClock(seconds: Int64(other % 7_200) - 3_600)
        case 94..<96: try changeKey()
        case 96..<98: try changeUser(other)
        default: disk.map { $0.hasRoom.toggle() }
        }
    }

    private func choose(_ lot: UInt64) -> String {
        let own = app.memory.own
        if lot % 3 == 0 || own.isEmpty { return "s\(1 + lot / 3 % 5)" }
        return own[Int(lot / 3 % UInt64(own.count))]
    }

    private func changeSomething(_ lot: UInt64) throws {
        try app.change(lot % 7 == 0 ? "i\(1 + lot % 2)" : choose(lot / 7), lot / 32)
    }

    /// Sends what was refused once more, or corrects it; of what nobody knows the fate of somebody looks at the service first.
    private func mend(_ lot: UInt64) throws {
        guard let request = app.failed().first else { return }
        guard !request.isUnknown else { return try FieldEnding(app, service).settle(request, 0) }
        guard lot % 2 == 0 else {
            tellLine("sends \(request.toString()) again")
            return try app.insist(request, service.name(at: request.requestURL))
        }
        try app.said {
            guard let entity = try request.affectedEntity(fixRequest: true) else { return }
            let name = app.name(entity)
            tellLine("corrects what was refused of \(name)")
            try app.correct(entity, name)
        }
    }

    private func synchronise(_ kind: String, _ lot: UInt64) {
        guard lot % 2 == 0 else { return run(kind) }
        guard !busy.contains(kind) else { return }
        beside[kind]?.join()
        busy.insert(kind)
        beside[kind] = world.startWorker(kind) { [self] in
            run(kind)
            busy.remove(kind)
        }
    }

    private func run(_ kind: String) {
        let app = app
        app.synchronisations += 1
        tellLine("begins the \(kind)")
        do {
            if kind == "upload" {
                try app.service.upload()
            } else {
                try app.download()
            }
        } catch  where app.isDead || isExpected(error) {
            tellLine("is told: \(error)")
        } catch {
            findings.append("client \(number), \(kind): \(error)")
        }
        app.synchronisations += 1
    }

    private func stop(_ lot: UInt64) {
        tellLine("stops what runs")
        if lot % 2 == 0 {
            try? app.provider.cancelUpload()
        } else {
            try? app.provider.cancelDownload()
        }
    }

    private func changeKey() throws {
        guard habits.isEncrypted else { return }
        let key = FieldMemory.key(app.memory.steps)
        tellLine("changes the key")
        try app.provider.changeEncryptionKey(to: key)
        if !app.isDead { app.memory.key = key }
    }

    private func changeUser(_ lot: UInt64) throws {
        guard habits.changesUsers else { return }
        app.memory.user = ["zoe", "yan", nil][Int(lot % 3)]
        tellLine("is \(app.memory.user ?? "nobody") from now on")
        app.provider.currentUser = app.memory.user
        // An opening that fails leaves the store closed.
        try persist { try self.app.provider.open() }
    }

    /// The answers of those who stand between a client and the service.
    private static let strange: Set<Int> = [204, 302, 401, 502, 503]

    /// What a network, or a disk without room, may do to an operation.
    private func isExpected(_ error: any Error) -> Bool {
        if error is DataNetworkError { return true }
        if disk != nil, error is DataStorageError { return true }
        // An opening for another user that the network refused has closed it.
        if habits.changesUsers, error is UsageError,
            "\(error)".contains("Expected an open store")
        {
            return true
        }
        guard let error = error as? DataServiceError else { return false }
        // One error for what several sets met, a portal among it, has no status.
        let isPortal = error.status == 0 && error.toString().contains("(Not the service: ")
        // A set that was taken away between the look at the metadata and the read.
        if service.hasGivenUp, error.status == 404 { return true }
        // A set that was taken away between the look at the metadata and the change.
        if service.hasGivenUp, error.toString().contains("singleton that is stored") { return true }
        // A type that was changed between the look at the metadata and the read.
        if service.hasChanged, error.toString().contains("found another form") { return true }
        // The metadata was replaced between the reading of a row and its change.
        if service.hasChanged, error.toString().contains("Expected the properties of") {
            return true
        }
        return isPortal || Self.strange.contains(error.status)
    }
}

/// The bodies of all writes that were tried to be sent.
final class SentTexts: @unchecked Sendable {
    private var bodies: [String] = []

    func holds(_ text: String) -> Bool { bodies.contains { $0.contains(text) } }

    struct Transport: HTTPTransport {
        let base: any HTTPTransport
        let sent: SentTexts

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            if !request.body.isEmpty {
                sent.bodies.append(String(decoding: request.body, as: UTF8.self))
            }
            return try base.send(request, options: options)
        }
    }
}
