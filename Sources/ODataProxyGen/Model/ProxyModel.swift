import ODataModel

/// A service with all names given: what the writers look at.
struct ProxyModel: Sendable {
    var options: GenerationOptions
    var structures: [ProxyStructure] = []
    var enumerations: [ProxyEnumeration] = []
    var sets: [ProxySet] = []
    var operations: [ProxyOperation] = []
    /// The converters of enumerations by the names of their types.
    var converters: [String: String] = [:]

    var service: String { options.serviceName }
    var registry: String { service + "Metadata" }
    var factory: String { service + "Factory" }
    var text: String { service + "MetadataText" }
    var parser: String { service + "MetadataParser" }
    var changes: String { service + "MetadataChanges" }
    /// The protocol of types that others derive from, which gives each of them arrays of its own class.
    var hierarchy: String { service + "Structure" }

    /// Words in front of a declaration that subclasses may override.
    var open: String { options.access == .public ? "open " : "" }
    /// Words in front of any other declaration.
    var visible: String { options.access == .public ? "public " : "" }

    var entities: [ProxyStructure] { structures.filter(\.isEntity) }
    var complexTypes: [ProxyStructure] { structures.filter { !$0.isEntity } }
    var typeNames: [String] {
        structures.map(\.typeName) + enumerations.flatMap { [$0.typeName, $0.converter] }
    }
}

/// An entity or complex type.
struct ProxyStructure: Sendable {
    var id: StructureID
    var isEntity: Bool
    var qualifiedName: String
    var typeName: String
    /// The name in the registry.
    var member: SwiftName
    /// The class of the base type; nil for those that derive from the library's.
    var base: String?
    var hasSubtypes = false
    /// What the type itself declares.
    var properties: [ProxyProperty] = []
    /// Empty where the key is inherited, or where it is none that can be written.
    var key: [ProxyParameter] = []
    var note = ""
}

struct ProxyProperty: Sendable {
    var name: String
    var member: SwiftName
    var type: ProxyType
    var note = ""
}

/// A parameter of an operation, or a part of a key.
struct ProxyParameter: Sendable {
    var name: String
    var member: SwiftName
    var type: ProxyType
}

struct ProxyEnumeration: Sendable {
    var qualifiedName: String
    var typeName: String
    var converter: String
    var member: SwiftName
    /// Values may combine members, or there are no members: a Swift `enum` has no room for either.
    var isOptionSet: Bool
    var members: [EnumerationMember]
    var note = ""
}

/// An entity set or a singleton.
struct ProxySet: Sendable {
    /// The name by which the document finds it.
    var name: String
    var member: SwiftName
    var isSingleton: Bool
    /// The class of its entities.
    var typeName: String
    /// `fetchXs`, or what reads the singleton.
    var fetchName: SwiftName
    /// `fetchX`; nil for singletons.
    var fetchOneName: SwiftName?
    /// `fetchXWithKey`; nil where the type has no key that can be written.
    var fetchKeyName: SwiftName?
    var key: [ProxyParameter] = []
    var note = ""
}

/// An action or function, bound or imported, or an unbound one that no import offers.
struct ProxyOperation: Sendable {
    enum Place: String, Sendable, CaseIterable {
        case actions = "Actions"
        case functions = "Functions"
        case boundActions = "BoundActions"
        case boundFunctions = "BoundFunctions"
        case actionImports = "ActionImports"
        case functionImports = "FunctionImports"
    }

    var place: Place
    /// The name by which the document finds it.
    var name: String
    /// Tells overloads apart; nil where there is one operation of the name only.
    var signature: String?
    var member: SwiftName
    var isAction: Bool
    var isBound: Bool
    /// The name of the call; nil where the service class has none.
    var callName: SwiftName?
    /// False for the further overloads behind an import, which share its entry in the registry.
    var isListed = true
    /// Without the one that the operation is bound to.
    var parameters: [ProxyParameter] = []
    var result: ProxyType?
    var note = ""
}
