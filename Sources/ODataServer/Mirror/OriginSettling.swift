import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// What an entity is like at the service that is mirrored, after a change of it.
enum PassedState {
    /// In the model that is offered.
    case value(StructureValue)
    case gone
    /// The change was made, and nothing more can be told now.
    case untold
}

extension Passage {
    /// What the change has left, from its answer, or else from a look.
    ///
    /// - Parameter here: puts a value into the model that is offered.
    func state(
        after result: OriginResult, _ origin: any MirrorOrigin,
        _ here: (StructureValue) -> StructureValue
    ) -> PassedState {
        switch kind {
        case .deletion: return .gone
        case .link: return .untold
        case .creation, .update, .property: break
        }
        let expand =
            kind == .creation
            ? value.map { Exchange.expansions(of: $0, in: change.graph) } ?? [] : []
        if let value = result.value, expand.isEmpty { return .value(here(value)) }
        var key = result.key
        if key == nil, let value = result.value {
            key = try? EntityTagger.key(of: value, in: table)
        }
        if key == nil {
            key = self.key.map { OriginPlan.originKey($0, of: table, in: change.graph) }
        }
        guard let place = change.place ?? key.map({ .entity(table.entitySet, key: $0) }) else {
            return .untold
        }
        do {
            return try origin.read(place, in: change.graph, expanding: expand).map {
                .value(here($0))
            } ?? .gone
        } catch {
            // The change was made: what it has left is read with everything else.
            return result.value.map { .value(here($0)) } ?? told(key, here)
        }
    }

    /// What the client has written, under the key that the entity has.
    private func told(
        _ key: [Scalar]?, _ here: (StructureValue) -> StructureValue
    ) -> PassedState {
        guard var value, let key else { return .untold }
        var names = StructureValue(type: value.type, in: change.graph)
        for (column, scalar) in zip(table.keys, key) where column.slots.count == 1 {
            names.slots[column.slots[0]] = .scalar(scalar)
        }
        let own = here(names)
        for column in table.keys where column.slots.count == 1 {
            value.slots[column.slots[0]] = own.slots[column.slots[0]]
        }
        return .value(value)
    }
}

/// Brings what came of one change into the rows here, and answers it; inside of one write.
struct OriginSettling {
    let passage: Passage
    let origin: any MirrorOrigin
    /// What the client sees.
    let exchange: Exchange
    /// What the proxy does itself.
    let rows: MirrorRows

    private var table: TableMapping { passage.table }

    /// The answer to the client. What cannot be stored fails nothing: the other service has made the change.
    func answer(_ state: PassedState) throws -> ResponseMessage {
        var key = passage.key
        if case .value(let value) = state { key = try EntityTagger.key(of: value, in: table) }
        do {
            var answer = ResponseMessage(status: 204)
            try exchange.database.inSavepoint {
                answer = try stored(state, key)
                return .commit
            }
            return answer
        } catch {
            origin.readSoon()
            guard passage.kind == .creation else { return ResponseMessage(status: 204) }
            guard let key else { throw Self.untold }
            let id = try exchange.entityID(key, of: table)
            return ResponseMessage(
                status: 204, headers: ["Location": id, "OData-EntityId": id])
        }
    }

    private static let untold = ODataError(
        ServiceCode.fateUnknown,
        "Expected the key of the entity that was made; the service behind the proxy told neither that nor its"
            + " state.", status: 502)

    private func stored(_ state: PassedState, _ key: [Scalar]?) throws -> ResponseMessage {
        switch passage.kind {
        case .link:
            try link()
            return ResponseMessage(status: 204)
        case .deletion:
            if let key { try rows.remove(key, of: table) }
            return ResponseMessage(status: 204)
        case .creation, .update, .property: break
        }
        guard let key else { throw Self.untold }
        switch state {
        case .value(let value):
            let row = try rows.bring(value, into: table)
            try bindLinks(of: row)
        case .gone:
            try rows.remove(key, of: table)
            return ResponseMessage(status: 204)
        case .untold: origin.readSoon()
        }
        let row = EntityChanges(exchange).row(key, of: table)
        guard passage.kind != .property else {
            return ResponseMessage(
                status: 204,
                headers: exchange.tagHeaders(try EntityTagger(exchange).tag(of: key, in: table)))
        }
        let isNew = passage.kind == .creation
        return try exchange.answer(
            created: isNew, row: row, key: key,
            returns: exchange.preferences.returns ?? (isNew ? .representation : .minimal),
            expanding: isNew ? passage.value : nil)
    }

    // MARK: Links that no property tells

    /// What the request said of links that stand in tables of their own here.
    private func bindLinks(of row: Int64) throws {
        let own = rows.exchange
        let value = passage.value
        for navigation in table.navigations {
            guard case .linkTable = navigation.storage, let slot = navigation.slots.first else {
                continue
            }
            if let value, !navigation.isCollection, value.slots.indices.contains(slot),
                case .scalar(.null)? = value.slots[slot]
            {
                try LinkRows(own).remove(navigation, from: row, of: table, to: nil)
            }
            for id in value?.control.bindings[navigation.path] ?? [] {
                let other = try EntityChanges(own).target(of: id)
                guard let target = try TargetRows(own, sees: .all).rowID(of: other) else {
                    continue
                }
                try LinkRows(own).add(navigation, from: row, of: table, to: target)
            }
        }
        guard case .create(_, _, let beneath?) = passage.change.action else { return }
        guard let step = passage.target.step, case .linkTable = step.navigation.storage else {
            // The entity above was made by the same change set; its links are read with everything else.
            if case .member = beneath.source { origin.readSoon() }
            return
        }
        guard let source = step.sourceID else { return }
        try LinkRows(own).add(step.navigation, from: source, of: step.source, to: row)
    }

    /// Makes the link here that the request made there.
    private func link() throws {
        let own = rows.exchange
        let query = try own.parse(own.resolved(own.relativeURL))
        let end = try PathWalker(exchange: own).walk(query.path)
        _ = try own.writeReference(end, query)
        if let key = passage.key { try rows.protect(key, of: table) }
        var other: OriginPlace?
        switch passage.change.action {
        case .putLink(_, let target): other = target
        case .deleteLink(_, let target): other = target
        default: return
        }
        guard case .entity(let set, let key)? = other,
            let target = own.model.mapping.table(for: set)
        else { return }
        let known = zip(target.keys, key).map { column, scalar in
            column.type.primitive.flatMap {
                LiteralConversion.scalar(scalar, written: nil, as: $0)
            } ?? scalar
        }
        try rows.protect(known, of: target)
    }
}
