import Foundation

/// One query whose result is kept locally: the whole of an entity set, or a download query that an app defined.
package struct DownloadSource: Sendable, Hashable {
    /// The app's name for it; nil for the default download of a set.
    package var name: String?
    package var entitySet: String
    /// The relative URL of the query, percent-encoded.
    package var url: String
    /// The query without expansions that were added for the sake of links; nil when none were.
    package var urlWithoutExpansions: String?
    /// Which bit of a row's sources says that this query brought it.
    package var bit: Int
    /// Whether streams of its rows are wanted too.
    package var streams: Bool

    package init(
        name: String? = nil, entitySet: String, url: String, bit: Int, streams: Bool = false
    ) {
        self.name = name
        self.entitySet = entitySet
        self.url = url
        self.bit = bit
        self.streams = streams
    }

    /// The key under which the store keeps delta link and resume point.
    package var key: String { name.map { "query:\($0)" } ?? "set:\(entitySet)" }

    /// True where it brings a part of the properties of rows only: `$select`, in 4.01 also without `$`, whether of the set
    /// itself or inside an expansion.
    package var selects: Bool {
        let options = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return (options.removingPercentEncoding ?? String(options)).lowercased()
            .split { "&;(".contains($0) }
            .contains { $0.hasPrefix("$select=") || $0.hasPrefix("select=") }
    }
}

/// What a store remembers of a source between downloads.
package struct SourceState: Sendable, Hashable {
    package var deltaLink: String?
    package var resume: ResumePoint?
    /// True once all of the source's rows have been stored.
    package var isComplete: Bool
    /// True where a read that did not come to its end has stored rows, and no other can go on with it.
    package var hasRows: Bool
    /// A kept link that failed for good before, so that a read began anew: where that comes to it once more, no other will help.
    package var brokenLink: String?

    package init(
        deltaLink: String? = nil, resume: ResumePoint? = nil, isComplete: Bool = false,
        hasRows: Bool = false, brokenLink: String? = nil
    ) {
        self.deltaLink = deltaLink
        self.resume = resume
        self.isComplete = isComplete
        self.hasRows = hasRows
        self.brokenLink = brokenLink
    }
}

extension DownloadSource {
    /// The app has not asked for it by a query: it is the whole set, downloaded because it is there.
    package var isDefault: Bool { name == nil }
}

/// Where an interrupted read goes on.
package struct ResumePoint: Sendable, Hashable {
    package var mode: ReadMode
    /// The link of the next page to fetch.
    package var nextLink: String
    /// How many pages wait to be applied.
    package var stagedPages: Int
    /// The delta link that an earlier page of the read brought.
    package var deltaLink: String?

    package init(
        mode: ReadMode, nextLink: String, stagedPages: Int = 0, deltaLink: String? = nil
    ) {
        self.mode = mode
        self.nextLink = nextLink
        self.stagedPages = stagedPages
        self.deltaLink = deltaLink
    }
}

/// How the pages of a read change the store.
package enum ReadMode: String, Sendable, Hashable {
    /// Nothing of the source is there: rows are inserted as they come.
    case first
    /// Changes since the last read, applied at once with the last page.
    case delta
    /// All rows again: what is not seen by the end has gone.
    case sweep
}

/// How a phase fetches its sources.
package enum FetchMode: Int, Sendable, Hashable {
    case any = 0
    case batch = 1
    case parallel = 2
    case sequence = 3
}
