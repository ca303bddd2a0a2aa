import ODataModel

/// Who wins when a change made here meets a change made at the service (RFC 9110, section 13.1.1: the service answers 412,
/// because its row has another entity tag by now, or the row is gone).
///
/// Without a policy nothing is decided: the request stays in the list of failed ones, with the entity tag that it was made
/// with, until the app retries, corrects or undoes it. With one, the upload that meets the conflict reads the service's
/// row, asks the policy and goes on, at most three times for one change. Each overwriting is an event of the store with
/// what was there before and after.
public enum ConflictPolicy: Sendable {
    /// Nothing is decided; the default.
    case report
    /// The change is sent again, over what the service has now. A row that is gone there is made again with all that
    /// is known of it; a deletion deletes the changed row.
    case clientWins
    /// The changes of the entity are undone, and it is as the service has it; one that is gone there goes here, too.
    case serverWins
    /// The function is asked each time, on the thread of the upload. What it throws leaves the request listed.
    case resolve(@Sendable (EntityConflict) throws -> ConflictOutcome)
}

/// A change made here, and what the service has by now.
public struct EntityConflict: Sendable {
    /// The name of the entity set.
    public let entitySetName: String
    /// True when the entity was deleted here.
    public let isDeletion: Bool
    /// The entity as it was downloaded before the change; nil where that is not known.
    public let base: EntityValue?
    /// The entity as it is here; nil for a deleted one.
    public let local: EntityValue?
    /// The entity as the service has it now; nil where it is gone.
    public let server: EntityValue?

    package init(
        entitySetName: String, isDeletion: Bool, base: EntityValue?, local: EntityValue?,
        server: EntityValue?
    ) {
        self.entitySetName = entitySetName
        self.isDeletion = isDeletion
        self.base = base
        self.local = local
        self.server = server
    }
}

/// How a conflict ends.
public enum ConflictOutcome: Sendable {
    /// As ``ConflictPolicy/clientWins``.
    case keepLocal
    /// As ``ConflictPolicy/serverWins``.
    case takeServer
    /// The entity becomes this, here and at the service: what differs from the service's is sent.
    case merged(EntityValue)
    /// The request stays in the list of failed ones.
    case leave
}

/// One side's state that a decision has put in the place of the other's.
public struct EntityOverwrite: Sendable, CustomStringConvertible {
    /// Whose state is gone.
    public enum Side: String, Sendable {
        /// The service's.
        case service
        /// What was changed here.
        case local
    }

    /// The name of the entity set.
    public let entitySetName: String
    /// The URL of the entity relative to the service root.
    public let entityURL: String
    /// `clientWins`, `serverWins` or `resolver`.
    public let policy: String
    /// Whose state is gone.
    public let side: Side
    /// The entity before; nil where there was none.
    public let before: EntityValue?
    /// The entity after; nil where there is none.
    public let after: EntityValue?
    /// The names of the properties that are different afterwards.
    public let properties: [String]
    /// One sentence without values of properties.
    public let description: String

    package init(
        entitySetName: String, entityURL: String, policy: String, side: Side, before: EntityValue?,
        after: EntityValue?, properties: [String], description: String
    ) {
        self.entitySetName = entitySetName
        self.entityURL = entityURL
        self.policy = policy
        self.side = side
        self.before = before
        self.after = after
        self.properties = properties
        self.description = description
    }
}
