import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// A database that is there, with a document that says what of it is offered.
package enum DescribedDatabase {
    /// A first document of a database, to be edited: everything in it, with the tables, columns and foreign keys named.
    ///
    /// The database is read only.
    ///
    /// - Returns: The document as XML, and what is left out and why.
    /// - Throws: `storage` where there is no database, or it cannot be read.
    package static func document(of path: String) throws -> (text: String, notes: [String]) {
        var options = DatabaseModelBuilder.Options()
        options.namesOrigins = true
        let result = try DatabaseModelBuilder.build(try schema(of: path), options: options)
        var graph = result.mapping.graph
        for container in graph.containers.indices { graph.containers[container].annotations = [] }
        return (CSDLWriter.xml(graph), result.notes)
    }

    /// What a document says that a database does not have, a sentence each; empty where it can be served.
    ///
    /// - Throws: `storage` where there is no database, `malformedText` and `invalidMetadata` for what is no document.
    package static func misfits(of document: ModelDocument, with path: String) throws -> [String] {
        try ModelOverlay(document.graph()).misfits(with: schema(of: path))
    }

    private static func schema(of path: String) throws -> DatabaseSchema {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ODataError(.storage, "Expected a database file, found none.", at: .path(path))
        }
        _ = try ServiceDatabase.journalMode(path)
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try !database.tableExists(ModelDatabase.table) else {
                throw ODataError(
                    .storage,
                    "Expected a database that was there before, found one made from a model.",
                    at: .path(path))
            }
            return try DatabaseSchemaReader(database, choice: TableChoice()).read()
        }
    }

    /// What the configuration says of its database; nil where it says nothing.
    ///
    /// - Throws: `usage` for rows, which are for a new database.
    static func overlay(_ configuration: ServiceConfiguration) throws -> ModelOverlay? {
        guard let model = configuration.model else { return nil }
        guard model.rows.isEmpty else {
            throw ODataError(.usage, "Expected a new database for the rows, found one with tables.")
        }
        return ModelOverlay(try model.graph())
    }

    /// - Throws: `unhostable` with the first thing that the database does not have.
    static func require(_ overlay: ModelOverlay, _ schema: DatabaseSchema) throws {
        guard let misfit = overlay.misfits(with: schema).first else { return }
        let parts = misfit.split(separator: ":", maxSplits: 1)
        throw ODataError(
            ServiceCode.unhostable,
            "The document does not fit the database:\(parts.last ?? "") odata service check lists all.",
            at: .path(String(parts.first ?? "")))
    }
}
