import ODataModel
import ODataQuery

/// How a service is spoken to, as the app and the service's own word have it: one value for online calls and uploads.
package struct RequestSettings: Sendable, Hashable {
    /// The protocol version to speak; nil for that of the metadata.
    package var version: ODataVersion?
    /// Answers of the other protocol family are refused (Protocol 4.01, section 8.1.5).
    package var checksVersion = true
    /// Queries are checked against metadata before they are sent.
    package var checksQueries = true
    /// What is looked at, and put right, in entities that the service answers with.
    package var checks = ResultChecks()
    /// V2 services are asked for Atom.
    package var asksForAtom = false
    /// The type of every entity is sent (JSON Format 4.01, section 4.6.3).
    package var requiresType = false
    /// Creates and updates ask for the entity as the service has it then (Protocol 4.01, section 8.2.8.7).
    package var createReturnsContent = true
    package var updateReturnsContent = true
    /// The service knows `PATCH`; otherwise updates replace (Protocol 4.01, section 11.4.3).
    package var supportsPatch = true
    /// The method of updates that say what changed; nil for that of the version. With `PUT` all are replacements.
    package var updates: UpdateMethod?
    package var supportsBatch = true
    /// Links are made inside creates and updates (JSON Format 4.01, section 8.5); otherwise each has a request.
    package var supportsBind = true
    /// Links are let go inside updates, where the service takes deep ones; otherwise each has a request.
    package var supportsUnbind = true
    package var supportsAlias = true
    package var supportsDelta = true
    package var supportsNext = true
    /// Batches of V4 are JSON (JSON Format 4.01, section 19) in place of multipart messages.
    package var batchesAsJSON = false
    /// Characters that are percent-encoded wherever a path has them.
    package var avoidedInPaths = ""
    /// Methods that are sent as `POST` with their name in ``tunnellingHeader``.
    package var tunnelledMethods: Set<String> = []
    package var tunnellingHeader = Self.usualTunnellingHeader
    /// How keys stand in paths; nil where that is still to be met, and parentheses are tried first.
    package var keys: KeyStyle?
    /// Who the app is, beside the identities of repeatable requests.
    package var clientID: String?
    /// The identity of the registered installation, which each part of a batch names as well (offline reference, 13.5).
    package var clientInstanceID: String?

    /// MS-ODATA, section 2.2.5.8.
    package static let usualTunnellingHeader = "X-HTTP-Method"

    package init() {}

    package var keyStyle: KeyStyle { keys ?? .parentheses }

    /// Takes over what is known of the service where the app has not said otherwise.
    package mutating func take(_ profile: ServiceProfile) {
        keys = keys ?? profile.keys
        // What a call has of a row may be a part: whole rows go out where somebody has said so.
        if profile.updates != .put || profile.pins.update == .put {
            updates = updates ?? profile.updates
        }
        if profile.takesBatches == false { supportsBatch = false }
    }

    /// The dialect for entities of a model: that of its document unless a version was set.
    package func dialect(of graph: MetadataGraph) -> Dialect {
        Dialect.of(version ?? graph.version)
    }
}
