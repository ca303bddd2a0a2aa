import ODataModel
import ODataQuery
import ODataSyncPlan

/// Checks whether data kept under one version of metadata stays valid under another.
open class CsdlCompatibilityChecker: ObjectBase, @unchecked Sendable {
    // Constant.
    private final let oldMetadata: CSDLDocument
    private final let newMetadata: CSDLDocument

    /// Compares two documents of one service.
    public init(oldMetadata: CSDLDocument, newMetadata: CSDLDocument) {
        self.oldMetadata = oldMetadata
        self.newMetadata = newMetadata
        super.init()
    }

    /// Checks compatibility of what the documents say themselves, sets that a store adds aside; what the old document allows (``CSDLDocument/canChangeAnything``,
    /// ``CSDLDocument/canRemoveAnything``) is accepted.
    ///
    /// - Throws: `CSDLError` naming the first incompatible change.
    open func check() throws {
        guard !oldMetadata.canChangeAnything else { return }
        let difference = MetadataDifference(
            from: oldMetadata.declared, to: newMetadata.declared)
        var found = difference.changes(.incompatible)
        if !oldMetadata.canRemoveAnything {
            found += difference.changes(.removed).filter { !mayGo($0.path) }
        }
        guard let first = found.first else { return }
        throw CSDLError(message: "\(first.path): \(first.detail)")
    }

    /// True when the app said of the set, type or property that it may go.
    private final func mayGo(_ path: String) -> Bool {
        if let set = oldMetadata.entitySet(named: path) { return set.canBeRemoved }
        if let type = oldMetadata.structureType(named: path) { return type.canBeRemoved }
        if let type = oldMetadata.enumType(named: path) { return type.canBeRemoved }
        let method = String(path.prefix { $0 != "(" })
        if let method = oldMetadata.dataMethod(named: method) { return method.canBeRemoved }
        guard let slash = path.lastIndex(of: "/"),
            let type = oldMetadata.structureType(named: String(path[..<slash]))
        else { return false }
        return type.property(named: String(path[path.index(after: slash)...]))?.canBeRemoved
            ?? false
    }
}
