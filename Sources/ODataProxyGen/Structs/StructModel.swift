/// What the structs of a service are made from: all names given, all questions to the metadata answered.
struct StructModel: Sendable {
    var access: GenerationOptions.Access
    var structures: [StructDeclaration] = []
    var enumerations: [OpenEnumDeclaration] = []
    var operations: [OperationDeclaration] = []

    /// Words in front of a declaration.
    var visible: String { access == .public ? "public " : "" }
}

/// A struct: entities at one place, or a complex type.
struct StructDeclaration: Sendable {
    enum Kind: Sendable, Hashable {
        /// The set, the singleton, or the way to what is contained; and the type where it is derived from that of the place.
        case entity(set: String, derived: String?)
        case complex
    }

    /// A type that is derived from this one, as a member of the fields.
    struct Derived: Sendable {
        var qualifiedName: String
        var typeName: String
        var member: SwiftName
        /// The condition that an entity is of it.
        var isMember: SwiftName
    }

    /// A property that is a stream; the content of the entity where it has no name.
    struct Stream: Sendable {
        var name: String?
        var member: SwiftName
        var note = ""
    }

    var kind: Kind
    var typeName: String
    /// Of the type that the document declares.
    var qualifiedName: String
    var note = ""
    var properties: [StructProperty] = []
    var links: [StructLink] = []
    var streams: [Stream] = []
    var derived: [Derived] = []
    /// Entities that may have properties that the type does not declare; of complex values these are left out.
    var isOpen = false
    /// Nil where the app makes none.
    var draft: StructDraft?
    /// Sentences about what the document has and the struct has not.
    var omissions: [String] = []

    var isEntity: Bool { kind != .complex }

    /// All names of members, to keep parameters apart from them.
    var memberNames: Set<String> {
        Set(
            properties.map(\.member.text) + links.map(\.member.text) + streams.map(\.member.text)
                + derived.flatMap { [$0.member.text, $0.isMember.text] })
    }
}

/// A structural property.
struct StructProperty: Sendable {
    var name: String
    var member: SwiftName
    var type: StructType
    /// Changes of it are sent.
    var isChangeable: Bool
    var note = ""
}

/// The Swift type of a property.
struct StructType: Sendable, Hashable {
    /// Of one value that is there.
    var base: String
    var isComplex = false
    var isCollection = false
    var isOptional = false

    var code: String { isCollection ? "[\(base)]" : isOptional ? base + "?" : base }
    /// As a draft has it where it need not be said.
    var optional: String { isCollection ? "[\(base)]?" : base + "?" }
}

/// A navigation property.
struct StructLink: Sendable {
    var name: String
    var member: SwiftName
    /// The struct that it leads to.
    var target: String
    var isCollection: Bool
    var isChangeable: Bool
    var note = ""
}

/// What is said of a new entity or complex value.
struct StructDraft: Sendable {
    struct Part: Sendable {
        enum Need: Sendable, Hashable {
            case required
            case defaulted(String)
            case optional
            /// Required, unless the link of this name is said, which stands for it.
            case unless(link: String)
        }

        var name: String
        var member: SwiftName
        var type: StructType
        var need: Need
        var note = ""
    }

    struct Link: Sendable {
        var name: String
        var member: SwiftName
        var target: String
        /// It stands for properties that are required.
        var isAlternative: Bool
    }

    /// New entities that a new one contains.
    struct Child: Sendable {
        var name: String
        var member: SwiftName
        var target: String
        var isCollection: Bool
    }

    var parts: [Part] = []
    var links: [Link] = []
    var children: [Child] = []
}

/// An action or a function, bound or not.
struct OperationDeclaration: Sendable {
    enum Target: Sendable, Hashable {
        case service
        /// An entity of this struct.
        case entity(String)
        /// The entities of this struct.
        case all(String)
        /// What it is called on is said each time: several structs stand for the type.
        case any
    }

    enum Result: Sendable, Hashable {
        case nothing
        case value(StructType)
        case entity(String)
        case entities(String)
    }

    struct Parameter: Sendable {
        var name: String
        var member: SwiftName
        var type: StructType
    }

    /// By which the service finds it.
    var name: String
    var typeName: String
    var isAction: Bool
    var target: Target
    var parameters: [Parameter] = []
    var result: Result
    var note = ""
}

/// An enumeration type.
struct OpenEnumDeclaration: Sendable {
    var qualifiedName: String
    var typeName: String
    var isFlags: Bool
    var members: [EnumerationMember]
    var note = ""
}
