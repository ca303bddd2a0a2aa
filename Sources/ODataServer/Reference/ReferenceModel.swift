import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// The model that test suites of V4 services share: products, categories, a company, media, with functions and actions.
///
/// Its document is taken as it is, but for slips that leave it without links: constraints whose properties stand in an
/// element of their own, and a stream that is declared as text, too.
package enum ReferenceModel {
    /// Reads the folder of `metadata.xml` and a JSON file for each entity set.
    ///
    /// - Throws: `usage` where the folder has no such document, `invalidMetadata` for another model.
    package static func document(in folder: String) throws -> ModelDocument {
        let read = try ModelDocument(file: folder + "/metadata.xml", rows: folder)
        var graph = try read.graph()
        try mend(&graph)
        var document = ModelDocument(Array(CSDLWriter.xml(graph).utf8), rows: read.rows)
        document.handlers = handlers(read.rows)
        return document
    }

    private static func mend(_ graph: inout MetadataGraph) throws {
        try link(&graph, "Product", "Category", "Category", "Products", "CategoryID", .setNull)
        try link(
            &graph, "ProductDescription", "Product", "Product", "Descriptions", "ProductID",
            .cascade)
        try change(&graph, "Product", "Photo") { $0.type = TypeReference(.primitive(.stream)) }
        for name in ["Rating", "Temperature", "Quantity", "Weight"] {
            try change(&graph, "Product", name) { $0.defaultValue = "0" }
        }
        try change(&graph, "Product", "Status") { $0.defaultValue = "None" }
        try change(&graph, "Product", "ProductType") { $0.defaultValue = "Product" }
        try change(&graph, "ProductDescription", "CustomName") { $0.defaultValue = "" }
        try change(&graph, "MediaItem", "ContentType") {
            $0.defaultValue = StreamColumn.defaultMediaType
        }
        let generated = [
            ("Product", "Version", "Version"), ("Product", "CreatedAt", "Created"),
            ("CompanyInfo", "Version", "Version"), ("MediaItem", "CreatedAt", "Created"),
            ("MediaItem", "ModifiedAt", "Changed"),
        ]
        for (type, name, kind) in generated {
            try change(&graph, type, name) {
                $0.annotations.append(
                    AnnotationDefinition(term: Terms.generated, value: .string(kind)))
            }
        }
    }

    /// Says of both ends of a relation which property holds it.
    private static func link(
        _ graph: inout MetadataGraph, _ dependent: String, _ forward: String, _ principal: String,
        _ back: String, _ property: String, _ onDelete: NavigationDefinition.OnDelete
    ) throws {
        try change(&graph, dependent, forward) {
            $0.navigation = NavigationDefinition(
                partner: back,
                referentialConstraints: [
                    ReferentialConstraint(property: property, referencedProperty: "ID")
                ])
        }
        try change(&graph, principal, back) {
            $0.navigation = NavigationDefinition(partner: forward, onDelete: onDelete)
        }
    }

    private static func change(
        _ graph: inout MetadataGraph, _ type: String, _ name: String,
        _ body: (inout PropertyDefinition) -> Void
    ) throws {
        guard let id = graph.structures.firstIndex(where: { $0.name == type }),
            let slot = graph.structures[id].slot(named: name)
        else {
            throw ODataError(
                .invalidMetadata, "Expected the reference model, found another.",
                at: .path("\(type)/\(name)"))
        }
        body(&graph.structures[id].properties[slot])
    }
}
