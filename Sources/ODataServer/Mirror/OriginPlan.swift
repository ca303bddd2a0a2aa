import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Says what a request means for the service that is mirrored, as far as the model and the rows here tell.
///
/// Everything that can be refused without that service is refused here, before anything is sent.
struct OriginPlan {
    let exchange: Exchange
    let origin: any MirrorOrigin
    /// The model of the service that is mirrored.
    let graph: MetadataGraph
    /// Earlier members of the change set that make entities, by their `Content-ID`.
    let made: [String: Made]
    /// True for a request that may have been carried out: its row need not be here, nor as it was.
    let isRepeated: Bool

    struct Made {
        var position: Int
        var table: TableMapping
    }

    private var request: RequestMessage { exchange.request }
    private var mapping: SchemaMapping { exchange.model.mapping }

    /// - Throws: what a service of its own would answer to such a request.
    func passage() throws -> Passage {
        if let (member, rest) = member(of: exchange.relativeURL) { return try inside(member, rest) }
        let url = try exchange.resolved(exchange.relativeURL)
        let named = try EntityReference.resolved(url, exchange)
        let query = try exchange.parse(named)
        let end = try PathWalker(exchange: exchange).walk(query.path)
        guard !end.wantsCount else { throw exchange.methodNotAllowed("GET, HEAD") }
        let operation = Exchange.operation(request.method, end)
        try exchange.access?.require(operation, end.changed)
        if request.method != "DELETE", !end.wantsValue { try exchange.format.requireJSON() }
        if end.wantsReference { return try link(end, query) }
        if try exchange.stream(end) != nil { throw Self.streams(end.target.table) }
        if let column = end.property {
            return try property(
                end.target, column.path.split(separator: "/").map(String.init), column,
                isRaw: end.wantsValue)
        }
        if let names = end.structure { return try property(end.target, names, nil, isRaw: false) }
        switch request.method {
        case "POST": return try creation(end.target)
        case "DELETE": return try deletion(end.target)
        default: return try update(end.target)
        }
    }

    // MARK: Entities

    private func creation(_ target: RowTarget) throws -> Passage {
        guard !target.isSingle else {
            throw exchange.methodNotAllowed("GET, HEAD, PATCH, PUT, DELETE")
        }
        let link = try target.step.map { step in
            OriginLink(
                source: try place(of: step.target).place,
                property: try property(step.navigation))
        }
        return try creation(target, beneath: link)
    }

    private func creation(_ target: RowTarget, beneath link: OriginLink?) throws -> Passage {
        let table = target.table
        guard exchange.model.takesChanges(table) else { throw EntityChanges.readOnly(table) }
        try Preconditions(request.headers).checkCreation()
        let value = try exchange.entityBody(of: table, as: target.structure)
        try EntityChanges(exchange).refuseDeltas(value)
        guard !graph[value.type].hasStream else { throw Self.streams(table) }
        let key = graph[value.type].key.isEmpty ? nil : try? EntityTagger.key(of: value, in: table)
        return Passage(
            change: OriginChange(
                action: .create(try inOrigin(value), table.entitySet, beneath: link), graph: graph),
            table: table, key: key.flatMap { $0.contains(.null) ? nil : $0 }, value: value,
            target: target, kind: .creation)
    }

    private func update(_ target: RowTarget) throws -> Passage {
        let (key, row, place) = try existing(target)
        let value = try exchange.entityBody(
            of: row.table, as: TargetRows(exchange).type(of: row))
        try EntityChanges(exchange).refuseDeltas(value)
        try EntityChanges(exchange).refuseRelated(value)
        return passage(
            .update(place, try inOrigin(value), replaces: request.method == "PUT"), row, key, value,
            .update)
    }

    private func deletion(_ target: RowTarget) throws -> Passage {
        guard target.isSingle else { throw exchange.methodNotAllowed("GET, HEAD, POST") }
        guard !exchange.graph[target.table.entitySet].isSingleton else {
            throw exchange.methodNotAllowed("GET, HEAD, PATCH, PUT")
        }
        let (key, row, place) = try existing(target)
        return passage(.delete(place), row, key, nil, .deletion)
    }

