import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// What the read of a set can say about creations of unknown fate: noted when it begins, because only what was sent before
/// can be missed by it.
package struct AwaitedCreations: Sendable, Hashable {
    /// The identities under which creations of the table were sent, by request.
    var identities: [Int64: String]
    /// Every row of the set comes, in whatever way.
    var coversSet: Bool
    /// Every property comes, so that a row can be compared with all that was sent.
    var coversProperties: Bool
}

extension LocalStore {
    /// Notes which creations of a set the read that now begins can settle.
    ///
    /// - Parameters:
    ///   - isWhole: the source leaves out no rows.
    ///   - hasAllProperties: it leaves out no properties.
    ///   - isContinued: the read began earlier, so that it may have passed by what was sent meanwhile.
    package func awaitedCreations(
        in table: String, isWhole: Bool, hasAllProperties: Bool, isContinued: Bool
    ) throws -> AwaitedCreations {
        try reading { transaction in
            let creations = try UnknownCreations(transaction: transaction).all(in: table)
            return AwaitedCreations(
                identities: Dictionary(
                    creations.map { ($0.request.id, $0.request.identity.id) },
                    uniquingKeysWith: { $1 }),
                coversSet: isWhole && !isContinued, coversProperties: hasAllProperties)
        }
    }

    /// Settles what the rows of the table tell of creations of unknown fate, in the transaction that ends a read.
    ///
    /// - Parameter isComplete: the read has brought all that it was to bring.
    /// - Returns: what was settled or found, one sentence each.
    package func settleCreations(
        in table: String, _ awaited: AwaitedCreations, isComplete: Bool, _ database: Database
    ) throws -> [String] {
        var awaited = awaited
        awaited.coversSet = awaited.coversSet && isComplete
        return try UnknownCreations(transaction: transaction(in: database)).settle(table, awaited)
    }

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

/// Creations that were sent, and of which nobody could tell so far whether they took effect.
struct UnknownCreations {
    let transaction: StoreTransaction
    static let maximumListed = 20

    struct Creation {
        var request: QueuedRequest
        var sent: CreationMatching.Creation
        /// Rows with a higher id came after it was first sent.
        var highest: Int64
    }

    private var database: Database { transaction.database }

    /// Those of one table that rows can tell of, in queue order, and those that are on their way.
    private func open(in path: String) throws -> [Creation] {
        guard let table = transaction.mapping.table(path: path), table.parent == nil else {
            return []
        }
        let marks = try RowMarks(database: database).highest(in: table)
        guard !marks.isEmpty else { return [] }
        return try transaction.requests.requests(marks.keys).compactMap { request in
            guard request.isSealed, let mark = marks[request.id],
                mark.identity == request.identity.id,
                let sent = CreationMatching.Creation(request)
            else { return nil }
            return Creation(request: request, sent: sent, highest: mark.row)
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
        let marks = Dictionary(
            creations.map { ($0.request.id, $0.highest) }, uniquingKeysWith: { $1 })
        let access = try transaction.access(path)
        guard let lowest = marks.values.min(), let id = access.table.system.id else { return [:] }
        let rows = try Int64.fetchCursor(
            database,
            sql: "SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(access.table.name))"
                + " WHERE \(SQLName.quoted(id)) > ?", arguments: [lowest])
        while let row = try rows.next() {
            guard let values = try serviceState(of: row, in: path) else { continue }
            matching.look(at: row, values) { row > marks[$0] ?? .max }
        }
        return matching.decisions()
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
    func settle(_ path: String, _ awaited: AwaitedCreations) throws -> [String] {
        let creations = try all(in: path)
        guard !creations.isEmpty else { return [] }
        let decisions = try decisions(in: path)
        var sentences: [String] = []
        for creation in creations {
            let id = creation.request.id
            let isAwaited = awaited.identities[id] == creation.request.identity.id
            let sentence: String?
            switch decisions[id] {
            case .happened(let row)? where awaited.coversProperties:
                sentence = try becomes(row, creation.request)
            case .happened(let row)?: sentence = try list([row], "may be", creation.request)
            case .several(let rows)?: sentence = try list(rows, "show", creation.request)
            case .close(let rows)?: sentence = try list(rows, "nearly show", creation.request)
            case .notHappened? where isAwaited && awaited.coversSet:
                sentence = try waitAgain(creation.request)
            case .notHappened?, .tooEarly?, nil: sentence = nil
            }
            guard let sentence else { continue }
            let text = "the creation in \(path) (request \(id)) \(sentence)"
            try transaction.addEvent("settled", details: text)
            sentences.append(text)
        }
        return sentences
    }

    /// The row is what the creation made: it becomes the local entity, which keeps its id, links and later changes.
    ///
    /// - Returns: nil where rows that came with it have changes of their own, which nothing would lead to any more.
    private func becomes(_ row: Int64, _ request: QueuedRequest) throws -> String? {
        let inline = Set(request.body?.inlineRows ?? [])
        if !inline.isEmpty {
            let others = try transaction.requests.requests(writing: inline)
            guard others.allSatisfy({ $0.id == request.id }) else {
                return try list([row], "shows", request)
            }
        }
        guard let address = try address(of: row, in: request.target.table) else { return nil }
        var answer = ResponseMessage(status: 204)
        answer.headers["OData-EntityId"] = address
        if let listed = try LocalStore.settle(request.id, with: answer, in: transaction) {
            guard listed.state != request.state else { return nil }
            return "took effect: it is \(address), which the store cannot take"
        }
        return "took effect: it is \(address)"
    }

    /// Nobody has what it would have made: it is sent again, as a new request.
    private func waitAgain(_ request: QueuedRequest) throws -> String {
        try QueueChange(transaction: transaction, cause: .service).apply(
            try RequestFix(transaction: transaction).retry([request]))
        return "did not take effect: it waits to be sent again"
    }

    /// The app has to choose.
    ///
    /// - Returns: nil when the same was said before.
    private func list(
        _ rows: [Int64], _ verb: String, _ request: QueuedRequest
    ) throws -> String? {
        let names = try rows.prefix(Self.maximumListed).compactMap {
            try address(of: $0, in: request.target.table)
        }
        let more = rows.count > names.count ? " and \(rows.count - names.count) more" : ""
        let reason =
            "No answer came; of the rows that came since \(names.joined(separator: ", "))\(more)"
            + " \(verb) what was sent."
        guard request.state != .unknown(reason: reason) else { return nil }
        var request = request
        request.state = .unknown(reason: reason)
        try transaction.requests.update(request)
        return "could not be settled: " + reason
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
