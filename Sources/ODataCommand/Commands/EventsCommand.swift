import ODataModel
import ArgumentParser
import SAPOData
import ODataSyncPlan
import ODataText

/// `odata events`: when a store was synchronised.
struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List the downloads and uploads of the store.")

    @OptionGroup var store: StoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let events = try session.provider.eventHistory(matching: nil).toArray()
        let console = output.console
        if console.isJSON {
            console.print(JSONValue.array(events.map(Self.json)).text)
            return
        }
        var table = TextTable(["id", "time", "type", "details"])
        for event in events {
            table.append([
                String(event.eventID), event.time.toString(), event.type, event.details ?? "",
            ])
        }
        if !events.isEmpty { for line in table.lines { console.print(line) } }
    }

    private static func json(_ event: SyncEvent) -> JSONValue {
        var object = JSONObject()
        object["id"] = .number(String(event.eventID))
        object["time"] = .string(event.time.toString())
        object["type"] = .string(event.type)
        if let details = event.details { object["details"] = .string(details) }
        return .object(object)
    }
}
