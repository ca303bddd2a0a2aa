import ODataClasses
import ODataModel

/// What an observed query has to say: its first result, or what changed since the last time.
///
/// To bring a list to the new result, take out the rows of ``deleted`` and ``moved`` at their ``Row/oldPosition``, from
/// the last to the first; then put in those of ``inserted`` and ``moved`` at their ``Row/position``, from the first to
/// the last; then exchange those of ``updated``.
public struct LiveQueryUpdate: Sendable {
    /// An entity and where it stands in the result.
    public struct Row: Sendable {
        /// In the new result; for a deleted entity that of the old one.
        public let position: Int
        /// In the old result; nil where it is not needed.
        public let oldPosition: Int?
        /// The entity as it is now; a deleted one as it was.
        public let entity: EntityValue
    }

    /// True for the first result, whose entities are all in ``inserted``.
    public let isFirst: Bool
    /// Entities that are new to the result.
    public let inserted: [Row]
    /// Entities of which a value, an expanded entity or the local state changed.
    public let updated: [Row]
    /// Entities that stand elsewhere among those that stayed.
    public let moved: [Row]
    /// Entities that are no longer in the result.
    public let deleted: [Row]
}
