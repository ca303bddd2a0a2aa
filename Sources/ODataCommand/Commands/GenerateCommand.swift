import ArgumentParser
import ODataProxyGen
import ODataQuery
import ODataText

/// `odata generate`: classes or structs of a service as Swift files.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the classes or structs of a service as Swift files.",
        discussion: """
            The folder takes one file for each type and some for the service. Files that this command \
            did not write for the same service are never replaced, unless --force is given, and never \
            deleted; its own that are no longer made are.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("A service root, or a file.", valueName: "url|file"))
    var metadata: String

    @Option(
        name: [.long, .customLong("X:definitions", withSingleDash: true)],
        help: ArgumentHelp(
            "A file with metadata that only the client knows, which the classes carry too.",
            valueName: "file"),
        completion: .file())
    var definitions: String?

    @Option(name: .long, help: ArgumentHelp("The folder for the files.", valueName: "folder"))
    var out: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The name of the service class; for structs, what files are marked with.",
            valueName: "name"))
    var serviceName: String?

    @Option(name: .long, help: "Classes over SAPOData (proxy), or structs over OData (swift).")
    var style: GenerationOptions.Style = .proxy

    @Option(
        name: .long,
        help:
            "Calls that block and take a Result handler, async ones, or those with value and error."
    )
    var family: GenerationOptions.Family?

    @Option(name: .long, help: "What the service class is made over.")
    var provider: GenerationOptions.Provider?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Entity sets that get structs, with commas between; all where left out.",
            valueName: "sets"))
    var only: [String] = []

    @Option(name: .long, help: "Who sees the types.")
    var access: GenerationOptions.Access = .public

    @Option(
        name: .long,
        help: ArgumentHelp("Stands in front of the names of types.", valueName: "prefix"))
    var typePrefix: String = ""

    @Flag(name: .long, help: "Replace files that this command did not write.")
    var force = false

    @OptionGroup var headers: HeaderOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        switch style {
        case .proxy:
            guard serviceName != nil else {
                throw ValidationError("Expected --service-name, the name of the service class.")
            }
            guard only.isEmpty else {
                throw ValidationError("--only is for --style swift: classes are of all sets.")
            }
        case .swift:
            guard family == nil, provider == nil, definitions == nil else {
                throw ValidationError(
                    "--family, --provider and --definitions are for classes, not for structs.")
            }
        }
    }

    func run() throws {
        var fields = HeaderFields()
        for field in try headers.fields() { fields[field.name] = field.value }
        let metadata = try MetadataSource.bytes(metadata, headers: fields)
        let generated = try Generator.generate(
            style, metadata: metadata, definitions: try definitions.map(InputFile.bytes),
            options: options)
        let folder = GeneratedFolder(
            path: out, service: generated.serviceName, replacesOthers: force)
        let outcome = try folder.write(generated.files)
        report(outcome, generated.notes)
    }

    private var options: GenerationOptions {
        GenerationOptions(
            serviceName: serviceName ?? "", family: family ?? .result, provider: provider ?? .any,
            access: access, typePrefix: typePrefix,
            only: only.flatMap { $0.split(separator: ",").map(String.init) })
    }

    private func report(_ outcome: GeneratedFolder.Outcome, _ notes: [String]) {
        let console = output.console
        for note in notes { console.note("note: " + note) }
        guard console.isJSON else {
            console.print(
                "\(outcome.written.count) files written, \(outcome.unchanged.count) unchanged,"
                    + " \(outcome.deleted.count) deleted")
            return
        }
        func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
        console.print(
            JSONValue.object(
                JSONObject([
                    .init(name: "written", value: list(outcome.written)),
                    .init(name: "unchanged", value: list(outcome.unchanged)),
                    .init(name: "deleted", value: list(outcome.deleted)),
                    .init(name: "notes", value: list(notes)),
                ])
            ).text)
    }
}

extension GenerationOptions.Style: ExpressibleByArgument {}
extension GenerationOptions.Family: ExpressibleByArgument {}
extension GenerationOptions.Provider: ExpressibleByArgument {}
extension GenerationOptions.Access: ExpressibleByArgument {}
