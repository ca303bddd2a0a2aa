import Foundation
import GRDB
import ODataSQLite

/// Reads a store as another process: holds one snapshot while its parent writes, or looks again and again whether two
/// tables that are written together agree.
struct ReadWork: Sendable {
    private let holds: Bool
    private let path: String
    private let key: StoreKey?

    init?(_ arguments: [String]) {
        guard arguments.count == 4, ["hold", "compare"].contains(arguments[1]) else { return nil }
        holds = arguments[1] == "hold"
        path = arguments[2]
        key = arguments[3] == "-" ? nil : try? StoreKey(arguments[3])
        if arguments[3] != "-", key == nil { return nil }
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    private static func counts(_ database: Database) throws -> [Int] {
        try ["Customers", "Orders"].map {
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
        }
    }

    func run() throws {
        let queue = try StoreFile(path: path, key: key).queue(readonly: true)
        if holds {
            try queue.read { database in
                Self.say("\(try Self.counts(database)[0])")
                _ = readLine()
                Self.say("\(try Self.counts(database)[0])")
            }
            Self.say("\(try queue.read(Self.counts)[0])")
        } else {
            Self.say("0")
            var (reads, states) = (0, Set<Int>())
            // Until the parent closes what this one reads from.
            let ended = FileHandle.standardInput
            while true {
                let counts = try queue.read(Self.counts)
                guard counts[0] == counts[1] else {
                    Self.say("\(counts)")
                    return
                }
                reads += 1
                states.insert(counts[0])
                var wait = pollfd(fd: ended.fileDescriptor, events: Int16(POLLIN), revents: 0)
                if poll(&wait, 1, 0) > 0 { break }
            }
            Self.say("\(reads) \(states.count)")
        }
        try queue.close()
    }
}
