import Foundation
import ODataModel
import ODataText
import Testing

@testable import ODataWire

/// Documents of real services and of the specification.
enum MetadataDocuments {
    /// The files of the folders; none (with a line that says so) when the data is not there.
    static func files(_ folders: String...) -> [URL] {
        let files = folders.flatMap { folder in
            let directory = Conformance.root.appendingPathComponent(folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
            return names.filter { $0.hasSuffix(".xml") }.sorted()
                .map { directory.appendingPathComponent($0) }
        }
        if files.isEmpty { print("skipped: no conformance documents in \(folders)") }
        return files
    }

    static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}

@Suite struct CSDLConformanceTests {
    @Test func everyServiceDocumentLoadsWithSetsAndKeys() throws {
        let files = MetadataDocuments.files(
            "metadata/v2", "metadata/v2-s4", "metadata/v3", "metadata/v4")
        for file in files {
            let name = file.lastPathComponent
            let graph: MetadataGraph
            do {
                graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            } catch {
                Issue.record("\(name): \(error)")
                continue
            }
            let model = graph.structures.count + graph.terms.count + graph.targetedAnnotations.count
            #expect(model > 0, "\(name)")
            for set in graph.entitySets where graph[set.type].key.isEmpty && !set.isSingleton {
                #expect(
                    set.name == "EnumTests" && name == "pyodata-tests.xml", "\(name) \(set.name)")
            }
            for structure in graph.structures {
                for property in structure.properties where property.isNavigation {
                    #expect(property.type.structure != nil, "\(name) \(property.name)")
                }
            }
        }
    }

    @Test func everyVocabularyAndSpecificationExampleLoads() throws {
        for file in MetadataDocuments.files("vocabularies", "csdl-pairs") {
            do {
                let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
                if file.path.contains("vocabularies") { #expect(!graph.terms.isEmpty) }
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }
}
