/// What the app decides about its generated classes or structs.
package struct GenerationOptions: Sendable, Hashable {
    /// What a document becomes.
    package enum Style: String, Sendable, CaseIterable {
        /// Classes over `SAPOData`.
        case proxy
        /// Structs over `OData`.
        case swift
    }

    /// How calls of the service class return.
    package enum Family: String, Sendable, CaseIterable {
        /// Blocking, and with a completion handler that takes a `Result`.
        case result
        /// `async` only.
        case async
        /// Blocking, and with a completion handler that takes a value and an error.
        case legacy
    }

    /// What the service class is made over.
    package enum Provider: String, Sendable, CaseIterable {
        case any, online, offline
    }

    package enum Access: String, Sendable, CaseIterable {
        case `public`, `internal`
    }

    /// The name of the service class, which other files take as their prefix, and what files are marked with; for structs it
    /// may be empty, and is then made of the container's name.
    package var serviceName: String
    package var family: Family
    package var provider: Provider
    package var access: Access
    /// Stands in front of the names of entity, complex and enumeration types.
    package var typePrefix: String
    /// Names of the sets that get structs; empty for all.
    package var only: [String]

    package init(
        serviceName: String, family: Family = .result, provider: Provider = .any,
        access: Access = .public, typePrefix: String = "", only: [String] = []
    ) {
        self.serviceName = serviceName
        self.family = family
        self.provider = provider
        self.access = access
        self.typePrefix = typePrefix
        self.only = only
    }
}
