import Foundation
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataWorld
import SAPOData
import Synchronization

/// Reads a store as another process while its clients are killed: `KillChild watch STORE KEY|-`.
///
/// Clients change orders in pairs, both in one change set, and make new ones in pairs. Whatever this process sees, by a
/// read or as an observer, has whole pairs. At a line it says how much it has read; at the end of its input it ends.
final class WatchWork: Sendable {
    private let path: String
    private let key: String?
    /// What was seen and must not be; empty while there is nothing.
    private let wrong = Mutex("")
    private let observed = Mutex<(updates: Int, titles: [String: String])>((0, [:]))

    init?(_ arguments: [String]) {
        guard arguments.count == 4, arguments[1] == "watch" else { return nil }
        path = arguments[2]
        key = arguments[3] == "-" ? nil : arguments[3]
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    func run() throws {
        let store = SQLDatabaseProvider(serviceName: "Watch", databaseURL: "sqlite:" + path)
        store.encryptionKey = key
        try store.open()
        let orders = store.metadata.entitySet(withName: "WorkOrders")
        let number = orders.entityType.property(withName: "Number")
        let title = orders.entityType.property(withName: "Title")
        let paired = { () -> DataQuery in
            let query = DataQuery().from(orders)
            query.url = "WorkOrders?$filter=startswith(Title,'pair ')"
            return query
        }
        let token = try store.observe(
            paired(),
            failure: { error in self.note("the observer ended with \(error)") },
            { self.take($0, number, title) })
        Self.say("ready")
        var reads = 0
        while true {
            try check(store, paired(), title)
            let made = DataQuery().from(orders).filter(number.contains("-p"))
            let count = try store.executeQuery(
                made.count(), headers: HTTPHeaders(), options: RequestOptions()
            ).count()
            if count % 2 != 0 { note("\(count) of the orders that are made in pairs") }
            reads += 1
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 4) > 0 else { continue }
            guard readLine() != nil else { break }
            let text = wrong.withLock { $0 }
            Self.say(text.isEmpty ? "\(reads) \(observed.withLock { $0.updates })" : text)
        }
        token.cancel()
        try store.close()
    }

    private func note(_ text: String) {
        wrong.withLock { if $0.isEmpty { $0 = text } }
    }

    private func check(
        _ store: SQLDatabaseProvider, _ query: DataQuery, _ title: Property
    ) throws {
        let rows = try store.executeQuery(
            query, headers: HTTPHeaders(), options: RequestOptions()
        ).entityList()
        var titles: [String: Int] = [:]
        for row in rows { titles[title.stringValue(from: row), default: 0] += 1 }
        for (text, count) in titles where count != 2 { note("\(count) orders '\(text)' in a read") }
    }

    private func take(_ update: LiveQueryUpdate, _ number: Property, _ title: Property) {
        let torn = observed.withLock { state -> String? in
            state.updates += 1
            for row in update.deleted {
                state.titles[number.stringValue(from: row.entity)] = nil
            }
            for row in update.inserted + update.updated + update.moved {
                state.titles[number.stringValue(from: row.entity)] = title.stringValue(
                    from: row.entity)
            }
            let groups = Dictionary(grouping: state.titles.values) { $0 }
            return groups.first { $0.value.count != 2 }.map {
                "\($0.value.count) orders '\($0.key)' in update \(state.updates)"
            }
        }
        if let torn { note(torn) }
    }
}
