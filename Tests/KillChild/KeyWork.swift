import Foundation
import ODataSQLite
import ODataStore
import ODataWorld

/// Changes the key of a store to and fro, or exports it under another key, until it is killed.
struct KeyWork: Sendable {
    private let isExport: Bool
    private let path: String
    private let keys: [StoreKey]

    init?(_ arguments: [String]) {
        guard arguments.count == 5, ["rekey", "export"].contains(arguments[1]),
            let first = try? StoreKey(arguments[3]), let second = try? StoreKey(arguments[4])
        else { return nil }
        isExport = arguments[1] == "export"
        path = arguments[2]
        keys = [first, second]
    }

    /// The store may be under either key: the one before was killed.
    func run() throws {
        for (key, other) in [(keys[0], keys[1]), (keys[1], keys[0])] {
            var configuration = LocalStore.Configuration()
            configuration.key = key
            guard
                let store = try? LocalStore(
                    path: path, world: LiveWorld(), configuration: configuration)
            else { continue }
            FileHandle.standardOutput.write(Data("ready\n".utf8))
            while true {
                if isExport {
                    try LocalStore.deleteFiles(at: path + ".copy")
                    try store.export(to: path + ".copy", key: other)
                } else {
                    try store.changeKey(to: other)
                    try store.changeKey(to: key)
                }
            }
        }
        throw CocoaError(.fileReadCorruptFile)
    }
}
