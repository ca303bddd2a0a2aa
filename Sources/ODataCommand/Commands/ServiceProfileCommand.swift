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
            this. An entry that is pinned counts more than what is met: format=compact|parameters|plain|atom, \
            keys=parentheses|segments, update=patch|merge|put, and batch, tracking, expand, tunnel, repeatable, version with yes or no; \
            tracking:SET and expand:SET are of one set.
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help: ArgumentHelp("An entry to pin; may be repeated.", valueName: "name=value"))
    var pin: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("An entry to learn again; may be repeated.", valueName: "name"))
    var unpin: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        for name in unpin { try change("--unpin \(name)", name, nil, session) }
        for text in pin {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw CommandError.badInput("--pin: expected NAME=VALUE, found '\(text)'.")
            }
            try change("--pin \(text)", parts[0], parts[1], session)
        }
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
        for sentence in profile.sentences { console.print("learned: \(sentence)") }
        for pin in profile.pinned { console.print("pinned: \(pin)") }
    }

    private func change(
        _ option: String, _ name: String, _ value: String?, _ session: StoreSession
    ) throws {
        do {
            try session.provider.offlineStore.store().pin(name, to: value)
        } catch let error as ODataError where error.code == .usage {
            throw CommandError.badInput("\(option): \(error.message)")
        }
    }
}
