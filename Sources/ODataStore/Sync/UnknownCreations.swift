import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

extension LocalStore {
    /// The rows that may be what a creation of unknown fate made, as the service last said them.
    package func candidates(of request: QueuedRequest) throws -> [StructureValue] {
        try reading { transaction in
            let creations = UnknownCreations(transaction: transaction)
            let table = request.target.table
            guard request.state.isUnknown else { return [] }
            let rows: [Int64]
            switch try creations.decisions(in: table)[request.id] {
            case .happened(let row)?: rows = [row]
            case .several(let found)?, .close(let found)?: rows = found
            case .notHappened?, .tooEarly?, nil: rows = []
            }
            return try rows.prefix(UnknownCreations.maximumListed).compactMap {
                try creations.serviceState(of: $0, in: table)
            }
        }
    }
}

extension LocalStore {
    /// What the store knows of the age of an entity that shows what a creation sent: with a row under its key from before that was
    /// first sent, the creation did not make it, unless the key was given again.
    package func age(
        of entity: StructureValue, _ request: QueuedRequest
    ) throws -> CreationMatching.Age {
        try reading { transaction in
            let path = request.target.table
            let table = try transaction.table(path)
            let marks = RowMarks(database: transaction.database)
            guard let mark = try marks.mark(of: request.id), mark.identity == request.identity.id,
                let key = table.key(of: entity),
                let row = try transaction.access(path).id(key: key), row != request.target.id,
                row <= mark.row,
                let known = try UnknownCreations(transaction: transaction)
                    .serviceState(of: row, in: path)
            else { return .new }
            return CreationMatching.age(
                of: entity, known: known, isRewritten: try marks.isRewritten(row, in: table),
                request, graph: transaction.graph)
        }
    }
}

/// Creations that were sent, and of which nobody could tell so far whether they took effect.
struct UnknownCreations {
    let transaction: StoreTransaction
    static let maximumListed = 20

    struct Creation {
        var request: QueuedRequest
        var sent: CreationMatching.Creation
        /// Rows with a higher id came after it was first sent.
        var highest: Int64
        /// The row that contains what it makes; nil for one of a set.
        var parent: RowReference?
    }

    private var database: Database { transaction.database }

    /// Those of one table that rows can tell of, in queue order, and those that are on their way.
    private func open(in path: String) throws -> [Creation] {
        guard let table = transaction.mapping.table(path: path) else { return [] }
        let marks = try RowMarks(database: database).highest(in: table)
        guard !marks.isEmpty else { return [] }
        return try transaction.requests.requests(marks.keys).compactMap { request in
            guard request.isSealed, let mark = marks[request.id],
                mark.identity == request.identity.id,
                let sent = CreationMatching.Creation(request)
            else { return nil }
            var creation = Creation(request: request, sent: sent, highest: mark.row)
            if table.parent != nil {
                guard let parent = request.navigation?.row else { return nil }
                creation.parent = parent
            }
            return creation
        }
    }

    /// Those of one table that rows can tell of, in queue order.
    func all(in path: String) throws -> [Creation] {
        try open(in: path).filter(\.request.state.isUnknown)
    }

