import Foundation

/// How a store stands to its service, at one moment.
public struct SyncStatus: Sendable, Hashable {
    /// What is going on.
    public enum Phase: Sendable, Hashable {
        /// Nothing.
        case idle
        /// Changes are being sent.
        case uploading
        /// Data is being read.
        case downloading
    }

    /// What is going on.
    public var phase = Phase.idle
    /// How far it is, from 0 to 1; it never decreases while a phase lasts.
    public var progress = 0.0
    /// Changes that wait to be sent.
    public var pending = 0
    /// Changes that the service refused, and those that wait for them.
    public var refused = 0
    /// When a synchronisation last ended well; nil before the first.
    public var lastSync: Date?
    /// Why the last synchronisation failed; nil as soon as one ends well.
    public var lastError: ODataError?

    /// A store that has done nothing yet.
    public init() {}
}

/// What a synchronisation did.
public struct SyncReport: Sendable, Hashable {
    /// Changes that were sent.
    public var sent = 0
    /// Changes that the service accepted.
    public var accepted = 0
    /// Changes that it refused; they are in ``OfflineStore/refusals``.
    public var refused = 0
    /// Entities that came, changed ones and unchanged ones.
    public var received = 0
    /// Why sets were left out, by their name: what the service refused to give.
    public var skipped: [String: String] = [:]
    /// False when the time that was given had passed before everything was read. The next synchronisation goes on there.
    public var isComplete = true

    /// Nothing done.
    public init() {}
}
