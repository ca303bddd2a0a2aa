import ODataModel
import ODataQuery
import ODataSyncPlan

/// A named selection of what to download: entity sets, other groups, download queries.
open class DownloadGroup: ObjectBase, @unchecked Sendable {
    // Confined: configured by one thread before the provider is opened.

    /// The name of the group; for phases the number as text.
    public final let name: String
    /// Names of entity sets.
    public final let entities = StringList()
    /// Names of other groups.
    public final let groups = StringList()
    /// Names of download queries.
    public final let queries = StringList()

    /// Creates an empty group.
    public init(name: String) {
        self.name = name
        super.init()
    }

    /// Adds entity sets by their names.
    ///
    /// - Throws: Nothing: names are looked up when a download begins.
    open func add(_ entities: EntitySet...) throws {
        for entity in entities { self.entities.append(entity.localName) }
    }

    /// Adds a group; it may be defined later, and groups may contain each other.
    ///
    /// - Throws: Nothing: names are looked up when a download begins.
    open func addGroup(name: String) throws { groups.append(name) }

    /// Adds groups.
    ///
    /// - Throws: Nothing: names are looked up when a download begins.
    open func addGroups(_ groups: String...) throws {
        for group in groups { self.groups.append(group) }
    }

    /// Adds a download query by its name.
    ///
    /// - Throws: Nothing: names are looked up when a download begins.
    open func addQuery(name: String) throws { queries.append(name) }

    /// Adds download queries by their names.
    ///
    /// - Throws: Nothing: names are looked up when a download begins.
    open func addQueries(_ queries: String...) throws {
        for query in queries { self.queries.append(query) }
    }

    package final var members: DownloadSelection.Members {
        DownloadSelection.Members(
            entitySets: entities.toArray(), groups: groups.toArray(), queries: queries.toArray())
    }
}

/// How the reads of a phase are sent.
public enum DownloadMode: Int, Sendable, Hashable {
    /// As batch and thread settings suggest.
    case any = 0
    /// In one batch request.
    case batch = 1
    /// Several at once.
    case parallel = 2
    /// One after another.
    case sequence = 3
}

/// A numbered selection that is wholly stored before the next one is read.
open class DownloadPhase: DownloadGroup, @unchecked Sendable {
    // Confined as its base class says.

    /// Phases are read in ascending order of this.
    public final let number: Int
    /// How the reads of this phase are sent.
    public final var mode = DownloadMode.any

    /// Creates an empty phase; a number of zero or less disables the download of what is in it.
    public init(number: Int) {
        self.number = number
        super.init(name: String(number))
    }
}

/// A persistent query that says which entities of a set to keep locally.
open class DownloadQuery: ObjectBase, @unchecked Sendable {
    // Confined: a snapshot that belongs to its reader.

    /// The unique name.
    public final var name = ""
    /// Whether streams of its entities are downloaded too.
    public final var streams = false
    /// The query itself.
    public final var query = DataQuery()

    /// Creates an empty query.
    public override init() { super.init() }

    /// The name and the query's URL.
    open override func toString() -> String { "\(name): \(query.toString())" }
}

/// A list of download queries.
open class DownloadQueryList: TypedList<DownloadQuery>, @unchecked Sendable {}
