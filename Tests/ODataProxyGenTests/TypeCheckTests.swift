import ChildFixture
import ConformanceData
import Foundation
import ODataProxyGen
import Testing

/// The compiler takes what is generated, without a warning, in both modes of the language.
@Suite(
    .enabled(
        if: Compiler.modules != nil, "the modules of the running build are not where this looks"))
struct TypeCheckTests {
    /// One run for each mode, because each costs seconds. The documents of others take turns by the day.
    @Test(arguments: ["5", "6"])
    func theCompilerTakesGeneratedCode(_ mode: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-generated-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files: [String] = []
        var names: [String] = []
        for (number, document) in try Self.documents(mode).enumerated() {
            let options = Self.options(number)
            let output = try ProxyGenerator.generate(metadata: document.bytes, options: options)
            for file in output.files {
                let place = folder.appendingPathComponent(file.name)
                try file.text.write(to: place, atomically: true, encoding: .utf8)
                files.append(place.path)
            }
            names.append(document.name)
        }
        let said = try Compiler.check(files, mode: mode, in: folder)
        #expect(said.isEmpty, "\(names): \(said.prefix(2_000))")
    }

    /// Structs without prefixes, so that names of the face meet those of documents.
    @Test(arguments: ["5", "6"], ["everything", "hostile", "uncased", "ruled"])
    func theCompilerTakesGeneratedStructs(_ mode: String, _ name: String) throws {
        let documents = [
            "everything": Samples.everything, "hostile": Samples.hostile,
            "uncased": StructGeneratorTests.uncased, "ruled": StructGeneratorTests.ruled,
        ]
        let output = try StructGenerator.generate(
            metadata: try #require(documents[name]),
            options: GenerationOptions(
                serviceName: "Shop", access: mode == "5" ? .internal : .public))
        let said = try Self.check(
            output.files, mode, mode == "6" ? ["-default-isolation", "MainActor"] : [])
        #expect(said.isEmpty, "\(said.prefix(2_000))")
    }

    @Test func theCompilerTakesClassesOfScriptsWithoutCapitals() throws {
        let output = try ProxyGenerator.generate(
            metadata: StructGeneratorTests.uncased,
            options: GenerationOptions(serviceName: "Shop", family: .legacy))
        let said = try Self.check(output.files, "6")
        #expect(said.isEmpty, "\(said.prefix(2_000))")
    }

    private static func check(
        _ files: [GeneratedFile], _ mode: String, _ flags: [String] = []
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-generated-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try files.map { file in
            let place = folder.appendingPathComponent(file.name)
            try file.text.write(to: place, atomically: true, encoding: .utf8)
            return place.path
        }
        return try Compiler.check(paths, mode: mode, in: folder, flags)
    }

    /// Every kind of service class gets a document.
    private static func options(_ number: Int) -> GenerationOptions {
        let kinds: [(GenerationOptions.Family, GenerationOptions.Provider)] = [
            (.result, .any), (.async, .offline), (.legacy, .any), (.result, .offline),
            (.async, .online), (.result, .online), (.async, .any),
        ]
        let kind = kinds[number % kinds.count]
        return GenerationOptions(
            serviceName: "Service\(number)", family: kind.0, provider: kind.1,
            access: number % 3 == 2 ? .internal : .public, typePrefix: "T\(number)x")
    }

    private static func documents(_ mode: String) throws -> [(name: String, bytes: [UInt8])] {
        var documents = (0..<3).map { (name: "everything \($0)", bytes: Samples.everything) }
        documents.append(("hostile", Samples.hostile))
        guard Conformance.isThere else { return documents }
        let all = try ["v2", "v2-s4", "v3", "v4"].flatMap {
            try Conformance.files(in: "metadata/" + $0, ending: ".xml")
        }
        let day = Int(Date().timeIntervalSince1970 / 86_400)
        for turn in 0..<3 {
            let file = all[(3 * day + turn + (mode == "5" ? all.count / 2 : 0)) % all.count]
            documents.append((file.lastPathComponent, [UInt8](try Data(contentsOf: file))))
        }
        return documents
    }
}

/// The compiler, with the modules of the running build.
private enum Compiler {
    /// The folder of the build; nil where it is not beside the package or the running program.
    static let modules: URL? = {
        let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        var places = sequence(first: program) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        .prefix(8).map { $0 }
        places.append(Package.folder.appendingPathComponent(".build/debug"))
        return places.first {
            FileManager.default.fileExists(
                atPath: $0.appendingPathComponent("Modules/SAPOData.swiftmodule").path)
        }?.resolvingSymlinksInPath()
    }()

    /// What the compiler says to the files; nothing where all is well.
    static func check(
        _ files: [String], mode: String, in folder: URL, _ flags: [String] = []
    ) throws -> String {
        guard let modules else { return "no modules" }
        var arguments =
            [
                "swiftc", "-typecheck", "-wmo", "-swift-version", mode, "-module-name", "Generated",
                "-I", modules.appendingPathComponent("Modules").path,
            ] + flags
        for map in moduleMaps(modules) { arguments += ["-Xcc", "-fmodule-map-file=" + map] }
        let output = folder.appendingPathComponent("output")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = try ChildProcess(
            "/usr/bin/env", arguments + files, output: .file(output), errors: .file(output))
        let end = try process.wait()
        let said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        return end == .exit(0) ? said : "\(end) \(said)"
    }

    /// The maps of the C modules, which SwiftPM makes beside the objects or packages bring.
    private static func moduleMaps(_ modules: URL) -> [String] {
        // What tools of plugins are made of stands beside the rest.
        let made = folders(modules).filter { !$0.path.contains("-tool.") }.map {
            $0.appendingPathComponent("module.modulemap").path
        }
        let checkouts = Package.folder.appendingPathComponent(".build/checkouts")
        let brought = folders(checkouts).flatMap { folders($0.appendingPathComponent("Sources")) }
            .flatMap { source in
                ["include/module.modulemap", "module.modulemap"].map {
                    source.appendingPathComponent($0).path
                }
            }
        let wanted = #/\/(C[A-Z]\w*|_\w+Shims|GRDBSQLite)\//#
        return (made + brought.filter { $0.contains(wanted) })
            .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
    }

    private static func folders(_ folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0, isDirectory: true) }
    }
}
