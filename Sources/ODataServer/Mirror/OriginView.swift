import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Holds a change that goes to the service that is mirrored against what its client may see and change, by making it here,
/// inside of a transaction that is given up.
struct OriginView {
    let exchange: Exchange
    let access: AccessView

    /// - Throws: 403 for a row out of reach, and for one that would be out of view then; 501 where that cannot be known
    ///   before the other service has made it.
    func require(_ passage: Passage) throws {
        let table = passage.table
        let operation = Self.operation(passage.kind)
        if let key = passage.key, passage.kind != .creation, access.restricts(table, operation) {
            let row = EntityChanges(exchange).row(key, of: table)
            guard try TargetRows(exchange, sees: .those(operation)).exists(row) else {
                throw AccessView.notAmongThem
            }
        }
        guard operation != .delete,
            access.restricts(table, operation) || access.restricts(table, .read)
        else { return }
        try make(passage)
        try exchange.requireInView()
    }

    private static func operation(_ kind: Passage.Kind) -> AccessOperation {
        switch kind {
        case .creation: .create
        case .deletion: .delete
        case .update, .property, .link: .update
        }
    }

    private func make(_ passage: Passage) throws {
        let changes = EntityChanges(exchange)
        switch passage.kind {
        case .creation:
            guard passage.key != nil, let value = passage.value else {
                throw ODataError(
                    .notImplemented,
                    "The proxy makes no entities whose keys it does not know for clients that see some of them.",
                    at: .path(passage.table.path), status: 501)
            }
            _ = try changes.make(
                value, in: passage.table,
                fixed: passage.target.conditions.map { ($0.column, $0.value) })
        case .update, .property:
            guard let value = passage.value else { return }
            try changes.update(passage.target, with: value, replaces: false)
        case .link:
            let query = try exchange.parse(exchange.resolved(exchange.relativeURL))
            _ = try exchange.writeReference(
                PathWalker(exchange: exchange).walk(query.path), query)
        case .deletion: return
        }
    }
}
