import Foundation
import GRDB
import ODataSQL
import ODataSQLite
import ODataText
import ODataWorld

/// Repairs the file of a store that nobody has open.
///
/// Damaged indexes are made again in place. Beyond that everything readable goes into a new file beside the old one, page
/// by page, requests of the queue even where the pages that lead to them are lost; the new file takes the old one's place
/// in one step, so that a kill leaves the one or the other.
package struct StoreRepair {
    package let path: String
    package let key: StoreKey?
    package let world: any World

    package init(path: String, key: StoreKey?, world: any World) {
        self.path = URL(fileURLWithPath: path).path
        self.key = key
        self.world = world
    }

    private var target: String { path + "-repair" }

    /// - Throws: `storage` when the file is in use, when the key does not fit, and when nothing of a store is found in it;
    ///   the file is as it was.
    package func run() throws -> RepairReport {
        var report = RepairReport()
        report.problems = try StoreCheck(path: path, key: key).problems
        PrivateFiles.restrict(database: path)
        // What a repair that was killed has left, copies of the store.
        try LocalStore.deleteFiles(at: target)
        try? FileManager.default.removeItem(atPath: HeaderRepair.folder(beside: path))
        guard !report.problems.isEmpty else { return report }
        try checkPages()
        if try remakeIndexes() {
            report.extent = .indexes
            return report
        }
        report.extent = .rebuilt
        defer { try? LocalStore.deleteFiles(at: target) }
        let (held, pages) = try hold()
        defer { held.close() }
        var salvage = Salvage(pages, report)
        guard salvage.schema.tables.contains(where: { $0.name.hasPrefix("_odata_") }) else {
            throw ODataError(
                .storage, "Expected a store, found a file without anything of one.",
                at: .path(path))
        }
        let format = pages.format
        try fill { database in
            try salvage.run(
                into: database,
                format: (1...BookkeepingSchema.version).contains(format)
                    ? format : BookkeepingSchema.version)
        }
        report = try settle(salvage)
        let problems = try StoreCheck(path: target, key: key).problems
        guard problems.isEmpty else {
            throw ODataError(
                .storage, "Expected a whole store after the repair, found: \(problems[0])")
        }
        try replace()
        return report
    }

    /// A log without a store is left alone.
    private func checkPages() throws {
        let file = try StoreFile(path: path, key: key)
        if file.hasNoPages { try file.checkLength() }
    }

    /// Makes all indexes again, when that is enough: true when the file is whole then.
    private func remakeIndexes() throws -> Bool {
        do {
            let file = try StoreFile(path: path, key: key)
            try file.checkLength()
            let queue = try file.queue()
            defer { try? queue.close() }
            var isWhole = false
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "REINDEX")
                    isWhole = try StoreCheck.problems(database).isEmpty
                    return isWhole ? .commit : .rollback
                }
            }
            return isWhole
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw ODataError(.storage, "Expected a store that nobody has open, found one in use.")
        } catch {
            return false
        }
    }

    /// Takes the file for this repair alone; its pages are read when they are needed.
    private func hold() throws -> (DamagedFile, DatabasePages) {
        func open() throws -> DamagedFile {
            try DamagedFile(holding: try StoreFile(path: path, key: key, salvages: true))
        }
        var isTrusted = true
        var held: DamagedFile
        do {
            held = try open()
        } catch let error where DamagedFile.isNoDatabase(error) && key == nil {
            // It does not say that it is a store, so that nobody takes it for a whole one when this repair is killed, and
            // the next does not believe it either.
            try HeaderRepair(path: path, format: BookkeepingSchema.version, application: 0).run()
            isTrusted = false
            held = try open()
        }
        do {
            let pages = try DatabasePages(held, trustsHeader: isTrusted)
            // The first page is a made-up one: its list of unused pages is empty, which need not be so.
            if pages.application != BookkeepingSchema.applicationID { pages.distrustHeader() }
            return (held, pages)
        } catch {
            held.close()
            throw error
        }
    }

    private func fill(_ body: (Database) throws -> Void) throws {
        let file = try StoreFile(path: target, key: key)
        PrivateFiles.prepare(database: target)
        let queue = try file.queue()
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
        try queue.close()
    }

    /// Opens the new file as a store, which brings it to the present format, and puts queue and rows in order.
    private func settle(_ salvage: Salvage) throws -> RepairReport {
        var configuration = LocalStore.Configuration()
        configuration.key = key
        configuration.maximumReaders = 1
        let store = try LocalStore(path: target, world: world, configuration: configuration)
        defer { try? store.close() }
        var report = salvage.report
        if store.hasMetadata {
            report = try store.writing { transaction in
                var queue = SalvagedQueue(transaction, salvage)
                try queue.run()
                return queue.report
            }
        } else {
            report.lacksMetadata = true
        }
        try store.checkpoint()
        try store.close()
        return report
    }

    /// Puts the new file in the old one's place; the old one's log is empty by now.
    private func replace() throws {
        world.checkpoint("store.repair.replace")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: target))
        try file.synchronize()
        try file.close()
        guard rename(target, path) == 0 else {
            throw ODataError(
                .storage, "Expected to put the repaired store in place: error \(errno).",
                at: .path(path))
        }
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
