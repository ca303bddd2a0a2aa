import Foundation
import PackagePlugin

/// Generates Swift from the metadata documents among the files of a target (`*.edmx`, `*.csdl.xml`, `*.csdl.json`) whenever one
/// of them changes. `odata-generate.json` beside them says how (docs/generate.md).
@main struct ODataGenerator: BuildToolPlugin {
    private static let endings = [".edmx", ".csdl.xml", ".csdl.json"]

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let files = target.sourceModule?.sourceFiles.map(\.url) else { return [] }
        let tool = try context.tool(named: "ODataGeneratorTool").url
        let configurations = files.filter { $0.lastPathComponent == "odata-generate.json" }
        if configurations.count > 1 {
            Diagnostics.error("Expected one odata-generate.json in \(target.name), found more.")
        }
        if let configuration = configurations.first {
            let names = Set(files.filter { Self.name(of: $0) != nil }.map(\.lastPathComponent))
            for name in Self.documents(named: configuration) where !names.contains(name) {
                Diagnostics.error(
                    "Expected documents of \(target.name) in odata-generate.json, found \(name).")
            }
        }
        var commands: [Command] = []
        var outputs: Set<String> = []
        for document in files.sorted(by: { $0.path < $1.path }) {
            guard let name = Self.name(of: document) else { continue }
            // Beside a file of the app's own with that name, and known before anything is made.
            let output = context.pluginWorkDirectoryURL.appendingPathComponent(
                name + ".odata.swift")
            guard outputs.insert(output.path.lowercased()).inserted else {
                Diagnostics.error("Expected one document named \(name) in \(target.name).")
                continue
            }
            commands.append(
                .buildCommand(
                    displayName: "Generating Swift from \(document.lastPathComponent)",
                    executable: tool,
                    arguments: ([document, output] + configurations.prefix(1)).map(\.path),
                    inputFiles: [document] + configurations.prefix(1), outputFiles: [output]))
        }
        if commands.isEmpty {
            Diagnostics.error(
                "Expected a metadata document (*.edmx, *.csdl.xml, *.csdl.json) in \(target.name).")
        }
        return commands
    }

    /// The documents for which a configuration has settings of their own, because a misspelt name would have no effect. None
    /// where it cannot be read: the tool says what is wrong with it.
    private static func documents(named configuration: URL) -> [String] {
        guard let text = try? Data(contentsOf: configuration),
            let settings = try? JSONSerialization.jsonObject(with: text) as? [String: Any],
            let documents = settings["documents"] as? [String: Any]
        else { return [] }
        return documents.keys.sorted()
    }

    /// The name of a document without its ending; nil for any other file.
    private static func name(of file: URL) -> String? {
        let name = file.lastPathComponent
        guard let ending = endings.first(where: { name.lowercased().hasSuffix($0) }) else {
            return nil
        }
        return String(name.dropLast(ending.count))
    }
}
