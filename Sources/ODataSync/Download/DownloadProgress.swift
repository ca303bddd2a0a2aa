import ODataSyncPlan

/// How far a download has come, and at its end what it did.
package struct DownloadProgress: Sendable, Hashable {
    /// What became of one source.
    package struct SourceResult: Sendable, Hashable {
        package var source: DownloadSource
        package var mode: ReadMode
        package var received: Int
        package var written: Int
        package var removed: Int
        package var pages: Int
        /// How long its pages took to come and to be stored.
        package var seconds: Double
    }

    package var sourceCount = 0
    package var finishedSources = 0
    package var current: String?
    package var rows = 0
    package var written = 0
    package var removed = 0
    package var results: [SourceResult] = []
    /// What the service refused, in the order of the refusals.
    package var refused: [SourceRefusal] = []
    /// Why sources were left out, by their key: queries that were removed or replaced meanwhile, what the service refused, and what it
    /// says cannot be read.
    package var skipped: [String: String] = [:]
    /// The sets among the skipped ones that are in no model, because no document that could be read has their types; sorted.
    package var undefined: [String] = []
    /// Why sources came without their expansions, by their key.
    package var unexpanded: [String: String] = [:]
    /// What is known of the service, what this download found out included.
    package var profile = ServiceProfile()
    /// What this download found out, one sentence each.
    package var lessons: [String] = []
    /// What the rows that came have told of changes of unknown fate, one sentence each.
    package var settled: [String] = []
    /// Why links of navigation properties are unknown, by names as `Orders/Customer`.
    package var unknownLinks: [String: String] = [:]
}
