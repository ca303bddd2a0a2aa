import ODataQuery
import ArgumentParser
import SAPOData
import ODataModel

/// `odata update`: changes an entity in a store; the next upload sends the change.
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change an entity in the store; the next upload sends the change.",
        usage: "odata update --store <file> 'Orders(1)' '{\"Amount\": 13}'",
        discussion: "Properties that the JSON does not name keep their values.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The entity, such as 'Orders(1)'.")
    var resource: String

    @Argument(help: "What changes, as JSON; '-' reads standard input.")
    var changes: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let argument = try session.resource(resource)
        try argument.requireEntity()
        let entity = try session.entity(argument)
        let body = try EntityBody(
            changes, of: entity.entityType.structureID, in: argument.resource.targetSet,
            document: session.document)
        try body.apply(to: entity, isNew: false) { try session.entity($0) }
        try CommandError.operation {
            try session.provider.updateEntity(entity, headers: .empty, options: .none)
        }
        ResultPrinter(console: output.console, graph: session.graph).print(entity)
    }
}
