import ArgumentParser
import ODataGrammar
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// `odata check-uri`: says of each line of standard input whether it is what a service would accept.
struct CheckURICommand: ParsableCommand {
    enum DialectName: String, ExpressibleByArgument, CaseIterable {
        case v2, v4, v401
    }

    static let configuration = CommandConfiguration(
        commandName: "check-uri",
        abstract: "Check URLs, one per line of standard input.",
        discussion: """
            Writes one line for each line read: 'ok', or 'error OFFSET MESSAGE' with the offset in \
            bytes. With --metadata names, types and literals are checked against the model; without, \
            only the grammar is. With --rule each line is checked against that rule of the OData \
            ABNF. The status is 0 when every line could be read, whatever the findings.
            """)

    @Option(
        name: .long, help: ArgumentHelp("A metadata document.", valueName: "file"),
        completion: .file())
    var metadata: String?

    @Option(name: .long, help: "A rule of the OData ABNF, such as filter or odataRelativeUri.")
    var rule: String?

    @Option(name: .long, help: "The version to check by; the metadata's, else v4.")
    var dialect: DialectName?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let graph = try metadata.map { try MetadataSource.read(file: $0) }
        let dialect = chosenDialect(graph)
        if let rule, try !RuleCheck.knows(rule) {
            throw CommandError.badInput("--rule: expected a rule of the OData ABNF.")
        }
        let console = output.console
        while let line = readLine(strippingNewline: true) {
            let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
            console.print(finding(text, graph, dialect))
        }
    }

    private func finding(_ text: String, _ graph: MetadataGraph?, _ dialect: Dialect) -> String {
        do {
            try Self.check(text, rule: rule, graph: graph, dialect: dialect)
            return output.json ? #"{"ok":true}"# : "ok"
        } catch {
            let (offset, message) = place(error, in: text, graph, dialect)
            guard output.json else { return "error \(offset) \(message)" }
            return JSONValue.object(
                JSONObject([
                    .init(name: "ok", value: .boolean(false)),
                    .init(name: "offset", value: .number(String(offset))),
                    .init(name: "message", value: .string(message)),
                ])
            ).text
        }
    }

    /// Parses, and where there is a model resolves and checks.
    static func check(
        _ text: String, rule: String?, graph: MetadataGraph?, dialect: Dialect
    ) throws {
        if let rule {
            return try RuleCheck.check(rule: rule, text: text, graph: graph, dialect: dialect)
        }
        do {
            var query = try URLParser.parse(text, graph: graph, dialect: dialect)
            if let graph { try QueryChecker.check(&query, graph: graph) }
        } catch let error as ODataError where error.code == .notImplemented {
            // What the language has and our service answers with 501 is right all the same.
            guard !dialect.usesTypedLiterals else { throw error }
            try RuleCheck.check(
                rule: "odataRelativeUri", text: text, graph: graph, dialect: dialect)
        }
    }

    private func place(
        _ error: any Error, in text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) -> (offset: Int, message: String) {
        guard let error = error as? ODataError else { return (0, "\(error)") }
        switch error.location {
        case .offset(let offset)?: return (offset, error.message)
        case .path(let path)?:
            let offset = FindingOffset.offset(of: path, in: text) { other in
                do {
                    try Self.check(other, rule: rule, graph: graph, dialect: dialect)
                    return nil
                } catch { return "\(error)" }
            }
            return (offset ?? 0, "\(error.message) (\(path))")
        case .position(let line, let column)?: return (0, "\(error.message) (\(line):\(column))")
        case .resource?, nil: return (0, error.message)
        }
    }

    private func chosenDialect(_ graph: MetadataGraph?) -> Dialect {
        switch dialect {
        case .v2?: .v2
        case .v4?: .v4
        case .v401?: .v401
        case nil: graph.map { Dialect.of($0.version) } ?? (rule == nil ? .v4 : .v401)
        }
    }
}
