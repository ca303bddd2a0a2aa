import ODataModel

/// What few structures have beside their properties, kept apart so that rows of a result stay small.
final class StructureDetails {
    var localID: Int64?
    var dynamicProperties: DataValueMap?
    var streamLinks: [Int: StreamLink] = [:]
    var mediaStream: StreamLink?
    /// The snapshot that changes are compared with; `old` is its object form, made when asked for.
    var oldStorage: StructureStorage?
    var old: StructureBase?
    var bindings: [PendingBinding] = []
    var hasLocalRelatives: Bool?
    var hasRelativesWithPendingChanges: Bool?
    var parentEntity: EntityValue?
    var parentProperty: Property?
    var deltaTime: GlobalDateTime?
    var systemFlags = 0
    var dataPath: DataPath?
    var valuePath: String?
}

/// A bind or unbind that waits for the next create or update of its source.
package struct PendingBinding {
    package let property: Property
    /// Nil when the link of a single-valued navigation property is removed whatever it leads to.
    package let target: EntityValue?
    package let isBind: Bool
}
