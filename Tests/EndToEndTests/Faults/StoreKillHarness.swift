import ChildFixture
import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataTesting
import ODataWire
import ODataWorld
import SAPOData

/// A service, a store with changes that wait, and a child that is killed while it upgrades, repairs or copies the store or changes its
/// key. What it left is as before or done; the next start needs no help, and everything that waited has its effect once.
final class StoreKillHarness {
    /// What can be planted to see whether it is found.
    enum Defect: String, CaseIterable {
        /// Each step of an upgrade is on disk before the next begins.
        case upgradesInParts
        /// New metadata is noted before the tables are brought to it.
        case notesMetadataFirst
        /// A repaired store is written over the damaged one.
        case repairsInPlace
        /// A copy has its name before all is in it.
        case copiesInParts
        /// Both slots of the header are written at once.
        case tearsHeader

        var work: StoreKillRound.Work {
            switch self {
            case .upgradesInParts: .migrate
            case .notesMetadataFirst: .adopt
            case .repairsInPlace: .repair
            case .copiesInParts: .export
            case .tearsHeader: .rekey
            }
        }
    }

    private static let keys = ["1d", "7e", "b4"].map { String(repeating: $0, count: 32) }

    private let place: KillPlace
    private let work: StoreKillRound.Work
    private let child: KilledWork
    private var store: KilledStore
    private var reader: StoreReader?
    /// How often the kill left what was before, and what is afterwards.
    private(set) var states = (before: 0, after: 0)
    var acknowledged: Int { place.acknowledged }

    init(_ work: StoreKillRound.Work, isEncrypted: Bool, _ defect: Defect? = nil) throws {
        place = try KillPlace()
        self.work = work
        child = KilledWork(place, defect: defect?.rawValue ?? "")
        store = place.store("store.db", key: isEncrypted || work == .rekey ? Self.keys[0] : nil)
        // A query beside the default download, so that the rows of an older format have to be given to both.
        try store.drain {
            let query = DataQuery().from($0.metadata.entitySet(withName: "WorkOrders"))
            query.url = "WorkOrders?$filter=Priority eq 1"
            try $0.createDownloadQuery(name: "urgent", query: query, streams: false)
        }
        try store.drain()
        if work == .export || work == .rekey { reader = try StoreReader(store) }
        // How long it takes.
        _ = try run(StoreKillRound(999_999, seed: 0), isKilled: false)
        states = (0, 0)
    }

    func close() throws {
        let reading = Result {
            _ = try reader?.check()
            try reader?.end()
        }
        try place.close()
        try reading.get()
    }

    /// - Returns: whether the child was killed.
    func run(_ round: StoreKillRound, isKilled: Bool = true) throws -> Bool {
        var round = round
        let leavesLog = reader == nil && work != .repair && round.below(2) == 0
        let notes = try PendingWrites.make(round.number, in: store, leavesLog: leavesLog)
        let trap = { (round: inout StoreKillRound) in
            isKilled ? round.trap(self.work, self.child) : KilledWork.never
        }
        let wasKilled =
            switch work {
            case .migrate: try migrate(&round, trap)
            case .adopt: try adopt(&round, trap)
            case .repair: try repair(&round, trap, notes)
            case .export: try export(&round, trap)
            case .rekey: try rekey(&round, trap)
            }
        if work != .repair { try store.check(notes) }
        try checkFolder()
        try store.drain()
        try place.check(notes, [store])
        _ = try reader?.check()
        return wasKilled
    }

    private func start(
        _ name: String, _ trap: KillingWorld.Trap, other: String? = nil
    ) throws -> KilledWork.Running {
        try child.start(["work", name, store.path, store.key ?? "-", other ?? "-"], trap)
    }

    private func note(isDone: Bool) {
        if isDone { states.after += 1 } else { states.before += 1 }
    }

