import GRDB
import ODataModel
import ODataSQL

/// What a service knows about its data: metadata, mapping and limits; fixed while it runs.
struct ServiceModel: Sendable {
    let mapping: SchemaMapping
    let configuration: ServiceConfiguration
    /// The `$metadata` document.
    let metadata: [UInt8]
    /// Names the change log in tokens.
    let logIdentity: String

    var graph: MetadataGraph { mapping.graph }

    /// Tables or views that could not be exposed, and why.
    let notes: [String]
}
