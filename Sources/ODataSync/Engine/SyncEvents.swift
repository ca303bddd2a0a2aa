import ODataModel
import ODataSyncPlan

/// Who is told what while an operation runs; never while a connection of the store or a lock is held.
package struct SyncEvents: Sendable {
    /// A line for the log.
    package struct Line: Sendable {
        /// How much it matters.
        package enum Level: Sendable { case info, warning, error }

        package var level: Level
        package var text: String
        package var error: (any Error)?
    }

    /// How far the operation is; nil where nobody wants to know.
    package var progress: (@Sendable (OperationNotice) -> Void)?
    /// A download has found other metadata, and the store has taken it over.
    package var metadataChanged: @Sendable (AdoptedMetadata) -> Void
    package var log: @Sendable (Line) -> Void
    /// A conflict policy has decided; nil where nobody wants to know.
    package var overwritten: (@Sendable (Overwrite) -> Void)?

    package init(
        progress: (@Sendable (OperationNotice) -> Void)? = nil,
        metadataChanged: @escaping @Sendable (AdoptedMetadata) -> Void,
        log: @escaping @Sendable (Line) -> Void
    ) {
        self.progress = progress
        self.metadataChanged = metadataChanged
        self.log = log
    }

    func info(_ text: String) { log(Line(level: .info, text: text)) }

    func warn(_ text: String, _ error: (any Error)? = nil) {
        log(Line(level: .warning, text: text, error: error))
    }

    func error(_ text: String, _ error: (any Error)? = nil) {
        log(Line(level: .error, text: text, error: error))
    }
}

/// Metadata that the store has taken over.
package struct AdoptedMetadata: Sendable {
    package var text: String
    package var graph: MetadataGraph
    /// The entity sets whose rows lack data of added properties.
    package var incomplete: [String]
}
