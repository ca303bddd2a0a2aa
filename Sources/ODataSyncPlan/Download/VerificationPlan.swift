import ODataModel
import ODataQuery

/// How a source is compared with its service: deltas can lie, of a service that was restored from a backup, or whose tokens
/// are accepted and mean nothing (pure).
package struct VerificationPlan: Sendable, Hashable {
    /// The URL of the number of rows (URL Conventions 4.01, section 4.8); nil where a number would say nothing.
    package let countURL: String?
    /// The URL of the rows, their keys alone where the service can select; entity tags come with them.
    package let keysURL: String
    /// The URL of the rows as they are, for services that do not select.
    package let rowsURL: String

    /// - Throws: what the parser throws for a source that it cannot read.
    package init(_ source: DownloadSource, graph: MetadataGraph, dialect: Dialect) throws {
        let url = source.urlWithoutExpansions ?? source.url
        var query = try URLParser.parse(url, graph: graph, dialect: dialect)
        query.expand = []
        query.orderBy = []
        query.select = []
        rowsURL = try URLWriter.text(query, graph: graph, dialect: dialect)
        var keys = query
        let names = graph.entitySet(named: source.entitySet).map { graph[graph[$0].type].key } ?? []
        keys.select = names.map { SelectTerm(ExpressionPath($0.path)) }
        keysURL = try URLWriter.text(keys, graph: graph, dialect: dialect)
        // What cuts a result off says more of the order than of the rows.
        guard query.top == nil, query.skip == nil, query.apply.isEmpty else {
            countURL = nil
            return
        }
        var count = query
        count.path.segments.append(.count)
        countURL = try URLWriter.text(count, graph: graph, dialect: dialect)
    }

    /// The number in an answer to ``countURL``; nil for what is none.
    package static func count(in answer: ResponseMessage) -> Int? {
        guard answer.status == 200 else { return nil }
        var text = Substring(decoding: answer.body.prefix(64), as: UTF8.self)
        // Some services begin even this with a byte order mark.
        if text.first == "\u{FEFF}" { text = text.dropFirst() }
        let digits = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return Int(digits).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether sources are to be compared again.
    ///
    /// - Parameters:
    ///   - last: when the source was last known to be right, in milliseconds; nil before the first time.
    ///   - interval: in seconds; zero or less for never.
    package static func isDue(last: Int64?, now: Int64, interval: Int64) -> Bool {
        guard interval > 0, let last else { return false }
        return now - last >= interval * 1_000 || now < last
    }
}

/// What the comparison of a source with its service has found.
package struct SourceVerification: Sendable, Hashable {
    package var source: DownloadSource
    /// The rows that the store takes the service to have: without unsent creations, with unsent deletions.
    package var here: Int
    /// The rows that the service has; nil where it does not tell.
    package var there: Int?
    /// Rows of the service that the store does not have; nil where only numbers were compared.
    package var missing: Int?
    /// Rows of the store that the service does not have; nil where only numbers were compared.
    package var surplus: Int?
    /// Rows without changes of the app that carry another entity tag here than at the service, where both tell one; nil where
    /// only numbers were compared.
    package var changed: Int?
    /// The rows that the store takes the service to have after it was read again; nil where it was not.
    package var after: Int?
    /// Why nothing could be compared.
    package var obstacle: String?

    package init(source: DownloadSource, here: Int, there: Int? = nil) {
        self.source = source
        self.here = here
        self.there = there
    }

    package var isDifferent: Bool {
        (there.map { $0 != here } ?? false) || missing ?? 0 > 0 || surplus ?? 0 > 0
            || changed ?? 0 > 0
    }

    /// What was found, for an event: numbers and nothing else.
    package var sentence: String {
        let name = source.name ?? source.entitySet
        if let obstacle { return "\(name): not compared, \(obstacle)" }
        var text =
            "\(name): \(here) rows here, \(there.map { "\($0)" } ?? "unknown") at the service"
        if let missing, let surplus, missing + surplus > 0 {
            text += ", \(missing) missing, \(surplus) too many"
        }
        if let changed, changed > 0 { text += ", \(changed) changed" }
        if let after { text += "; read again: \(after) rows" }
        return text
    }
}
