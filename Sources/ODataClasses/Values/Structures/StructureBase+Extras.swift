import Foundation
import ODataModel

extension StructureBase {
    /// Where the content of a stream property is. A property that is no stream is a programming error and traps.
    public final func streamLink(for property: Property) -> StreamLink {
        precondition(
            property.definition.type.primitive == .stream,
            "Expected a stream property, found \(property.qualifiedName).")
        if property.isMediaStream { return mediaEntity(property).mediaStream }
        guard let slot = knownSlot(of: property) else { return StreamLink() }
        if let link = detailsIfAny?.streamLinks[slot] { return link }
        let link = StreamLink()
        let annotations = storage.control.annotations
        func text(_ term: String) -> String? {
            for name in ["\(property.name)@odata.\(term)", "\(property.name)@\(term)"] {
                if case .scalar(.string(let text))? = annotations[name] { return text }
            }
            return nil
        }
        link.readLink = text("mediaReadLink")
        link.editLink = text("mediaEditLink")
        link.mediaType = text("mediaContentType")
        link.entityTag = text("mediaEtag")
        link.streamProperty = property
        link.owningType = typeObject as? EntityType
        link.valuePath = property.name
        if case .scalar(.binary(let bytes))? = storage.value(slot: slot) {
            link.inlineData = Data(bytes)
        }
        details.streamLinks[slot] = link
        return link
    }

    /// This entity, which has the media stream that the property stands for.
    final func mediaEntity(_ property: Property) -> EntityValue {
        guard let entity = self as? EntityValue, entity.entityType.isMedia else {
            preconditionFailure("Expected a media entity, found \(typeObject.qualifiedName).")
        }
        return entity
    }

    /// Where the rest of an expanded collection is; nil when all of it is here (JSON Format 4.01, section 4.6.5).
    public final func nextLink(for property: Property) -> String? {
        storage.control.nextLinks[property.name]
    }

    /// True when an expanded collection has more than is here.
    public final func hasNextLink(for property: Property) -> Bool {
        nextLink(for: property) != nil
    }

    /// Values of properties that the model does not declare; changes to the map change the value (CSDL 4.01, section 6.3).
    public final var dynamicProperties: DataValueMap {
        if let map = detailsIfAny?.dynamicProperties { return map }
        let map = DataValueMap()
        let untyped = TypeReference(.primitive(.untyped))
        for (name, value) in storage.structureValue.dynamicValues.sorted(by: { $0.key < $1.key }) {
            if let object = DataValue.of(value, untyped, in: typeObject.model) {
                map.set(name, object)
            }
        }
        details.dynamicProperties = map
        return map
    }

    /// True when there are values of properties that the model does not declare.
    public final var hasDynamicProperties: Bool { !dynamicProperties.isEmpty }

    /// The value of a property that the model does not declare; nil when there is none.
    public final func dynamicValue(_ name: String) -> DataValue? { dynamicProperties.get(name) }

    /// Sets a property that the model does not declare; nil removes it.
    public final func setDynamicValue(_ name: String, _ value: DataValue?) {
        dynamicProperties[name] = value
    }

    /// The path of the value inside its entity, where it is known.
    public final var dataPath: DataPath? {
        get { detailsIfAny?.dataPath }
        set { details.dataPath = newValue }
    }

    /// The resource path of the value, where it is known.
    public final var valuePath: String? {
        get { detailsIfAny?.valuePath }
        set { details.valuePath = newValue }
    }

    /// Fills unset structural properties: with the model's default, else null where allowed and asked for, else false,
    /// zero or empty where asked for. `skipConstraints` leaves out properties that constraints tie to a link.
    public final func setDefaultValues(
        nestedComplex: Bool = true, nestedEntity: Bool = false, defaultOptional: Bool = true,
        defaultRequired: Bool = true, skipConstraints: Bool = false
    ) {
        let model = typeObject.model
        let constrained = skipConstraints ? dependentProperties : []
        for property in typeObject.properties where !isSet(property.slot) {
            let type = property.definition.type
            guard !property.isNavigation, type.primitive != .stream,
                !constrained.contains(property.name)
            else { continue }
            let value: ODataValue?
            if type.isCollection {
                value = .list([])
            } else if let scalar = property.definition.defaultScalar(in: model.graph) {
                value = .scalar(scalar)
            } else if type.isNullable {
                value = defaultOptional ? .null : nil
            } else if case .structure(let id) = type.kind {
                guard nestedComplex, let complex = model[id] as? ComplexType else { continue }
                let nested = ComplexValue.ofType(complex)
                nested.setDefaultValues(
                    nestedComplex: true, nestedEntity: nestedEntity,
                    defaultOptional: defaultOptional, defaultRequired: defaultRequired)
                setDataValue(for: property, to: nested)
                continue
            } else if case .enumeration = type.kind {
                value = defaultRequired ? .scalar(.integer(0)) : nil
            } else {
                let zero = type.primitive.flatMap { Scalar.zero(of: $0) }
                value = defaultRequired ? zero.map { .scalar($0) } : nil
            }
            if let value { mutate { $0.setSlot(property.slot, value) } }
        }
        guard nestedEntity else { return }
        for (_, child) in children.all {
            (child as? EntityValue)?.setDefaultValues(
                nestedComplex: nestedComplex, defaultOptional: defaultOptional,
                defaultRequired: defaultRequired, skipConstraints: skipConstraints)
        }
    }

    /// Names of the properties whose values follow from links.
    private var dependentProperties: Set<String> {
        Set(
            typeObject.definition.properties.flatMap {
                $0.navigation?.referentialConstraints.map(\.property) ?? []
            })
    }
}
