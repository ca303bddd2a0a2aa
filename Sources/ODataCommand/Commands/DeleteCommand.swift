import ODataQuery
import ArgumentParser
import SAPOData
import ODataText

/// `odata delete`: deletes an entity in a store; the next upload sends the deletion.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an entity in the store; the next upload sends the deletion.",
        usage: "odata delete --store <file> 'Orders(1)'")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The entity, such as 'Orders(1)'.")
    var resource: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let entity = try session.entity(resource)
        try CommandError.operation {
            try session.provider.deleteEntity(entity, headers: .empty, options: .none)
        }
        let console = output.console
        if console.isJSON {
            console.print(
                JSONValue.object(
                    JSONObject([.init(name: "deleted", value: .string(resource))])
                ).text)
        } else {
            console.print("deleted \(resource)")
        }
    }
}
