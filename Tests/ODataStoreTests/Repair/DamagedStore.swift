import Foundation
import GRDB
import ODataModel
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataWorld

/// A store with enough rows and requests that their trees have several levels, and the places to damage it at.
struct DamagedStore {
    static let key = String(repeating: "4d", count: 32)
    static let customers = 900
    static let requests = 240

    let fixture: StoreFixture
    let isEncrypted: Bool
    private let roots: [String: Int]
    private let image: [UInt8]

    var path: String { fixture.path }
    var key: StoreKey? { get throws { isEncrypted ? try StoreKey(Self.key) : nil } }

    /// A store as every test begins with it; making it takes longer than copying it.
    private struct Original {
        let file: Data
        let image: [UInt8]
        let roots: [String: Int]
    }

    private static let plain = Result { try makeOriginal(isEncrypted: false) }
    private static let sealed = Result { try makeOriginal(isEncrypted: true) }

    private static func configuration(_ isEncrypted: Bool) throws -> LocalStore.Configuration {
        var configuration = LocalStore.Configuration()
        configuration.key = isEncrypted ? try StoreKey(key) : nil
        return configuration
    }

    private static func makeOriginal(isEncrypted: Bool) throws -> Original {
        let configuration = try configuration(isEncrypted)
        let fixture = try StoreFixture(configuration, world: LiveWorld())
        try fixture.adopt()
        let filler = String(repeating: "x", count: 12)
        try fixture.download(
            "Customers",
            (1...Self.customers).map { "{\"ID\":\($0),\"Name\":\"c\($0)\(filler)\"}" }
                .joined(separator: ","))
        try fixture.download(
            "Orders", (1...50).map { "{\"ID\":\($0),\"CustomerID\":\($0)}" }.joined(separator: ","))
        for number in 1...Self.requests / 2 {
            try fixture.update(
                try fixture.row("Customers", Int64(number * 3)),
                ["Name": .text("local \(number)")])
            _ = try fixture.create(
                "Orders", ["ID": .number(Int64(1_000 + number)), "Title": .text("new \(number)")])
        }
        let image = try fixture.store.plainImage(limit: 1 << 30)
        try fixture.store.close()
        var roots: [String: Int] = [:]
        let queue = try StoreFile(path: fixture.path, key: configuration.key).queue()
        for row in try queue.read({
            try Row.fetchAll($0, sql: "SELECT name, rootpage FROM sqlite_master")
        }) {
            roots[row["name"]] = row["rootpage"]
        }
        try queue.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        return Original(file: file, image: image, roots: roots)
    }

    /// A store that is closed, all of it in its one file.
    init(isEncrypted: Bool = false) throws {
        self.isEncrypted = isEncrypted
        let original = try (isEncrypted ? Self.sealed : Self.plain).get()
        (image, roots) = (original.image, original.roots)
        let path = StoreFixture.freshPath()
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try original.file.write(to: URL(fileURLWithPath: path))
        fixture = try StoreFixture(
            try Self.configuration(isEncrypted), world: LiveWorld(), path: path)
        try fixture.store.close()
    }

    // MARK: Pages

    private func number(_ page: Int, _ offset: Int, _ length: Int) -> Int {
        let start = (page - 1) * 4096 + offset
        return image[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
    }

    func root(_ name: String) -> Int { roots[name] ?? 0 }

    /// The leaves below a page, first to last.
    func leaves(_ page: Int) -> [Int] {
        guard [2, 5].contains(number(page, 0, 1)) else { return [page] }
        let children = (0..<number(page, 3, 2)).map {
            number(page, number(page, 12 + 2 * $0, 2), 4)
        }
        return (children + [number(page, 8, 4)]).flatMap(leaves)
    }

    /// Overwrites a page, or in an encrypted store one byte, which damages the page just as well.
    func damage(page: Int) throws {
        let start = (page - 1) * 4096 + (isEncrypted ? 8192 : 0)
        try write(
            isEncrypted ? [0xAA, 0x55] : [UInt8](repeating: 0xE7, count: 4096), at: start + 0)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    // MARK: Repair

    func check() throws -> StoreCheck { try StoreCheck(path: path, key: try key) }

    func repair() throws -> RepairReport {
        try StoreRepair(path: path, key: try key, world: LiveWorld()).run()
    }

    /// The queue as `id operation table(row) state body`.
    func queue() throws -> [String] {
        try fixture.sql(
            "SELECT id || ' ' || operation || ' ' || \"table\" || '(' || \"row\" || ') ' || state"
                + " || ' ' || body FROM _odata_request ORDER BY id")
    }
}