    /// One property, which the other service gets as a change of the entity.
    private func property(
        _ target: RowTarget, _ names: [String], _ column: ODataSQL.ColumnMapping?, isRaw: Bool
    ) throws -> Passage {
        guard request.method != "POST" else { throw exchange.methodNotAllowed("GET, PUT, DELETE") }
        let (key, row, place) = try existing(target)
        let type = try TargetRows(exchange).type(of: row)
        guard let last = try PropertyChange(exchange).reference(names, of: type) else {
            throw EntityChanges.readOnly(row.table)
        }
        var member = ODataValue.null
        if request.method == "DELETE" {
            if last.isCollection { member = .list([]) }
        } else if isRaw, let column {
            member = .scalar(try exchange.rawBody(column))
        } else {
            try exchange.requireJSONBody()
            member = try exchange.reader.property(request.body, as: last)
            if request.method == "PUT", case .structure(let inner) = member {
                member = .structure(
                    try ValueRules(graph: exchange.graph).completed(inner, .strict))
            }
        }
        guard !member.isNull || last.isNullable else {
            throw ODataError(
                .invalidPayload, "Expected a value for a property that is not nullable.",
                at: .path(names.joined(separator: "/")), status: 400)
        }
        var value = StructureValue(type: type, in: exchange.graph)
        try PropertyChange(exchange).put(member, at: names, in: &value)
        return passage(
            .update(place, try inOrigin(value), replaces: false), row, key, value, .property)
    }

    private func passage(
        _ action: OriginChange.Action, _ row: RowTarget, _ key: [Scalar], _ value: StructureValue?,
        _ kind: Passage.Kind
    ) -> Passage {
        let condition = request.headers["If-Match"].map { HeaderText.trimmed($0[...]) }
        var change = OriginChange(action: action, graph: graph)
        if condition == "*" { change.entityTag = "*" }
        return Passage(
            change: change, table: row.table, key: key, value: value, target: row, kind: kind,
            isConditional: condition != nil && condition != "*")
    }

    // MARK: Links

    private func link(_ end: PathWalker.End, _ query: Query) throws -> Passage {
        guard let step = end.target.step else {
            throw PathWalker.invalid("Expected a navigation property before $ref.")
        }
        guard !step.navigation.containsTarget else {
            throw PathWalker.invalid("Expected a link, found entities that are part of another.")
        }
        let (key, row, source) = try existing(step.target)
        let link = OriginLink(source: source, property: try property(step.navigation))
        let action: OriginChange.Action
        switch (request.method, step.navigation.isCollection) {
        case ("PUT", false), ("POST", true):
            try exchange.requireJSONBody()
            action = .putLink(link, to: try named(by: exchange.reader.reference(request.body)))
        case ("DELETE", false): action = .deleteLink(link, to: nil)
        case ("DELETE", true):
            if let id = query.customOptions.first(where: { $0.name == "$id" })?.value {
                action = .deleteLink(link, to: try named(by: id))
            } else if end.target.isSingle {
                action = .deleteLink(link, to: try place(of: end.target).place)
            } else {
                throw PathWalker.invalid("Expected a key or $id that names the link.")
            }
        default:
            throw exchange.methodNotAllowed(
                step.navigation.isCollection ? "GET, POST, DELETE" : "GET, PUT, DELETE")
        }
        return passage(action, row, key, nil, .link)
    }

    /// The navigation property in the other service's model.
    private func property(_ navigation: NavigationMapping) throws -> PropertyDefinition {
        guard navigation.slots.count == 1, let slot = navigation.slots.first else {
            throw ODataError(
                .notImplemented, "The proxy changes no links inside of complex properties.",
                at: .path(navigation.path), status: 501)
        }
        return graph[navigation.owner].properties[slot]
    }

