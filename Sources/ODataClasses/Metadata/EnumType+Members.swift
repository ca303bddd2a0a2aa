import ODataModel

extension EnumType {
    /// The declared members in order (CSDL 4.01, section 10.3).
    public var memberList: EnumValueList { EnumValueList.fromArray(members) }

    /// The declared members by name.
    public var memberMap: EnumValueMap {
        EnumValueMap(entries: zip(definition.members, members).map { ($0.name, $1) })
    }

    /// The member with this name; nil when there is none.
    public func findMember(_ name: String) -> EnumValue? {
        definition.members.firstIndex { $0.name == name }.map { members[$0] }
    }

    /// The member with this name. A name that is not declared is a programming error and traps.
    public func member(name: String) -> EnumValue {
        guard let member = findMember(name) else {
            preconditionFailure("Expected a member of \(qualifiedName), found the name \(name).")
        }
        return member
    }

    /// The member with this name; see ``member(name:)``.
    public func member(withName name: String) -> EnumValue { member(name: name) }

    /// The value with this number: the member itself where one has it, otherwise a combination or an unknown value.
    public func withLong(_ value: Int64) -> EnumValue {
        members.first { $0.rawValue == value } ?? EnumValue(self, value)
    }

    /// The value with this number; see ``withLong(_:)``.
    public func withInt(_ value: Int) -> EnumValue { withLong(Int64(value)) }

    /// The value with this number; see ``withLong(_:)``.
    public func withShort(_ value: Int) -> EnumValue { withLong(Int64(value)) }

    /// The value with this number; see ``withLong(_:)``.
    public func withByte(_ value: Int) -> EnumValue { withLong(Int64(value)) }

    /// The value with this number; see ``withLong(_:)``.
    public func withUnsignedByte(_ value: Int) -> EnumValue { withLong(Int64(value)) }

    /// The value with this number; nil for nil.
    public func withOptionalLong(_ value: Int64?) -> EnumValue? { value.map { withLong($0) } }

    /// The value with this number; nil for nil.
    public func withOptionalInt(_ value: Int?) -> EnumValue? { value.map { withInt($0) } }

    /// The value with this number; nil for nil.
    public func withOptionalShort(_ value: Int?) -> EnumValue? { value.map { withInt($0) } }

    /// The value with this number; nil for nil.
    public func withOptionalByte(_ value: Int?) -> EnumValue? { value.map { withInt($0) } }

    /// The annotations of the type by term.
    public var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The annotation with this term. A missing one is a programming error and traps.
    public func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }
}

extension EnumValue {
    /// The annotations of the member by term; none for values that are no member.
    public var annotations: AnnotationMap {
        let member = enumType.definition.members.first { $0.value == rawValue }
        return .of(member?.annotations ?? [], enumType.model)
    }

    /// The annotation with this term. A missing one is a programming error and traps.
    public func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }
}
