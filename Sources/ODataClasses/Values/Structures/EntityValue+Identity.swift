import ODataModel
import ODataText

extension EntityValue {
    /// The key values in key order; nil where one is unset or null.
    package final var keyScalars: [Scalar?] {
        let definition = typeObject.definition
        return definition.key.map { part in
            var value: ODataValue?
            var owner: StructureBase = self
            let steps = part.path.split(separator: "/").map(String.init)
            for (index, step) in steps.enumerated() {
                guard let slot = owner.typeObject.definition.slot(named: step) else { return nil }
                if index == steps.count - 1 {
                    value = owner.odataValue(slot)
                } else {
                    let property = owner.typeObject.properties[slot]
                    guard let next = owner.optionalValue(for: property) as? StructureBase else {
                        return nil
                    }
                    owner = next
                }
            }
            guard let scalar = value?.scalar, scalar != .null else { return nil }
            return scalar
        }
    }

    /// The present key values by name.
    public final var entityKey: EntityKey {
        let key = EntityKey()
        for part in typeObject.definition.key {
            let steps = part.path.split(separator: "/").map(String.init)
            var value: DataValue? = self
            for step in steps {
                guard let owner = value as? StructureBase,
                    let property = owner.typeObject.property(named: step)
                else {
                    value = nil
                    break
                }
                value = owner.optionalValue(for: property)
            }
            if let value { key.map.set(part.name, value) }
        }
        return key
    }

    /// True when every key property has a value.
    public final func hasKey() -> Bool {
        let scalars = keyScalars
        return !scalars.isEmpty && scalars.allSatisfy { $0 != nil }
    }

    /// True when the app gave the whole key of an entity that the service has not created yet.
    public final var hasClientProvidedKey: Bool { flags.contains(.new) && hasKey() }

    /// The URL by V4 conventions, relative to the service root; empty while set or key are not known.
    public final var canonicalURL: String {
        let set = entitySet
        guard set !== EntitySet.undefined else { return readLink ?? editLink ?? "" }
        if set.isSingleton { return set.resourcePath }
        guard hasKey() else { return readLink ?? editLink ?? "" }
        return set.resourcePath + keyPredicate
    }

    /// `(1)` or `(a=1,b='x')`, percent-encoded, by V4 conventions; meaningful for entities that have a key.
    package final var keyPredicate: String { keyPredicate(.v4) }

    private final func keyPredicate(_ dialect: Dialect) -> String {
        let definition = typeObject.definition
        let parts = zip(definition.key, keyScalars).map { part, scalar -> String in
            let slot = definition.slot(named: part.path)
            let type = slot.map { definition.properties[$0].type }
            let text: String
            if let id = type?.enumeration, case .integer(let number)? = scalar {
                let enumeration = typeObject.model.graph[id]
                text = "\(enumeration.qualifiedName)'\(enumeration.text(of: number))'"
            } else {
                text = Literal.text(
                    scalar ?? .null, as: type?.primitive ?? .untyped, dialect: dialect)
            }
            let encoded = PercentCoding.encode(text, for: .path)
            return definition.key.count == 1 ? encoded : "\(part.name)=\(encoded)"
        }
        return "(" + parts.joined(separator: ",") + ")"
    }

    /// The entity-id (`@odata.id`), where one was received (JSON Format 4.01, section 4.6.8).
    public final var entityID: String? {
        get { storage.control.id }
        set { mutate { $0.control.id = newValue } }
    }

    /// URL to read the entity: the one that was received or set, else its edit link or id, else the one by convention, from set
    /// and key (JSON Format 4.01, section 4.6.9; Protocol 4.01, section 4.2). Alone enough to address it; nil for a new entity, and
    /// for one whose set or key is not known.
    public final var readLink: String? {
        get {
            storage.control.readLink ?? storage.control.editLink ?? storage.control.id
                ?? conventionalLink
        }
        set { mutate { $0.control.readLink = newValue } }
    }

    /// URL to change the entity: the one that was received or set, else the one by convention, which is that of the entity-id
    /// (JSON Format 4.01, section 4.6.9); nil for a new entity, and for one whose set or key is not known.
    public final var editLink: String? {
        get { storage.control.editLink ?? storage.control.id ?? conventionalLink }
        set { mutate { $0.control.editLink = newValue } }
    }

    /// The URL by convention, relative to the service root, of an entity that a service or a store has given.
    private final var conventionalLink: String? {
        guard !flags.contains(.new), parentEntity == nil else { return nil }
        let set = entitySet
        guard set !== EntitySet.undefined else { return nil }
        if set.isSingleton { return set.resourcePath }
        guard hasKey() else { return nil }
        return set.resourcePath + keyPredicate(Dialect.of(typeObject.model.graph.version))
    }

    /// The entity tag that the last read or change gave (JSON Format 4.01, section 4.6.10).
    public final var entityTag: String? {
        get { storage.control.etag }
        set { mutate { $0.control.etag = newValue } }
    }

    /// Where the content of a media entity is (JSON Format 4.01, section 4.6.12).
    public final var mediaStream: StreamLink {
        get {
            if let link = detailsIfAny?.mediaStream { return link }
            let control = storage.control
            let link = StreamLink()
            link.readLink = control.mediaReadLink
            link.editLink = control.mediaEditLink
            link.mediaType = control.mediaContentType
            link.entityTag = control.mediaETag
            link.owningType = entityType
            details.mediaStream = link
            return link
        }
        set { details.mediaStream = newValue }
    }

    /// The store's row identifier; 0 for entities that are not from a store.
    public final var systemKey: Int64 {
        get { localID ?? 0 }
        set { localID = newValue == 0 ? nil : newValue }
    }

    /// Marks of the store, without meaning for apps.
    public final var systemFlags: Int {
        get { detailsIfAny?.systemFlags ?? 0 }
        set { details.systemFlags = newValue }
    }
}
