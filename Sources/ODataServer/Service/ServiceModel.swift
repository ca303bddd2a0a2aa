import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

// Hot: ServerFigures
/// What a service knows about its data: metadata, mapping and limits; fixed while it runs.
///
/// A reference, because each request takes it along, and a copy of all this took longer than to read a row.
final class ServiceModel: Sendable {
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
    let narrow: NarrowColumns

    /// Functions and actions by name.
    let operations: [String: ServiceOperation]

    /// True for another service's data, of which only what was read is known.
    var isMirror: Bool { origin != nil }

    /// The model of the service whose data this is, in its own version; nil for data of its own.
    let origin: MetadataGraph?

    /// True for a database that is made from a CSDL document.
    let isDocument: Bool

    /// What a document says of what clients may change; nil without one.
    let rules: WriteRules?

    /// The full-text indexes that `$search` reads.
    let searchIndexes: [TableID: SearchIndex]

    /// What functions and actions of the document do, by qualified name.
    let handlers: [String: ModelOperation]

    /// Queries that were compiled for this mapping.
    let queries: PreparedQueries

    /// What its clients may see of it.
    let views = AccessViews()

    /// The statements of changes that stay prepared.
    let changeTexts = KeptTexts()

    /// The texts of the statements that make rows.
    let insertTexts = InsertTexts()

    /// What rows are written of, by table.
    let rowMembers: [TableID: [RowJSON.Member]]

    /// The tables whose changes can be asked for; nil where those that take changes are.
    let trackedTables: Set<String>?

    /// How its queries are compiled.
    let compilerOptions: CompilerOptions

    init(
        mapping: SchemaMapping, configuration: ServiceConfiguration, metadata: [UInt8],
        metadataJSON: [UInt8], logIdentity: String, streams: [TableID: TableStreams],
        notes: [String], narrow: NarrowColumns = NarrowColumns(),
        operations: [String: ServiceOperation] = [:], origin: MetadataGraph? = nil,
        isDocument: Bool = false, rules: WriteRules? = nil,
        searchIndexes: [TableID: SearchIndex] = [:], handlers: [String: ModelOperation] = [:],
        trackedTables: Set<String>? = nil, dialect: SQLDialect = .sqlite
    ) {
        self.mapping = mapping
        self.configuration = configuration
        self.metadata = metadata
        self.metadataJSON = metadataJSON
        self.logIdentity = logIdentity
        self.streams = streams
        self.notes = notes
        self.narrow = narrow
        self.operations = operations
        self.origin = origin
        self.isDocument = isDocument
        self.rules = rules
        self.searchIndexes = searchIndexes
        self.handlers = handlers
        self.trackedTables = trackedTables
        var options = CompilerOptions(dialect: dialect)
        if !searchIndexes.isEmpty { options.searchIndex = { searchIndexes[$0.id] } }
        compilerOptions = options
        queries = PreparedQueries(mapping: mapping, options: options)
        rowMembers = Dictionary(
            mapping.tables.map { ($0.id, RowJSON.members(of: $0, in: mapping.graph)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// True for the name of an entity set, a singleton, or an operation that is called by its import.
    func knows(_ name: String) -> Bool {
        mapping.table(path: name) != nil || operations[name] != nil
            || !handlers.isEmpty && graph.operationImport(named: name) != nil
    }

    /// True for tables whose changes are noted in the log.
    func tracks(_ table: TableMapping) -> Bool {
        trackedTables?.contains(table.name) ?? table.isWritable
    }

    /// True for tables whose rows clients may change: those that are tracked, and those whose rows are part of others.
    func takesChanges(_ table: TableMapping) -> Bool {
        table.isWritable || isDocument && table.parent != nil
    }
}
