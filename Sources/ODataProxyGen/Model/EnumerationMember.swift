import ODataModel

/// A member of an enumeration type with its name in Swift.
struct EnumerationMember: Sendable {
    var name: String
    var member: SwiftName
    var value: Int64
    /// The member that has the value already.
    var alias: SwiftName?

    /// The members of a type in the order of the document.
    static func all(of type: EnumerationDefinition, _ scope: NameScope) -> [EnumerationMember] {
        var scope = scope
        var first: [Int64: SwiftName] = [:]
        return type.members.map { item in
            let own = scope.give(SwiftName.member(item.name))
            let alias = first[item.value]
            if alias == nil { first[item.value] = own }
            return EnumerationMember(
                name: item.name, member: own, value: item.value, alias: alias)
        }
    }
}
