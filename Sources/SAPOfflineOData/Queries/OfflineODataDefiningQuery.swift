import ODataClasses
import ODataQuery

/// A named query that says which entities an offline store holds; the store holds what all its queries find together.
public struct OfflineODataDefiningQuery: Sendable, Hashable {
    /// The name, unique in a store; not empty and without comma.
    public var name: String
    /// The URL relative to the service root: an entity set, or one with query options. A leading slash is left out.
    public var query: String
    /// Whether the content of media entities and stream properties is downloaded too.
    public var automaticallyRetrievesStreams: Bool
    /// True while the removal of the query waits for the next download: never of what a provider gives, which removes at once.
    public var isRemoving = false

    /// Describes a query by its URL.
    public init(name: String, query: String, automaticallyRetrievesStreams: Bool) {
        self.name = name
        self.query = query
        self.automaticallyRetrievesStreams = automaticallyRetrievesStreams
    }

    /// Describes a query by what a query object says.
    public init(name: String, query: DataQuery, automaticallyRetrievesStreams: Bool) {
        self.init(
            name: name, query: query.toString(),
            automaticallyRetrievesStreams: automaticallyRetrievesStreams)
    }
}
