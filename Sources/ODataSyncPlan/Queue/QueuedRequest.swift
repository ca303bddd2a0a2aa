import ODataModel
import ODataQuery

/// One recorded change that the service has not answered with success yet (docs/design.md, decisions 7, 8 and 15).
package struct QueuedRequest: Sendable, Hashable, Identifiable {
    package enum Operation: Sendable, Hashable {
        case create
        case update(UpdateMode)
        case delete
        case createLink
        case updateLink
        case deleteLink
        /// New content of the media stream, or of the stream property that the navigation names.
        case putStream
        case deleteStream

        package var isUpdate: Bool {
            if case .update = self { true } else { false }
        }

        package var isLink: Bool {
            switch self {
            case .createLink, .updateLink, .deleteLink: true
            case .create, .update, .delete, .putStream, .deleteStream: false
            }
        }

        package var isStream: Bool { self == .putStream || self == .deleteStream }
    }

    package enum UpdateMode: String, Sendable, Hashable {
        /// Properties that are not named keep their values (PATCH).
        case merge
        /// Properties that are not named get their defaults (PUT).
        case replace
    }

    /// The navigation property through which a row is created, or whose link is changed.
    package struct Navigation: Sendable, Hashable {
        package var property: String
        /// The parent of a create, the other end of a link; nil for a deleted to-one link.
        package var row: RowReference?
        /// The created row cannot exist without its parent.
        package var isContained: Bool

        package init(property: String, row: RowReference?, isContained: Bool = false) {
            self.property = property
            self.row = row
            self.isContained = isContained
        }
    }

    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Never combined with another request.
        package static let unmodifiable = Flags(rawValue: 1)
        /// The row goes once the create is accepted.
        package static let removeAfterUpload = Flags(rawValue: 2)
        /// Sends `Prefer: return=minimal` or the like as the app asked; kept for the writer.
        package static let minimalAnswer = Flags(rawValue: 4)
        /// The failed request was changed by the app and may be sent again.
        package static let fixed = Flags(rawValue: 8)
        /// A create whose body is the content of a media entity.
        package static let media = Flags(rawValue: 16)
        /// A sending of it has no answer: only an answer, a look at the service or the app settles it, and no later
        /// refusal does.
        package static let open = Flags(rawValue: 32)
        /// An upload was redirected or not let in with it, and with others was not: the next one lists it for that.
        package static let turnedAway = Flags(rawValue: 64)
        /// The app has said that it goes over the row that the service has by now, which the store does not know.
        package static let goesOver = Flags(rawValue: 128)
        /// Without an entity tag, and a download has brought another row than it was made for (``RebasedChanges``).
        package static let rebased = Flags(rawValue: 256)
        /// The app has cancelled it while it had no answer (``Cancellation``).
        package static let cancelled = Flags(rawValue: 512)
    }

    /// Rises with each request, is unique in the store and never reused.
    package var id: Int64
    package var identity: RepeatabilityIdentity
    package var operation: Operation
    package var target: RowReference
    /// See ``Navigation``; nil for requests on the row itself.
    package var navigation: Navigation?
    /// Nil for deletes and links.
    package var body: RequestBody?
    package var effects: [RequestEffect]
    /// Rows that the target referred to by foreign key when the request was recorded.
    package var principals: [RowReference]
    /// The ETag seen when the request was made.
    package var ifMatch: String?
    package var headers: HeaderFields
    package var changeSet: String?
    package var customTag: String?
    package var uploadGroup: String?
    package var transactionID: String?
    package var flags: Flags
    /// The place in the queue; equal places are ordered by ``id``.
    package var position: Int64
    package var state: RequestState
    /// How it was listed before an upload took it up again: it is listed so once more when it could not be sent.
    package var takenUp: RequestState?
    /// Who the store was open for when it was recorded; nil for nobody, and in one of a store from before that was noted.
    package var user: String?
    /// Milliseconds since 1970 of the recording.
    package var createdAt: Int64
    /// Why it no longer fits the metadata; nil while it does. What does not fit is missing from the body, and stays stored as
    /// it is: the request can be looked at, corrected and taken back, but not sent.
    package var misfit: String?
    /// The body as it is stored, of one that no longer fits.
    package var storedBody: String?

    package init(
        id: Int64, identity: RepeatabilityIdentity, operation: Operation, target: RowReference,
        navigation: Navigation? = nil, body: RequestBody? = nil, effects: [RequestEffect] = [],
        principals: [RowReference] = [], ifMatch: String? = nil,
        headers: HeaderFields = HeaderFields(), changeSet: String? = nil, customTag: String? = nil,
        uploadGroup: String? = nil, transactionID: String? = nil, flags: Flags = [],
        position: Int64? = nil, state: RequestState = .waiting, createdAt: Int64 = 0
    ) {
        self.id = id
        self.identity = identity
        self.operation = operation
        self.target = target
        self.navigation = navigation
        self.body = body
        self.effects = effects
        self.principals = principals
        self.ifMatch = ifMatch
        self.headers = headers
        self.changeSet = changeSet
        self.customTag = customTag
        self.uploadGroup = uploadGroup
        self.transactionID = transactionID
        self.flags = flags
        self.position = position ?? id
        self.state = state
        self.createdAt = createdAt
    }
}

extension QueuedRequest {
    /// True when the body is the content of a stream.
    package var bringsStream: Bool {
        operation == .putStream || (operation == .create && flags.contains(.media))
    }

    /// The rows that this request itself creates, changes or deletes.
    package var touchedRows: [RowReference] { [target] + (body?.inlineRows ?? []) }

    /// The rows that exist because of this request.
    package var createdRows: [RowReference] {
        operation == .create ? touchedRows : body?.inlineRows ?? []
    }

    /// The rows that go when this request is carried out.
    package var deletedRows: [RowReference] {
        guard operation == .delete else { return [] }
        return [target]
            + effects.compactMap { if case .hide(let victim) = $0 { victim } else { nil } }
    }

    /// Every row whose local state this request changes.
    package var writtenRows: Set<RowReference> {
        guard !effects.isEmpty else { return operation.isLink ? [] : Set(touchedRows) }
        var rows = Set(effects.flatMap(\.writtenRows))
        if !operation.isLink { rows.formUnion(touchedRows) }
        return rows
    }

    /// The tables of which a page that was asked for before the service carried this out may be out of date.
    package var changedTables: Set<String> {
        var tables = Set(writtenRows.map(\.table))
        tables.insert(target.table)
        if operation.isLink, let other = navigation?.row { tables.insert(other.table) }
        return tables
    }

    /// The rows whose existence or key this request relies on beside its own.
    package var referencedRows: Set<RowReference> {
        var rows = Set(body?.boundRows ?? [])
        rows.formUnion(principals)
        rows.formUnion(effects.compactMap(\.principal))
        if let row = navigation?.row { rows.insert(row) }
        rows.subtract(touchedRows)
        return rows
    }

    /// True when a resend would have to be identical, so that nothing may be changed any more.
    package var isSealed: Bool { state.isFrozen || state.isUnknown }

    /// True when the request was sent before, answered or not.
    package var wasSent: Bool { identity.firstSent != nil }

    /// Queue order: by place, then by id.
    package static func comesBefore(_ left: QueuedRequest, _ right: QueuedRequest) -> Bool {
        (left.position, left.id) < (right.position, right.id)
    }
}