    /// Only the files of the store, the service and the notes are there.
    private func checkFolder() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        let known = ["store.db", "store.db-wal", "store.db-shm", "store.db-upload"]
        let other = names.filter { $0.hasPrefix("store") && !known.contains($0) }
        guard other.isEmpty else { throw KillLoss("files are left: \(other)") }
    }

    private func localStore(_ other: KilledStore? = nil) throws -> LocalStore {
        let store = other ?? store
        var configuration = LocalStore.Configuration()
        configuration.key = try store.key.map { try StoreKey($0) }
        return try LocalStore(path: store.path, world: LiveWorld(), configuration: configuration)
    }

    private typealias Trap = (inout StoreKillRound) -> KillingWorld.Trap

    // MARK: The kinds of work

    private func migrate(_ round: inout StoreKillRound, _ trap: Trap) throws -> Bool {
        let before = try StoreContent(store)
        let format = 1 + round.below(OlderFormat.current - 1)
        try store.leavingLog(round.below(2) == 0) { keep in
            let queue = try store.file.queue()
            try queue.write { try OlderFormat.lower($0, to: format, queried: ["WorkOrders"]) }
            try keep()
            try queue.close()
        }
        let lowered = try StoreContent(store)
        let running = try start("migrate", trap(&round))
        // Somebody else opens it at the same time.
        let beside = round.below(4) == 0 ? try start("migrate", KilledWork.never) : nil
        let wasKilled = try child.wait(for: running)
        if let beside { try child.wait(for: beside) }
        let left = try StoreContent(store)
        note(isDone: left.format == OlderFormat.current)
        if left.format == format {
            if let difference = left.difference(from: lowered) {
                throw KillLoss("half of an upgrade from format \(format): \(difference)")
            }
        } else if left.format != OlderFormat.current {
            throw KillLoss("an upgrade from format \(format) ended at \(left.format)")
        }
        try localStore().close()
        let after = try StoreContent(store)
        guard after.format == before.format, after.schema == before.schema else {
            throw KillLoss("the next opening left format \(after.format) of \(format)")
        }
        if let difference = after.difference(from: before, but: OlderFormat.differing) {
            throw KillLoss("upgraded from format \(format), \(difference)")
        }
        return wasKilled
    }

    private func adopt(_ round: inout StoreKillRound, _ trap: Trap) throws -> Bool {
        let before = try StoreContent(store)
        guard let old = try metadata(of: store) else { throw KillLoss("no metadata is stored") }
        // A property that is there gets another type, another comes.
        let new = old.replacing(
            #"Name="Rating" Type="Edm.Double""#, with: #"Name="Rating" Type="Edm.String""#
        ).replacing(
            #"<Property Name="Title" "#,
            with: #"<Property Name="Extra" Type="Edm.String"/><Property Name="Title" "#)
        let document = place.folder.appendingPathComponent("metadata.xml")
        try Data(new.utf8).write(to: document)
        let copy = KilledStore(path: place.path("expected.db"), key: store.key, url: store.url)
        for part in ["", "-wal"]
        where FileManager.default.fileExists(atPath: store.path + part) {
            try FileManager.default.copyItem(atPath: store.path + part, toPath: copy.path + part)
        }
        try adopt(new, at: copy)
        let expected = try StoreContent(copy)
        copy.remove()
        let wasKilled = try child.wait(
            for: try start("adopt", trap(&round), other: document.path))
        let left = try StoreContent(store)
        let isDone = try metadata(of: store) == new
        note(isDone: isDone)
        let wanted = isDone ? expected : before
        // Times are in both.
        let timed: Set = ["_odata_meta", "_odata_event"]
        guard left.schema == wanted.schema,
            left.rows["_odata_event"]?.count == wanted.rows["_odata_event"]?.count
        else {
            throw KillLoss("tables are not those of the metadata")
        }
        if let difference = left.difference(from: wanted, but: timed) {
            throw KillLoss("half of a change of metadata: \(difference)")
        }
        try adopt(new, at: store)
        if let difference = try StoreContent(store).difference(
            from: expected, but: timed)
        {
            throw KillLoss("the next change of metadata left \(difference)")
        }
        // As the service has it.
        try adopt(old, at: store)
        return wasKilled
    }

    private func metadata(of store: KilledStore) throws -> String? {
        try store.read {
            try String.fetchOne($0, sql: "SELECT value FROM _odata_meta WHERE name = 'metadata'")
        }
    }

    private func adopt(_ text: String, at store: KilledStore) throws {
        let local = try localStore(store)
        try local.adopt(
            metadata: text,
            graph: try CSDLReader.read(Array(text.utf8), options: .runningService))
        try local.close()
    }

    private func repair(
        _ round: inout StoreKillRound, _ trap: Trap, _ notes: WriteNotes
    ) throws -> Bool {
        let before = try StoreContent(store)
        let kind = PageDamage.Kind.allCases[round.below(PageDamage.Kind.allCases.count)]
        let table = ["WorkOrders", "TimeEntries", "Sites"][round.below(3)]
        try PageDamage(store).make(kind, of: table, round.below(1_000))
        let key = try store.key.map { try StoreKey($0) }
        let wasKilled = try child.wait(for: try start("repair", trap(&round)))
        let isDone = try StoreCheck(path: store.path, key: key).isIntact
        note(isDone: isDone)
        if isDone {
            try store.read { try notes.check("_odata_view_", $0) }
        } else if kind == .header, let store = try? localStore() {
            // What its first bytes said is lost, and an app that went on with it would never learn that.
            try store.close()
            throw KillLoss("a store whose header was made up opens before the rest is repaired")
        }
        _ = try StoreRepair(path: store.path, key: key, world: LiveWorld()).run()
        let problems = try StoreCheck(path: store.path, key: key).problems
        guard problems.isEmpty else {
            throw KillLoss("\(kind) of \(table) is damaged after the repair: \(problems)")
        }
        let after = try StoreContent(store)
        for queue in ["_odata_request", "_odata_attempt"]
        where after.rows[queue] != before.rows[queue] {
            throw KillLoss("the repair of \(kind) of \(table) changed \(queue)")
        }
        // An app opens it and sees what it has written, before anything is downloaded.
        try localStore().close()
        try store.read { try notes.check("_odata_view_", $0) }
        return wasKilled
    }

    private func export(_ round: inout StoreKillRound, _ trap: Trap) throws -> Bool {
        let before = try StoreContent(store)
        let copy = KilledStore(path: store.path + ".copy", key: Self.keys[2], url: store.url)
        let isSent = round.below(4) == 0
        let wasKilled = try child.wait(
            for: try start(isSent ? "send" : "export", trap(&round), other: copy.key))
        if let difference = try StoreContent(store).difference(from: before) {
            throw KillLoss("an export changed the store: \(difference)")
        }
        try copy.checkSecrets(of: leftCopies())
        note(isDone: try isWhole(copy, before))
        let local = try localStore()
        for path in leftCopies() {
            guard path.contains("-copy-") else {
                try LocalStore.deleteFiles(at: path)
                continue
            }
            // What is sent next takes away what nobody has written to for long.
            for part in [path, path + "-journal"] {
                try? FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: part)
            }
            _ = try local.sealedImage(key: try StoreKey(Self.keys[2]), limit: 1 << 30)
        }
        try local.export(to: copy.path, key: try StoreKey(Self.keys[2]))
        try local.close()
        guard try isWhole(copy, before) else { throw KillLoss("the next copy is not there") }
        try LocalStore.deleteFiles(at: copy.path)
        return wasKilled
    }

    /// The copies that a kill has left, whole or not.
    private func leftCopies() -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        return (names ?? []).filter {
            ($0.hasPrefix("store.db.copy") || $0.hasPrefix("store.db-copy-"))
                && !["-wal", "-shm", "-journal"].contains(where: $0.hasSuffix)
        }.map { place.path($0) }
    }

    /// A copy opens under its own key and has everything, or does not open.
    private func isWhole(_ copy: KilledStore, _ before: StoreContent) throws -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: copy.path)[.size] as? Int
        // What was only begun has no header yet, and opening would make one.
        guard (size ?? 0) > 8192 else { return false }
        var wrong = copy
        wrong.key = Self.keys[1]
        if (try? StoreContent(wrong)) != nil { throw KillLoss("a copy opens under another key") }
        guard let content = try? StoreContent(copy), content.format != 0 else { return false }
        if let difference = content.difference(from: before) {
            throw KillLoss("part of a copy opens: \(difference)")
        }
        return true
    }

    private func rekey(_ round: inout StoreKillRound, _ trap: Trap) throws -> Bool {
        let before = try StoreContent(store)
        let old = store.key
        let new = old == Self.keys[0] ? Self.keys[1] : Self.keys[0]
        let wasKilled = try child.wait(for: try start("rekey", trap(&round), other: new))
        var opening: [String?] = []
        for key in [old, new] {
            store.key = key
            guard let content = try? StoreContent(store) else { continue }
            opening.append(key)
            if let difference = content.difference(from: before) {
                throw KillLoss("a change of the key changed the store: \(difference)")
            }
        }
        guard opening.count == 1 else {
            throw KillLoss("\(opening.count) of two keys open the store")
        }
        store.key = opening[0]
        note(isDone: store.key == new)
        return wasKilled
    }
}
