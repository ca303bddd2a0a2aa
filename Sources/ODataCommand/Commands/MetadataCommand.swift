import ArgumentParser
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

/// `odata metadata`: reads, validates, converts and compares metadata documents.
struct MetadataCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case xml, json
    }

    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Read, validate, convert or compare metadata documents.",
        discussion: """
            Without options, the document is validated and what it defines is listed. V2, V3, V4.0 \
            and V4.01 documents are read, as XML or JSON; --format xml writes them as V4, --format json \
            with the version they have.
            """)

    @Argument(help: ArgumentHelp("A service root, or a file.", valueName: "url|file"))
    var source: String

    @Option(name: .long, help: "Write the document as CSDL xml or json.")
    var format: Format?

    @Option(
        name: .long,
        help: ArgumentHelp("List what changes from the document to OTHER.", valueName: "other"))
    var diff: String?

    @OptionGroup var headers: HeaderOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if format != nil, diff != nil {
            throw ValidationError("Expected --format or --diff, found both.")
        }
    }

    func run() throws {
        var fields = HeaderFields()
        for field in try headers.fields() { fields[field.name] = field.value }
        let graph = try MetadataSource.read(source, headers: fields)
        let console = output.console
        if let diff {
            let other = try MetadataSource.read(diff, headers: fields)
            report(MetadataDifference(from: graph, to: other), console)
            return
        }
        switch format {
        case .xml?: console.print(CSDLWriter.xml(graph))
        case .json?: console.print(CSDLJSONWriter.json(graph))
        case nil: summarise(graph, console)
        }
    }

    private func report(_ difference: MetadataDifference, _ console: Console) {
        guard console.isJSON else {
            for change in difference.changes { console.print(change.description) }
            console.note(
                difference.isEmpty
                    ? "no differences"
                    : Self.summary(difference)
                        + (difference.keepsData
                            ? "; stored data stays valid" : "; stored data does not stay valid"))
            return
        }
        let changes = difference.changes.map { change in
            JSONValue.object(
                JSONObject([
                    .init(name: "effect", value: .string("\(change.effect)")),
                    .init(name: "path", value: .string(change.path)),
                    .init(name: "detail", value: .string(change.detail)),
                ]))
        }
        console.print(
            JSONValue.object(
                JSONObject([
                    .init(name: "compatible", value: .boolean(difference.isCompatible)),
                    .init(name: "keepsData", value: .boolean(difference.keepsData)),
                    .init(name: "changes", value: .array(changes)),
                ])
            ).text)
    }

    /// How many changes of each effect there are: `2 added, 1 removed`.
    private static func summary(_ difference: MetadataDifference) -> String {
        let effects: [MetadataDifference.Change.Effect] = [
            .added, .removed, .compatible, .incompatible,
        ]
        return effects.compactMap { effect in
            let count = difference.changes(effect).count
            return count > 0 ? "\(count) \(effect)" : nil
        }.joined(separator: ", ")
    }

    private func summarise(_ graph: MetadataGraph, _ console: Console) {
        let entities = graph.structures.filter { $0.kind == .entity }.count
        let version = Self.versionText(graph.version)
        if console.isJSON {
            console.print(json(graph, version: version, entities: entities).text)
            return
        }
        console.print(
            "OData \(version): \(entities) entity types, \(graph.structures.count - entities) complex"
                + " types, \(graph.enumerations.count) enumeration types,"
                + " \(graph.entitySets.count) entity sets and singletons")
        var table = TextTable(["set", "type", "key", "properties", "navigation"])
        for set in graph.entitySets {
            let type = graph[set.type]
            table.append([
                set.name, type.qualifiedName, type.key.map(\.path).joined(separator: ","),
                String(type.properties.count { !$0.isNavigation }),
                type.properties.filter(\.isNavigation).map(\.name).joined(separator: ","),
            ])
        }
        if !graph.entitySets.isEmpty { for line in table.lines { console.print(line) } }
        for finding in graph.diagnostics { console.note("note: " + finding) }
    }

    private func json(_ graph: MetadataGraph, version: String, entities: Int) -> JSONValue {
        let sets = graph.entitySets.map { set in
            JSONValue.object(
                JSONObject([
                    .init(name: "name", value: .string(set.name)),
                    .init(name: "type", value: .string(graph[set.type].qualifiedName)),
                    .init(name: "singleton", value: .boolean(set.isSingleton)),
                    .init(
                        name: "key",
                        value: .array(graph[set.type].key.map { .string($0.path) })),
                ]))
        }
        return .object(
            JSONObject([
                .init(name: "version", value: .string(version)),
                .init(name: "entityTypes", value: .number(String(entities))),
                .init(
                    name: "complexTypes", value: .number(String(graph.structures.count - entities))),
                .init(name: "enumerationTypes", value: .number(String(graph.enumerations.count))),
                .init(name: "entitySets", value: .array(sets)),
                .init(name: "notes", value: .array(graph.diagnostics.map { .string($0) })),
            ]))
    }

    private static func versionText(_ version: ODataVersion) -> String {
        switch version {
        case .v1: "1.0"
        case .v2: "2.0"
        case .v3: "3.0"
        case .v4: "4.0"
        case .v401: "4.01"
        }
    }
}
