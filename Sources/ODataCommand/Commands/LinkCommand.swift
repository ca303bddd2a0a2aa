import ODataQuery
import ArgumentParser
import SAPOData
import ODataModel
import ODataText

/// `odata link`: links two entities of a store, or removes their link; the next upload sends the change.
struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Link two entities of the store, or remove their link.",
        usage: "odata link --store <file> 'Orders(1)' Customer 'Customers(7)' [--remove]",
        discussion: "A single-valued property leads to the new entity in place of the former one.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The entity that the link starts at.")
    var source: String

    @Argument(help: "The navigation property.")
    var property: String

    @Argument(help: "The entity that the link leads to.")
    var target: String

    @Flag(name: .long, help: "Remove the link.")
    var remove = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        let from = try session.entity(source)
        guard let slot = from.entityType.definition.slot(named: property),
            from.entityType.properties[slot].isNavigation
        else {
            throw CommandError.badInput(
                "'\(property)': expected a navigation property of"
                    + " \(from.entityType.qualifiedName).")
        }
        let navigation = from.entityType.properties[slot]
        let to = try session.entity(target)
        guard let wanted = navigation.definition.type.structure,
            session.graph.isA(to.entityType.structureID, wanted)
        else {
            throw CommandError.badInput(
                "'\(target)': expected an entity that \(property) can lead to.")
        }
        try CommandError.operation { try change(session.provider, from, navigation, to) }
        let console = output.console
        guard console.isJSON else {
            console.print("\(remove ? "removed" : "linked") \(source)/\(property) → \(target)")
            return
        }
        console.print(
            JSONValue.object(
                JSONObject([
                    .init(name: remove ? "removed" : "linked", value: .string(source)),
                    .init(name: "property", value: .string(property)),
                    .init(name: "target", value: .string(target)),
                ])
            ).text)
    }

    private func change(
        _ provider: CloudSyncProvider, _ from: EntityValue, _ property: Property,
        _ to: EntityValue
    ) throws {
        if remove {
            try provider.deleteLink(
                from: from, property: property, to: to, headers: .empty, options: .none)
        } else if property.definition.type.isCollection {
            try provider.createLink(
                from: from, property: property, to: to, headers: .empty, options: .none)
        } else {
            try provider.updateLink(
                from: from, property: property, to: to, headers: .empty, options: .none)
        }
    }
}