    // MARK: Places

    /// The row that a request changes, after its preconditions.
    private func existing(_ target: RowTarget) throws -> (
        key: [Scalar], row: RowTarget, place: OriginPlace
    ) {
        guard target.isSingle else { throw exchange.methodNotAllowed("GET, HEAD, POST") }
        let table = target.table
        guard exchange.model.takesChanges(table) else { throw EntityChanges.readOnly(table) }
        _ = try exchange.requireMirrored(table)
        let found = try place(of: target)
        if !isRepeated {
            try Preconditions(request.headers).checkChange(
                of: try EntityTagger(exchange).tagBeforeChange(of: found.key, in: table),
                isRequired: exchange.model.configuration.requiresPreconditions)
        }
        return (found.key, EntityChanges(exchange).row(found.key, of: table), found.place)
    }

    private func place(of target: RowTarget) throws -> (key: [Scalar], place: OriginPlace) {
        let table = target.table
        var key = try TargetRows(exchange).key(of: target)
        if key == nil, isRepeated, target.conditions.count == table.keys.count {
            key = target.conditions.map(\.value)
        }
        guard let key else { throw PathWalker.missing() }
        let isSingleton = table.parent == nil && exchange.graph[table.entitySet].isSingleton
        let own = isSingleton ? [] : Self.originKey(key, of: table, in: graph)
        return (key, .entity(table.entitySet, key: own))
    }

    /// The key in the types of the other service.
    static func originKey(
        _ key: [Scalar], of table: TableMapping, in graph: MetadataGraph
    ) -> [Scalar] {
        zip(table.keys, key).map { column, scalar in
            guard column.slots.count == 1, let slot = column.slots.first,
                let type = graph[column.owner].properties[slot].type.primitive
            else { return scalar }
            return LiteralConversion.scalar(scalar, written: nil, as: type) ?? scalar
        }
    }

    /// The entity that an entity-id in a body or URL names.
    private func named(by id: String) throws -> OriginPlace {
        if let (member, rest) = member(of: id) {
            guard rest.isEmpty else { throw Self.reference(id) }
            return .member(member.position)
        }
        return try place(of: EntityChanges(exchange).target(of: id)).place
    }

    /// A value as the other service has its types, with its bindings named as that one's bodies name entities.
    private func inOrigin(_ value: StructureValue) throws -> StructureValue {
        try V2Model.converted(value, to: graph) {
            try origin.address(of: try named(by: $0), in: graph)
        }
    }

    // MARK: Members of the same change set

    private func member(of url: String) -> (Made, rest: Substring)? {
        guard url.hasPrefix("$") else { return nil }
        let end = url.firstIndex(of: "/") ?? url.endIndex
        guard let found = made[String(url[..<end].dropFirst())] else { return nil }
        return (found, url[end...])
    }

    /// A request beneath an entity that the same change set makes: only a creation can be one.
    private func inside(_ member: Made, _ rest: Substring) throws -> Passage {
        guard request.method == "POST",
            let navigation = member.table.navigation(path: String(rest.dropFirst())),
            navigation.isCollection, !navigation.containsTarget
        else { throw Self.reference(exchange.relativeURL) }
        let table = mapping[navigation.target]
        try exchange.access?.require(.create, table)
        try exchange.format.requireJSON()
        return try creation(
            RowTarget(table: table),
            beneath: OriginLink(
                source: .member(member.position), property: try property(navigation)))
    }

    private static func reference(_ url: String) -> ODataError {
        ODataError(
            .notImplemented,
            "The proxy takes references to entities of the same change set in bindings, and before a"
                + " collection that an entity is made in.", at: .path(String(url.prefix(100))),
            status: 501)
    }

    private static func streams(_ table: TableMapping) -> ODataError {
        ODataError(
            .notImplemented, "The proxy takes no streams, and makes no entities that have one.",
            at: .path(table.path), status: 501)
    }
}
