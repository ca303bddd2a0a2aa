import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// What a service knows about its data: metadata, mapping and limits; fixed while it runs.
struct ServiceModel: Sendable {
    let mapping: SchemaMapping
    let configuration: ServiceConfiguration
    /// The `$metadata` document.
    let metadata: [UInt8]
    /// The same document as CSDL JSON.
    let metadataJSON: [UInt8]
    /// Names the change log in tokens.
    let logIdentity: String

    /// The streams of the rows, by table; empty where no table has any.
    let streams: [TableID: TableStreams]

    var graph: MetadataGraph { mapping.graph }

    /// What is renamed, restricted or left out, and why.
    let notes: [String]

    /// The columns that are read in another way where an index serves for that.
    var narrow = NarrowColumns()

    /// Functions and actions by name.
    var operations: [String: ServiceOperation] = [:]

    /// True for another service's data, of which only what was read is known.
    var isMirror = false

    /// True for a database that is made from a CSDL document.
    var isDocument = false

    /// What a document says of what clients may change; nil without one.
    var rules: WriteRules?

    /// The full-text indexes that `$search` reads.
    var searchIndexes: [TableID: SearchIndex] = [:]

    /// What functions and actions of the document do, by qualified name.
    var handlers: [String: ModelOperation] = [:]

    /// Queries that were compiled for this mapping; set where the model is offered.
    var queries: PreparedQueries?

    /// The statements of changes that stay prepared.
    let changeTexts = KeptTexts()

    /// What rows are written of, by table; set where the model is offered.
    var rowMembers: [TableID: [RowJSON.Member]] = [:]

    /// True for the name of an entity set, a singleton, or an operation that is called by its import.
    func knows(_ name: String) -> Bool {
        mapping.table(path: name) != nil || operations[name] != nil
            || !handlers.isEmpty && graph.operationImport(named: name) != nil
    }

    /// How its queries are compiled.
    var compilerOptions: CompilerOptions {
        var options = CompilerOptions()
        let indexes = searchIndexes
        if !indexes.isEmpty { options.searchIndex = { indexes[$0.id] } }
        return options
    }

    /// True for tables whose rows clients may change: those that are tracked, and those whose rows are part of others.
    func takesChanges(_ table: TableMapping) -> Bool {
        table.isWritable || isDocument && table.parent != nil
    }
}
