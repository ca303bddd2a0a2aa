import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataWorld

/// Damages a page of a store that is closed, one that nothing is lost with but what the service has, too.
struct PageDamage {
    enum Kind: CaseIterable { case index, leaf, root, header, images }

    private let image: [UInt8]
    private let roots: [String: Int]
    private let store: KilledStore

    init(_ store: KilledStore) throws {
        self.store = store
        var configuration = LocalStore.Configuration()
        configuration.key = try store.key.map { try StoreKey($0) }
        let local = try LocalStore(
            path: store.path, world: LiveWorld(), configuration: configuration)
        image = try local.plainImage(limit: 1 << 30)
        roots = try local.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0")
            return Dictionary(
                rows.map { ($0[0] as String, $0[1] as Int) },
                uniquingKeysWith: { first, _ in first })
        }
        try local.close()
    }

    /// - Parameter choice: a random number.
    func make(_ kind: Kind, of table: String, _ choice: Int) throws {
        let root = roots[table] ?? 1
        switch kind {
        case .index: try damage(leaf(below: roots["_odata_key_" + table] ?? 1, choice))
        case .leaf: try damage(leaf(below: root, choice))
        case .root: try damage(root)
        case .images: try damage(leaf(below: roots["_odata_base_" + table] ?? root, choice))
        case .header:
            // Of an encrypted store the first page, which holds as much.
            if store.key == nil {
                try write([UInt8](repeating: 0, count: 100), at: 0)
            } else {
                try damage(1)
            }
        }
    }

    private func leaf(below root: Int, _ choice: Int) -> Int {
        let leaves = leaves(root)
        return leaves[choice % leaves.count]
    }

    private func number(_ page: Int, _ offset: Int, _ length: Int) -> Int {
        let start = (page - 1) * 4096 + offset
        return image[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
    }

    private func leaves(_ page: Int) -> [Int] {
        let start = page == 1 ? 100 : 0
        guard [2, 5].contains(number(page, start, 1)) else { return [page] }
        let children = (0..<number(page, start + 3, 2)).map {
            number(page, number(page, start + 12 + 2 * $0, 2), 4)
        }
        return (children + [number(page, start + 8, 4)]).flatMap(leaves)
    }

    private func damage(_ page: Int) throws {
        let start = (page - 1) * 4096
        guard store.key == nil else { return try write([0xAA, 0x55], at: start + 8192) }
        try write([UInt8](repeating: 0xE7, count: 4096), at: start)
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: store.path))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
