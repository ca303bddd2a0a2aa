/// The local flags of a row, stored in `_odata_state`.
package struct EntityState: OptionSet, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Created here and not yet received back by a download.
    package static let created = EntityState(rawValue: 1)
    /// Changed here and not yet received back by a download.
    package static let updated = EntityState(rawValue: 2)
    /// Deleted here: hidden from reads.
    package static let deleted = EntityState(rawValue: 4)
    /// The queue holds a change of this row that was not sent.
    package static let pending = EntityState(rawValue: 8)
    /// The last upload of a change of this row failed.
    package static let error = EntityState(rawValue: 16)
    /// A failed request of this row was a deletion.
    package static let deleteError = EntityState(rawValue: 32)
    /// Inserted or changed by the last download.
    package static let upserted = EntityState(rawValue: 64)
    /// A link of this row was changed here and not yet received back.
    package static let linked = EntityState(rawValue: 128)
    /// A related row has local changes.
    package static let localRelatives = EntityState(rawValue: 256)
    /// A related row has unsent changes.
    package static let pendingRelatives = EntityState(rawValue: 512)

    /// Nothing but the key is known: links and deltas named the entity, and no payload has brought it yet.
    package static let keyOnly = EntityState(rawValue: 1024)

    /// Nobody has seen what the service made of the last change of this row that it accepted.
    package static let unseen = EntityState(rawValue: 2048)
    /// The service has an entity tag of this row that the answer to the last accepted change left out, and nothing has told since.
    package static let untagged = EntityState(rawValue: 4096)

    /// What belongs to the state that the service has: the rest follows from the queue.
    package static let ofService: EntityState = [
        .created, .updated, .linked, .upserted, .keyOnly, .unseen, .untagged,
    ]

    /// Rows that reads of a set do not show.
    package static let hidden: EntityState = [.deleted, .keyOnly]

    /// What `sap.islocal()` asks for.
    package static let local: EntityState = [.created, .updated, .deleted, .linked]
}
