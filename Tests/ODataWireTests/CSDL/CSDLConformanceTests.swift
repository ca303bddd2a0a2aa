import ConformanceData
import Foundation
import ODataModel
import ODataText
import Testing

@testable import ODataWire

/// Documents of real services and of the specification.
enum MetadataDocuments {
    static func files(_ folders: String...) throws -> [URL] {
        try folders.flatMap { try Conformance.files(in: $0, ending: ".xml") }
    }

    static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}

@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct CSDLConformanceTests {
    @Test func everyServiceDocumentLoadsWithSetsAndKeys() throws {
        let files = try MetadataDocuments.files(
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
        for file in try MetadataDocuments.files("vocabularies", "csdl-pairs") {
            do {
                let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
                if file.path.contains("vocabularies") { #expect(!graph.terms.isEmpty) }
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }
}
