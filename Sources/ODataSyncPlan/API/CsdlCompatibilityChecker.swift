import ODataModel
import ODataQuery

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

    /// Checks compatibility; what the old document allows (``CSDLDocument/canChangeAnything``,
    /// ``CSDLDocument/canRemoveAnything``) is accepted.
    ///
    /// - Throws: `CSDLError` naming the first incompatible change.
    open func check() throws {
        guard !oldMetadata.canChangeAnything else { return }
        let difference = MetadataDifference(from: oldMetadata.graph, to: newMetadata.graph)
        var found = difference.changes(.incompatible)
        if !oldMetadata.canRemoveAnything { found += difference.changes(.removed) }
        guard let first = found.first else { return }
        throw CSDLError(message: "\(first.path): \(first.detail)")
    }
}
