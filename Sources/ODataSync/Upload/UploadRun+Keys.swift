import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport

/// Reads by key, which show how keys stand in the paths of the service.
extension UploadRun {
    /// Reads rows until one has shown the style of keys.
    ///
    /// - Returns: the rows that the service has shown, and why it could not be asked.
    mutating func meetKeys(
        of rows: [RowReference]
    ) -> (shown: Set<RowReference>, failure: ODataError?) {
        var shown: Set<RowReference> = []
        do {
            for row in rows where builder.writer.settings.keys == nil {
                try checkCancellation()
                // A row that the service cannot know yet has no address to ask for.
                guard (try? store.knownAddress(of: row)) != nil else { continue }
                let answer = try readByKey(in: row.table) { [store] in
                    try store.knownAddress(of: row, keys: $0)
                }
                // Who lets nobody in now says nothing of keys.
                guard !ServiceRefusal.isOfTheMoment(answer.status) else {
                    throw ServiceRefusal.error(answer, of: connection.root)
                }
                if isEntity(answer, of: row.table) { shown.insert(row) }
            }
            return (shown, nil)
        } catch {
            let failure =
                error as? ODataError
                ?? ODataError(.storage, "Expected the row of a change.", underlying: error)
            return (shown, failure)
        }
    }

    /// The answer to a read by key; while nobody knows the style, in the other one where the service does not find the first.
    ///
    /// - Parameter url: the URL of an entity of the table with its keys in a style.
    /// - Throws: `network` for an answer that is not the service's.
    mutating func readByKey(
        in table: String, _ url: (KeyStyle) throws -> String
    ) throws -> ResponseMessage {
        let parentheses = try url(builder.writer.settings.keyStyle)
        let segments = try url(.segments)
        // Where both are one there is no key to meet.
        guard builder.writer.settings.keys == nil, parentheses != segments else {
            return try read(parentheses)
        }
        let answer = try ask(parentheses)
        if isEntity(answer, of: table) {
            try learn(.parentheses)
        } else if KeyStyle.isDoubted(by: answer.status) {
            let other = try ask(segments)
            if isEntity(other, of: table) {
                // Who does not understand need not be the service: one that reads both is asked in parentheses.
                let again = try ask(parentheses)
                let isRead = isEntity(again, of: table)
                try learn(isRead ? .parentheses : .segments)
                return isRead ? again : other
            }
        }
        return try checked(answer, of: parentheses)
    }

    /// Whether a service that answers something to any URL has shown an entity with its key.
    private func isEntity(_ answer: ResponseMessage, of table: String) -> Bool {
        let graph = builder.writer.graph
        guard answer.isSuccess, origin(of: answer) == .service,
            let type = try? store.mapping().existingTable(path: table).structure,
            let found = try? AnswerReader(graph: graph, dialect: builder.writer.dialect)
                .entity(answer, of: type, in: graph.entitySet(named: table))
        else { return false }
        let key = EntityPlace.key(of: found, in: graph)
        return key.count == graph[found.type].key.count && !key.contains(.null)
    }

    /// Keeps how keys stand in paths, and writes them so from now on.
    private mutating func learn(_ keys: KeyStyle) throws {
        profile = try store.learn { $0.learn(keys: keys).map { [$0] } ?? [] }
        builder.writer.settings.keys = profile.keys
    }
}