    /// What the rows of the table say of them.
    func decisions(in path: String) throws -> [Int64: CreationMatching.Decision] {
        let creations = try open(in: path)
        var matching = CreationMatching(creations.map(\.sent), graph: transaction.graph)
        let byRequest = Dictionary(
            creations.map { ($0.request.id, $0) }, uniquingKeysWith: { $1 })
        let access = try transaction.access(path)
        guard let lowest = creations.map(\.highest).min(), let id = access.table.system.id else {
            return [:]
        }
        // A row with the key that was sent has come into the creation's own.
        for creation in creations {
            let own = creation.request.target.id
            guard let values = try serviceState(of: own, in: path) else { continue }
            matching.find(own, values, of: creation.request.id)
        }
        let parent = access.table.system.parent.map { SQLName.quoted($0) } ?? "NULL"
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(SQLName.quoted(id)), \(parent) FROM"
                + " \(SQLName.quoted(access.table.name)) WHERE \(SQLName.quoted(id)) > ?",
            arguments: [lowest])
        while let columns = try rows.next() {
            let row: Int64 = columns[0]
            let parent: Int64? = columns[1]
            guard let values = try serviceState(of: row, in: path) else { continue }
            matching.look(at: row, values) {
                guard let creation = byRequest[$0], row > creation.highest else { return false }
                return creation.parent.map { $0.id == parent } ?? true
            }
        }
        for (row, parent, values) in try replaced(in: path) + rewritten(in: path) {
            matching.suspect(row, values) {
                guard let creation = byRequest[$0], row <= creation.highest else { return false }
                return creation.parent.map { $0.id == parent } ?? true
            }
        }
        return matching.decisions()
    }

    /// What the service has in the places of rows for which a deletion was sent: where that was carried out, the service may
    /// have given the key again, and the row kept its id here.
    private func replaced(
        in path: String
    ) throws -> [(row: Int64, parent: Int64?, values: StructureValue)] {
        let images = try transaction.images(path)
        return try transaction.requests.sentDeletions(in: path).compactMap { request in
            guard let image = try images.image(id: request.target.id), image.kind == .present
            else { return nil }
            let isTagged = request.ifMatch != nil && request.ifMatch != "*"
            let stored = StoredImage(row: image.row, kind: image.kind)
            guard !isTagged || request.isMadeAnew(stored) else { return nil }
            return (image.row.id, image.row.parent, image.row.values)
        }
    }

    /// What came with other values in the place of rows from before a creation was sent: where another client has deleted such
    /// a row, or a deletion of ours was carried out, the service may have given its key again. Whatever the tag says: the new
    /// row may have none, or the first one again.
    private func rewritten(
        in path: String
    ) throws -> [(row: Int64, parent: Int64?, values: StructureValue)] {
        let images = try transaction.images(path)
        let rows = try RowMarks(database: database).rewritten(in: images.rows.table)
        return try rows.sorted().compactMap { row in
            guard let values = try serviceState(of: row, in: path) else { return nil }
            return (row, try images.rows.row(id: row)?.parent, values)
        }
    }

    /// A row as the service last said it, whatever was changed here since; nil for one that it does not have.
    func serviceState(of row: Int64, in path: String) throws -> StructureValue? {
        let images = try transaction.images(path)
        if let image = try images.image(id: row) {
            return image.kind == .present ? image.row.values : nil
        }
        guard let stored = try images.rows.row(id: row), !stored.isUnsentCreation else {
            return nil
        }
        return stored.values
    }

    /// - Returns: what was settled or found, one sentence each.
    func settle(
        _ place: AwaitedCreations.Place, _ identities: [Int64: String]
    ) throws -> [String] {
        let path = place.table
        let creations = try all(in: path)
        guard !creations.isEmpty else { return [] }
        let decisions = try decisions(in: path)
        var sentences: [String] = []
        for creation in creations {
            let id = creation.request.id
            let isAwaited = identities[id] == creation.request.identity.id
            let sentence: String?
            switch decisions[id] {
            case .happened(let row)? where place.coversProperties:
                sentence = try becomes(row, creation.request)
            case .happened(let row)?: sentence = try list([row], "may be", creation.request)
            case .several(let rows)?: sentence = try list(rows, "show", creation.request)
            case .close(let rows)? where creation.sent.sent == nil:
                sentence = try list(rows, "may hold", creation.request)
            case .close(let rows)?: sentence = try list(rows, "nearly show", creation.request)
            case .notHappened? where isAwaited && place.coversRows:
                sentence = try isMissed(creation) ? waitAgain(creation.request) : nil
            case .notHappened?, .tooEarly?, nil: sentence = nil
            }
            if let sentence { sentences.append(try note(sentence, of: creation.request)) }
        }
        return sentences
    }

    /// - Returns: the sentence, with the creation that it is about.
    func note(_ sentence: String, of request: QueuedRequest) throws -> String {
        let text = "the creation in \(request.target.table) (request \(request.id)) \(sentence)"
        try transaction.addEvent("settled", details: text)
        return text
    }

    /// Whether a read of everything would have brought it: of what a row contains, where the service knows that row.
    private func isMissed(_ creation: Creation) throws -> Bool {
        guard let parent = creation.parent else { return true }
        return try serviceState(of: parent.id, in: parent.table) != nil
    }

    /// The row is what the creation made: it becomes the local entity, which keeps its id, links and later changes, and so do
    /// the rows that came with it. Where one of those cannot be told, the whole creation stays listed.
    ///
    /// - Returns: nil when the same was said before.
    func becomes(_ row: Int64, _ request: QueuedRequest) throws -> String? {
        var found = row == request.target.id ? [:] : [request.target: row]
        if let nested = try nested(of: request, below: row) {
            guard nested.missing.isEmpty else {
                let tables = Set(nested.missing.map(\.table)).sorted().joined(separator: ", ")
                return try list(
                    [row], "shows", request, " Not each row that came with it is told in \(tables)."
                )
            }
            found.merge(nested.found.filter { $0.key.id != $0.value }) { $1 }
        }
        guard let address = try name(of: row, in: request.target.table) else { return nil }
        var answer = ResponseMessage(status: 204)
        answer.headers["OData-EntityId"] = address
        // What waits behind it changes the row as it was met, and no later one.
        answer.headers["ETag"] =
            try serviceState(of: row, in: request.target.table)?.control.etag
        let listed = try LocalStore.settle(
            request.id, with: answer, found: found, in: transaction)
        if let listed {
            guard listed.state != request.state else { return nil }
            return "took effect: it is \(address), which the store cannot take"
        }
        return "took effect: it is \(address)"
    }

    /// Nobody has what it would have made: it is sent again, as a new request.
    private func waitAgain(_ request: QueuedRequest) throws -> String {
        guard !request.isCancelled else {
            var recording = AnswerRecording(transaction: transaction)
            try recording.take(.init(request: request.id, outcome: .notCarriedOut))
            return "did not take effect: it is cancelled"
        }
        try QueueChange(transaction: transaction, cause: .service).apply(
            try transaction.retry([request], asNew: true))
        return "did not take effect: it waits to be sent again"
    }

    /// The app has to choose.
    ///
    /// - Returns: nil when the same was said before.
    private func list(
        _ rows: [Int64], _ verb: String, _ request: QueuedRequest, _ further: String = ""
    ) throws -> String? {
        let names = try rows.prefix(Self.maximumListed).compactMap {
            try name(of: $0, in: request.target.table)
        }
        let more = rows.count > names.count ? " and \(rows.count - names.count) more" : ""
        let reason =
            "No answer came; of the rows that came or changed since \(names.joined(separator: ", "))\(more)"
            + " \(verb) what was sent.\(further)"
        guard request.state != .unknown(reason: reason) else { return nil }
        var request = request
        request.state = .unknown(reason: reason)
        try transaction.requests.update(request)
        return "could not be settled: " + reason
    }

    /// The address of a row of a set, or of one that another contains; nil for a row without key.
    private func name(of row: Int64, in path: String) throws -> String? {
        let table = try transaction.table(path)
        guard table.parent != nil else { return try address(of: row, in: path) }
        guard let values = try serviceState(of: row, in: path), table.key(of: values) != nil else {
            return nil
        }
        return try transaction.address(of: transaction.reference(table, row))
    }

    private func address(of row: Int64, in path: String) throws -> String? {
        guard let values = try serviceState(of: row, in: path) else { return nil }
        let graph = transaction.graph
        guard let key = transaction.access(try transaction.table(path)).key(of: values) else {
            return nil
        }
        return try EntityURL(
            graph: graph, dialect: Dialect.of(graph.version), keys: transaction.keys
        ).text(set: path, key: key)
    }
}
