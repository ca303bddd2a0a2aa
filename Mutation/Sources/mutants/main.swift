import Foundation
import Mutation

// Writes sources with switches for drawn mutants into a copy of the package, and the list of them. Files that are as they
// are to be are left alone, so that nothing is built for them.
//
// usage: mutants ROOT COPY LIST SEED COUNT WITHOUT FILE…   WITHOUT: numbers with commas between them, or -
let arguments = CommandLine.arguments
guard arguments.count > 7, let seed = UInt64(arguments[4]), let count = Int(arguments[5]) else {
    FileHandle.standardError.write(
        Data("usage: mutants ROOT COPY LIST SEED COUNT WITHOUT FILE…\n".utf8))
    exit(2)
}
let (root, copy) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
let without = Set(arguments[6].split(separator: ",").compactMap { Int($0) })

func write(_ text: String, to file: URL) throws {
    let bytes = Data(text.utf8)
    if (try? Data(contentsOf: file)) != bytes { try bytes.write(to: file) }
}

let sources = try arguments[7...].map { file in
    (file: file, text: try String(contentsOf: root.appending(path: file), encoding: .utf8))
}
let sample = Sample(of: sources, count: count, seed: seed)
let (written, mutants) = sample.written(without: without)
for source in written { try write(source.text, to: copy.appending(path: source.file)) }
// Sources/MODULE/…
let modules = Set(sources.map { $0.file.split(separator: "/").prefix(2).joined(separator: "/") })
for module in modules {
    try write(
        SwitchFile.text(highest: mutants.count),
        to: copy.appending(path: "\(module)/\(SwitchFile.name)"))
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
try write(String(decoding: encoder.encode(mutants), as: UTF8.self), to: URL(filePath: arguments[3]))
print("\(sample.candidates) candidates, \(mutants.count) drawn, \(without.count) left out")
