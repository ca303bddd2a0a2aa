import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataText
import ODataWire

/// Writes changes as the service behind a proxy takes them, by the client's own writer: its verbs, paths, keys and payloads
/// (pure).
struct OriginRequests {
    let writer: RequestWriter
    private let changes: [OriginChange]
    /// Names the entities that members of the same change set make.
    private let marks: [Mark]
    private var address: EntityAddress

    private final class Mark: Sendable {}

    init(_ changes: [OriginChange], _ writer: RequestWriter) {
        self.writer = writer
        self.changes = changes
        marks = changes.map { _ in Mark() }
        address = EntityAddress(settings: writer.settings, root: writer.root)
        for (position, mark) in marks.enumerated() {
            address.created[ObjectIdentifier(mark)] = Self.contentID(position)
        }
    }

    static func contentID(_ position: Int) -> String { String(position + 1) }

    /// The request for the change at a position.
    ///
    /// - Throws: `notImplemented` for a change that is nothing to the other service.
    func message(_ position: Int) throws -> RequestMessage {
        let change = changes[position]
        var options = ChangeOptions()
        options.sendsEmptyUpdate = true
        let request: ChangeStep.Request
        switch change.action {
        case .create(let value, let set, let beneath):
            var place = EntityPlace(graph: change.graph, type: value.type, set: set)
            if let beneath {
                place.parent = .entity(try self.place(beneath.source), beneath.property)
            }
            request = .create(
                RequestEntity(
                    place: place, isNew: true, entityTag: nil, values: value, changedSlots: [],
                    hasChangedDynamics: true))
        case .update(let place, let value, let replaces):
            options.updateMode = replaces ? .replace : .merge
            let given = value.slots.indices.filter { value.slots[$0] != nil }
            request = .update(
                RequestEntity(
                    place: try self.place(place), isNew: false, entityTag: change.entityTag,
                    values: value, changedSlots: Set(given),
                    hasChangedDynamics: !value.dynamicValues.isEmpty), unbinds: [])
        case .delete(let place):
            request = .delete(try self.place(place), entityTag: change.entityTag)
        case .putLink(let link, let target):
            request = .putLink(
                try place(link.source), link.property, to: try place(target))
        case .deleteLink(let link, let target):
            request = .deleteLink(
                try place(link.source), link.property, to: try target.map { try place($0) })
        }
        let step = ChangeStep(request, .given)
        guard var message = try writer.message(of: step, options, address) else {
            throw ODataError(
                .notImplemented, "Expected a change with something in it.", status: 501)
        }
        if let tag = change.entityTag { message.headers["If-Match"] = tag }
        return message
    }

    /// How requests name an entity.
    func text(_ place: OriginPlace) throws -> String {
        if case .member(let position) = place { return "$" + Self.contentID(position) }
        return try address.text(self.place(place))
    }

    func place(_ place: OriginPlace) throws -> EntityPlace {
        let graph = writer.graph
        switch place {
        case .entity(let set, let key):
            return EntityPlace(graph: graph, type: graph[set].type, set: set, key: key)
        case .member(let position):
            guard changes.indices.contains(position),
                case .create(let value, let set, _) = changes[position].action
            else {
                throw ODataError(
                    .usage, "Expected an entity that the change set makes.", status: 400)
            }
            return EntityPlace(
                id: ObjectIdentifier(marks[position]), graph: graph, type: value.type, set: set)
        }
    }
}
