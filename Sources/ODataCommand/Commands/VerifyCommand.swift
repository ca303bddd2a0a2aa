import ArgumentParser
import ODataSync
import ODataSyncPlan
import ODataText

/// `odata verify`: compares a store with its service.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the store with its service, and read again what differs.",
        discussion: """
            Deltas cannot tell when a service was restored from a backup or forgets what it tells. The keys of every set \
            that was downloaded are compared, or with --counts the numbers of rows; what differs is read in full. Unsent \
            changes do not count. The status is 1 when anything differed or could not be compared.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(name: .long, help: "Compare numbers of rows where the service tells them.")
    var counts = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let found = try session.verify(counts ? .counts : .keys, output.console)
        let console = output.console
        if console.isJSON {
            console.print(Self.json(found).text)
        } else {
            for item in found { console.print(item.sentence) }
        }
        let different = found.filter(\.isDifferent).map { $0.source.name ?? $0.source.entitySet }
        guard different.isEmpty else {
            throw CommandError.failed(
                "The store differed from the service in \(different.joined(separator: ", "));"
                    + " what differed was read again.")
        }
        let unknown = found.filter { $0.obstacle != nil }.map {
            $0.source.name ?? $0.source.entitySet
        }
        guard unknown.isEmpty else {
            throw CommandError.failed("Not compared: \(unknown.joined(separator: ", ")).")
        }
    }

    private static func json(_ found: [SourceVerification]) -> JSONValue {
        let sets = found.map { item -> JSONValue in
            var object = JSONObject()
            object["set"] = .string(item.source.name ?? item.source.entitySet)
            object["here"] = .number(String(item.here))
            if let there = item.there { object["there"] = .number(String(there)) }
            if let missing = item.missing { object["missing"] = .number(String(missing)) }
            if let surplus = item.surplus { object["surplus"] = .number(String(surplus)) }
            if let changed = item.changed { object["changed"] = .number(String(changed)) }
            if let after = item.after { object["after"] = .number(String(after)) }
            if let obstacle = item.obstacle { object["obstacle"] = .string(obstacle) }
            object["different"] = .boolean(item.isDifferent)
            return .object(object)
        }
        return .object(JSONObject([.init(name: "verified", value: .array(sets))]))
    }
}
