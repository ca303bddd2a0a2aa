import ODataQuery
import ArgumentParser
import SAPOData
import ODataModel

/// `odata create`: creates an entity in a store; the next upload sends it.
struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an entity in the store; the next upload sends it.",
        usage: "odata create --store <file> Orders '{\"Amount\": 12.50}'",
        discussion: """
            The entity is OData JSON. 'Customer@odata.bind': 'Customers(1)' links it to another one.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The entity set to create in.")
    var entitySet: String

    @Argument(help: "The entity as JSON; '-' reads standard input.")
    var entity: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let set = try session.resource(entitySet).entitySet()
        let body = try EntityBody(
            entity, of: set.entityType.structureID, in: set.id, document: session.document)
        let created = EntityValue.ofType(body.entityType).inSet(set)
        try body.apply(to: created, isNew: true) { try session.entity($0) }
        try CommandError.operation {
            try session.provider.createEntity(created, headers: .empty, options: .none)
        }
        ResultPrinter(console: output.console, graph: session.graph).print(created)
    }
}
