import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire

/// The requests of one change set in their order, and what the answer to each is about.
///
/// An update takes related entities along that are new or changed, as a single one does; those that are members of the set
/// themselves are left to these.
struct OnlineChangeSet {
    enum Subject {
        case created(EntityValue)
        /// Also brings the entities that went inside.
        case updated(EntityValue, inside: [EntityValue])
        case media(EntityValue)
        /// The properties that a media entity was given beside its content.
        case rest(EntityValue, StructureValue)
        case deleted(EntityValue)
        case link
        case action(DataQuery)
    }

    private let call: OnlineCall
    private(set) var requests: [BatchRequest] = []
    /// For each request the position of its member, and its subject.
    private(set) var subjects: [(member: Int, subject: Subject)] = []
    /// Entities whose updates are on their way, bindings included.
    private(set) var updated: [EntityValue] = []
    private(set) var nextID: Int
    private var created: [ObjectIdentifier: String] = [:]
    private var planned: Set<ObjectIdentifier>
    private var member = 0
    private var headers = HTTPHeaders()

    init(_ call: OnlineCall, _ changes: ChangeSet, after lastID: Int) throws {
        self.call = call
        nextID = lastID
        planned = changes.named
        for (position, change) in changes.members.enumerated() {
            (member, headers) = (position, change.headers)
            try add(change)
        }
    }

    private mutating func append(
        _ message: RequestMessage, _ subject: Subject, _ model: MetadataModel
    ) {
        nextID += 1
        requests.append(
            BatchRequest(
                contentID: "\(nextID)", call.inner(message, headers, call.dialect(model))))
        subjects.append((member, subject))
        switch subject {
        case .created(let entity), .media(let entity):
            created[ObjectIdentifier(entity)] = "\(nextID)"
        default: break
        }
    }

    /// Names what earlier members create by their Content-ID (Protocol 4.01, section 11.7.7.1).
    private func writer(_ model: MetadataModel) -> OnlineWriter {
        let plain = call.writer(model)
        var address = plain.address
        address.created = created
        return OnlineWriter(dialect: plain.dialect, address: address, service: plain.service)
    }

    private mutating func add(_ change: ChangeSet.Member) throws {
        let options = change.options
        switch change.operation {
        case .create(let entity): try create(entity, options)
        case .createRelated(let entity, let parent, let property):
            (entity.parentEntity, entity.parentProperty) = (parent, property)
            try create(entity, options)
        case .createMedia(let entity, let content): try createMedia(entity, content, options)
        case .update(let entity): try update(entity, options)
        case .delete(let entity):
            let model = entity.entityType.model
            let message = try writer(model).delete(entity)
            append(call.repeatable(message, options), .deleted(entity), model)
        case .createLink(let source, let property, let target),
            .updateLink(let source, let property, let target):
            let model = source.entityType.model
            append(try writer(model).putLink(source, property, target), .link, model)
        case .deleteLink(let source, let property, let target):
            let model = source.entityType.model
            let message = try writer(model).deleteLink(
                source, property, target ?? EntityValue(type: source.entityType))
            append(message, .link, model)
        case .action(let query):
            guard let method = query.methodCall else {
                throw ODataError(.usage, "Expected a call of an action in a change set.")
            }
            let model = query.model ?? call.model
            append(try writer(model).action(query, method), .action(query), model)
        }
    }

    private mutating func create(
        _ entity: EntityValue, _ options: RequestOptions, isMember: Bool = true
    ) throws {
        let model = entity.entityType.model
        let message = try writer(model).create(entity, options)
        append(call.repeatable(message, options, isNamed: isMember), .created(entity), model)
        try putLinks(of: entity)
    }

    /// Links one by one, for services that take none inside an entity.
    private mutating func putLinks(of entity: EntityValue) throws {
        guard !call.service.supportsBind else { return }
        let model = entity.entityType.model
        for (property, target) in entity.wantedLinks {
            append(try writer(model).putLink(entity, property, target), .link, model)
        }
    }

    private mutating func update(
        _ entity: EntityValue, _ options: RequestOptions, isMember: Bool = true
    ) throws {
        let model = entity.entityType.model
        let isDeep = model.graph.takesDeepUpdates
        let relatives = entity.changedRelatives(besides: planned)
        let children = relatives.flatMap(\.entities)
        planned.formUnion(children.map { ObjectIdentifier($0) })
        let unbinds = call.unbinds(of: entity)
        let message = try writer(model).update(
            entity, options, relatives: isDeep ? relatives : [], unbinds: unbinds.inside)
        if let message {
            append(
                call.repeatable(message, options, isNamed: isMember),
                .updated(entity, inside: isDeep ? children : []), model)
        }
        updated.append(entity)
        for (property, children) in relatives where !isDeep {
            for child in children {
                if child.isNew {
                    (child.parentEntity, child.parentProperty) = (entity, property)
                    try create(child, options, isMember: false)
                } else {
                    try update(child, options, isMember: false)
                }
            }
        }
        for unbind in unbinds.apart {
            append(try writer(model).unbind(entity, unbind), .link, model)
        }
        try putLinks(of: entity)
    }

    /// The content, then what else the entity was given: a content has no place for it.
    private mutating func createMedia(
        _ entity: EntityValue, _ content: StreamBase, _ options: RequestOptions
    ) throws {
        let model = entity.entityType.model
        let wanted = entity.structureValue
        var message = try call.mediaRequest(entity, content, writer(model).address)
        message.body = try StreamContent(content).readAll(limit: OnlineCall.answerLimit)
        try? content.close()
        append(call.repeatable(message, options), .media(entity), model)
        if let rest = try writer(model).update(entity, options) {
            append(rest, .rest(entity, wanted), model)
        }
        try putLinks(of: entity)
    }

    // MARK: Answers

    /// Brings the entities to what the answers say, one answer for each request.
    func record(_ answers: [ResponseMessage], in changes: ChangeSet) throws {
        for ((member, subject), answer) in zip(subjects, answers) {
            call.messages.hear(answer)
            switch subject {
            case .created(let entity): try call.record(answer, created: entity)
            case .updated(let entity, let inside):
                try call.record(answer, updated: entity)
                for child in inside { call.settle(child) }
            case .media(let entity): try call.record(answer, createdMedia: entity)
            case .rest(let entity, let wanted):
                call.restore(wanted, to: entity)
                try call.record(answer, updated: entity)
                entity.isCreated = true
            case .deleted(let entity):
                entity.flags.subtract([.new, .local])
                entity.isDeleted = true
            case .link: break
            case .action(let query):
                changes.members[member].result = try call.result(of: answer, calledBy: query)
            }
        }
        for entity in updated { entity.bindings = [] }
    }
}
