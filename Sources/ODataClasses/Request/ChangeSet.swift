import ODataModel
import ODataQuery

/// Changes that a service makes all together or not at all (Protocol 4.01, section 11.7.7.2).
///
/// ```swift
/// let changes = ChangeSet()
/// changes.deleteEntity(old)
/// changes.createEntity(new)
/// try service.applyChanges(changes)
/// ```
///
/// Adding a change does nothing but note it: the entity is read when the change set is carried out, so what is set
/// meanwhile counts. Offline the changes are stored in one transaction, and the upload sends them as one change set.
///
/// One thread at a time builds and reads a change set, which is made to be carried out once. Nothing here throws; why it
/// failed stands in ``error``, which `applyChanges` throws, too.
///
/// See ``RequestBatch`` for several change sets and queries in one request.
open class ChangeSet: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time builds and reads a change set, as callers promise.

    /// One change with how it is sent.
    package struct Member {
        package enum Operation {
            case create(EntityValue)
            case createRelated(EntityValue, EntityValue, Property)
            case createMedia(EntityValue, StreamBase)
            case update(EntityValue)
            case delete(EntityValue)
            case createLink(EntityValue, Property, EntityValue)
            case updateLink(EntityValue, Property, EntityValue)
            case deleteLink(EntityValue, Property, EntityValue?)
            case action(DataQuery)
        }

        package var operation: Operation
        package var headers: HTTPHeaders
        package var options: RequestOptions
        /// What an action returned.
        package var result: DataValue?
    }

    package final var members: [Member] = []
    /// The HTTP status of the whole; 0 before it was sent.
    public final package(set) var status = 0
    /// Why the whole failed; nil when it did not.
    public final package(set) var error: DataServiceError?

    /// Creates a change set without changes.
    public override init() { super.init() }

    private func add(
        _ operation: Member.Operation, _ headers: HTTPHeaders?, _ options: RequestOptions?
    ) {
        members.append(
            Member(
                operation: operation, headers: HTTPHeaders.emptyIfNull(headers: headers),
                options: RequestOptions.noneIfNull(options: options)))
    }

    /// Creates an entity (Protocol 4.01, section 11.4.2).
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.create(entity), headers, options)
    }

    /// Creates an entity and links it to another (Protocol 4.01, section 11.4.2.1).
    open func createRelatedEntity(
        _ entity: EntityValue, in parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.createRelated(entity, parent, property), headers, options)
    }

    /// Creates a media entity from its content, then sets what else it was given (Protocol 4.01, section 11.4.7.1). The
    /// content is read, and closed, when the change set is carried out.
    open func createMedia(
        _ entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.createMedia(entity, content), headers, options)
    }

    /// Updates an entity, and with it the related entities that it holds and that are new or changed.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.update(entity), headers, options)
    }

    /// Deletes an entity (Protocol 4.01, section 11.4.5).
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.delete(entity), headers, options)
    }

    /// Creates an entity that is new, updates any other (Protocol 4.01, section 11.4.4).
    open func saveEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(entity.isNew ? .create(entity) : .update(entity), headers, options)
    }

    /// Links an entity to another (Protocol 4.01, section 11.4.6.1).
    open func createLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.createLink(source, property, target), headers, options)
    }

    /// Links an entity to another in place of the one it was linked to (Protocol 4.01, section 11.4.6.3).
    open func updateLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.updateLink(source, property, target), headers, options)
    }

    /// Removes the link of an entity to another (Protocol 4.01, section 11.4.6.2).
    open func deleteLink(
        from source: EntityValue, property: Property, to target: EntityValue? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) {
        add(.deleteLink(source, property, target), headers, options)
    }

    /// Calls an action; its result is read with ``actionResult(_:)`` once the change set was sent.
    @discardableResult
    open func invokeAction(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) -> DataQuery {
        let query = DataQuery().invoke(method, parameters)
        add(.action(query), headers, options)
        return query
    }

    /// How many changes there are.
    open var size: Int { members.count }

    /// True when the change at this position is to an entity.
    open func isEntity(_ index: Int) -> Bool { entityOrNil(index) != nil }

    /// True when the change at this position is to a link.
    open func isLink(_ index: Int) -> Bool {
        switch operation(index) {
        case .createLink, .updateLink, .deleteLink: true
        default: false
        }
    }

    /// True when the change at this position is a call of an action.
    open func isAction(_ index: Int) -> Bool {
        if case .action = operation(index) { true } else { false }
    }

    /// The change at this position; nil when there is none.
    private func operation(_ index: Int) -> Member.Operation? {
        members.indices.contains(index) ? members[index].operation : nil
    }

    /// The entity of the change at this position. A change of another kind, and a position without one, are programming
    /// errors and trap; see ``isEntity(_:)``.
    open func entity(_ index: Int) -> EntityValue {
        guard let entity = entityOrNil(index) else {
            preconditionFailure("Expected a change to an entity at position \(index) of \(size).")
        }
        return entity
    }

    /// The change to a link at this position; a link that is removed whatever it led to has an entity without values as
    /// target. A change of another kind, and a position without one, are programming errors and trap; see ``isLink(_:)``.
    open func link(_ index: Int) -> ChangedLink {
        let link: ChangedLink
        switch operation(index) {
        case .createLink(let source, let property, let target):
            link = ChangedLink(source: source, sourceProperty: property, target: target)
            link.isCreated = true
        case .updateLink(let source, let property, let target):
            link = ChangedLink(source: source, sourceProperty: property, target: target)
            link.isUpdated = true
        case .deleteLink(let source, let property, let target):
            link = ChangedLink(
                source: source, sourceProperty: property,
                target: target ?? EntityValue(withDefaults: false))
            link.isDeleted = true
        default: preconditionFailure("Expected a change to a link at position \(index) of \(size).")
        }
        return link
    }

    /// The call of the action at this position. A change of another kind, and a position without one, are programming
    /// errors and trap; see ``isAction(_:)``.
    open func action(_ index: Int) -> DataQuery {
        guard case .action(let query) = operation(index) else {
            preconditionFailure("Expected a call of an action at position \(index) of \(size).")
        }
        return query
    }

    /// What the action of this query returned; nil when it returned nothing.
    open func actionResult(_ action: DataQuery) -> DataValue? {
        members.first { member in
            if case .action(let query) = member.operation { query === action } else { false }
        }?.result
    }

    /// The headers of the change at this position.
    open func headers(_ index: Int) -> HTTPHeaders { members[index].headers }

    /// The options of the change at this position.
    open func options(_ index: Int) -> RequestOptions { members[index].options }

    private func entityOrNil(_ index: Int) -> EntityValue? {
        switch operation(index) {
        case .create(let entity), .createRelated(let entity, _, _), .createMedia(let entity, _),
            .update(let entity), .delete(let entity):
            entity
        default: nil
        }
    }
}

extension ChangeSet {
    /// The same as ``isEntity(_:)``.
    public final func isEntity(at index: Int) -> Bool { isEntity(index) }

    /// The same as ``isLink(_:)``.
    public final func isLink(at index: Int) -> Bool { isLink(index) }

    /// The same as ``isAction(_:)``.
    public final func isAction(at index: Int) -> Bool { isAction(index) }

    /// The same as ``entity(_:)``, and traps where it does.
    public final func entity(at index: Int) -> EntityValue { entity(index) }

    /// The same as ``link(_:)``, and traps where it does.
    public final func link(at index: Int) -> ChangedLink { link(index) }

    /// The same as ``action(_:)``, and traps where it does.
    public final func action(at index: Int) -> DataQuery { action(index) }
}
