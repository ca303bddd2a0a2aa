import ArgumentParser
import Foundation
import SAPOData
import ODataModel
import ODataQuery

/// `odata query`: answers a query from a store, or from a service with `--online`.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Answer a query from a store, or from a service.",
        usage: """
            odata query --store <file> 'Orders?$filter=Amount gt 10&$top=5'
            odata query --online <url> 'Orders?$filter=Amount gt 10&$top=5'
            """,
        discussion: """
            The query is a URL relative to the service root. Blanks need no encoding. The store is \
            read as it is, with local changes and without the network.
            """)

    @Option(
        name: .long, help: ArgumentHelp("The store to read.", valueName: "file"),
        completion: .file())
    var store: String?

    @Option(name: .long, help: ArgumentHelp("The service to ask.", valueName: "url"))
    var online: String?

    @OptionGroup var sealing: KeyOptions

    @OptionGroup var headers: HeaderOptions

    @Argument(help: "The query: a URL relative to the service root.")
    var query: String

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (store == nil) != (online == nil) else {
            throw ValidationError("Expected either --store or --online.")
        }
    }

    func run() throws {
        if let online {
            try runOnline(try ServiceRoot(online))
        } else if let store {
            try runOffline(store)
        }
    }

    private func runOffline(_ store: String) throws {
        var options = StoreOptions()
        options.store = store
        options.sealing = sealing
        options.headers = headers
        let session = try StoreSession.open(options)
        defer { session.close() }
        let result = try session.execute(try session.resource(query))
        try write(result, session.graph)
    }

    private func runOnline(_ root: ServiceRoot) throws {
        let provider = OnlineODataProvider(serviceName: root.name, serviceRoot: root.url)
        provider.logIn(root.credentials)
        for header in try headers.fields() {
            provider.httpHeaders.setHeader(withName: header.name, value: header.value)
        }
        try CommandError.operation {
            try provider.loadMetadata(headers: .empty, options: .none)
        }
        let query = try ResourceArgument(query, in: provider.metadata).dataQuery()
        let result = try CommandError.operation {
            try provider.executeQuery(query, headers: .empty, options: .none)
        }
        try write(result, provider.metadata.graph)
    }

    private func write(_ result: QueryResult, _ graph: MetadataGraph) throws {
        let value = try CommandError.operation { try result.checkedResult() }
        if result.query.expectSingle, value == nil {
            throw CommandError.failed("'\(query)': no such entity.")
        }
        ResultPrinter(console: output.console, graph: graph)
            .print(value, count: (value as? EntityValueList)?.totalCount)
    }
}
