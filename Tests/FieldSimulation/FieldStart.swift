import Foundation
import GRDB
import ODataTesting
import ODataText
import ODataWorld
import SAPOData
import Synchronization

/// A store that has synchronised with a service of some kind before anything was changed: where most clients start from, as making
/// one takes longer than what most of them do with it.
struct FieldStart: Sendable {
    /// The contents of its files by their names.
    let files: [String: [UInt8]]

    private static let made = Mutex<[FieldTraits: FieldStart]>([:])
    /// Schedules of one kind come one after another.
    private static let maximum = 32

    /// The store for services of a kind, made when it is first asked for; nothing in it depends on when that is.
    static func of(_ traits: FieldTraits) throws -> FieldStart {
        if let known = made.withLock({ $0[traits] }) { return known }
        let start = try make(traits)
        made.withLock { made in
            if made.count >= maximum { made = [:] }
            made[traits] = start
        }
        return start
    }

    private static func make(_ traits: FieldTraits) throws -> FieldStart {
        let folder = try TestFolder.makeFast("odata-field-start-")
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = SimulatedWorld(seed: 1, start: Instant(seconds: 1_899_996_400))
        let service = FieldService(traits, seed: 1)
        service.isFaulty = false
        service.fill()
        let transport = SimulatedTransport(world: world) { service.respond($0, from: 0) }
        transport.isFaulty = false
        var random = SeededGenerator(seed: 1)
        var habits = FieldHabits(&random)
        habits.readsAll = true
        habits.isEncrypted = false
        habits.changesUsers = false
        let app = FieldApp(world, 0, transport, folder, habits, nil, FieldMemory())
        try app.provider.open()
        try app.service.download()
        try app.provider.close()
        return FieldStart(files: files(in: folder))
    }

    /// What is in a folder, without what SQLite makes anew.
    static func files(in folder: URL) -> [String: [UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var files: [String: [UInt8]] = [:]
        for name in names where !name.hasSuffix("-shm") {
            if let data = FileManager.default.contents(atPath: folder.path + "/" + name) {
                files[name] = Array(data)
            }
        }
        return files
    }

    /// Writes the files into a folder, as a version of the library that wrote this format left them.
    ///
    /// - Parameter format: nil for the present format.
    /// - Returns: what is there now.
    func put(into folder: URL, format: Int?) throws -> [String: [UInt8]] {
        for (name, content) in files {
            try Data(content).write(to: folder.appendingPathComponent(name))
        }
        guard let format else { return files }
        let queue = try DatabaseQueue(path: folder.path + "/store.db")
        try queue.write { try OlderFormat.lower($0, to: format) }
        try queue.close()
        return Self.files(in: folder)
    }
}
