import ArgumentParser
import SAPOData
import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText

/// `odata service profile`, or `odata service` alone: what a store knows of its service.
struct ServiceProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show what is known of the service of a store.",
        discussion: """
            What the service refused, so that it is not asked again, stands behind its address; nothing is asked for \
            this.
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let profile = try CommandError.operation {
            try session.provider.offlineStore.store().serviceProfile()
        }
        let console = output.console
        guard !console.isJSON else {
            var object = JSONObject()
            object["service"] = .string(session.provider.onlineProvider.serviceRoot)
            object["version"] = .string(session.document.versionText)
            object["profile"] = try JSONValue(
                parsing: Array(profile.text.utf8), duplicates: .keepLast)
            return console.print(JSONValue.object(object).text)
        }
        console.print("service: \(session.provider.onlineProvider.serviceRoot)")
        console.print("version: \(session.document.versionText)")
        for sentence in profile.reads.sentences { console.print("learned: \(sentence)") }
    }
}
