import Foundation
import ODataProxyGen

// What the build plugin runs: DOCUMENT OUTPUT [CONFIGURATION]. All that a document becomes is one file, because SwiftPM wants
// to know the files before anything is made.

/// The Swift of a document.
func generated(
    _ document: URL, _ settings: GeneratorConfiguration
) throws -> ProxyGenerator.Output {
    let metadata = [UInt8](try Data(contentsOf: document))
    let name = document.lastPathComponent.prefix { $0 != "." }
    let style = settings.style ?? .swift
    let options = GenerationOptions(
        serviceName: settings.serviceName ?? (style == .swift ? "" : String(name)),
        family: settings.family ?? .result, provider: settings.provider ?? .any,
        access: settings.access ?? .internal, typePrefix: settings.typePrefix ?? "",
        only: settings.only ?? [])
    return try Generator.generate(style, metadata: metadata, options: options)
}

let paths = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard (2...3).contains(paths.count) else {
    FileHandle.standardError.write(Data("usage: DOCUMENT OUTPUT [CONFIGURATION]\n".utf8))
    exit(2)
}
do {
    var configuration = GeneratorConfiguration()
    if paths.count == 3 {
        configuration = try JSONDecoder().decode(
            GeneratorConfiguration.self, from: try Data(contentsOf: paths[2]))
    }
    let output = try generated(
        paths[0], configuration.settings(for: paths[0].lastPathComponent))
    for note in output.notes {
        FileHandle.standardError.write(Data("\(paths[0].path): note: \(note)\n".utf8))
    }
    try Data(output.files.map(\.text).joined(separator: "\n").utf8)
        .write(to: paths[1], options: .atomic)
} catch {
    FileHandle.standardError.write(Data("\(paths[0].path): error: \(error)\n".utf8))
    exit(1)
}
