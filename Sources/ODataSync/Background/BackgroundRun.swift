import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataTransport
import ODataWorld

/// A download or upload beside transfers that the system carries: it goes on with what a process began that is gone, lets the
/// system carry its own requests where that is wanted, and forgets what nobody will ask for.
struct BackgroundRun: Sendable {
    private let transfer: any BackgroundTransfer
    private let names: TransferNames
    private let base: ServiceConnection
    private let world: any World
    private let mayTakeUp: Bool
    /// The system carries what this run asks for; otherwise only what it has already counts.
    let begins: Bool
    /// What reads go over.
    let connectionForReads: ServiceConnection

    /// - Parameters:
    ///   - mayTakeUp: requests may go past the app; where they may not, what the system has of sendings is ended, and the
    ///     service is looked at.
    ///   - isLeft: whether reads go on though the call ends that waits for them.
    init(
        _ transfer: any BackgroundTransfer, _ names: TransferNames, over base: ServiceConnection,
        world: any World, begins: Bool, mayTakeUp: Bool,
        isLeft: @escaping @Sendable () -> Bool
    ) {
        (self.transfer, self.names, self.base, self.world) = (transfer, names, base, world)
        self.mayTakeUp = mayTakeUp
        self.begins = begins && mayTakeUp
        let tokenHeader = base.configuration.tokenHeader
        connectionForReads =
            self.begins
            ? base.carried { message in
                BackgroundCarrier(
                    transfer, named: names.name(ofRead: message), world: world,
                    tokenHeader: tokenHeader, isLeft: isLeft)
            } : base
    }

    /// How many reads of an earlier process are there, ended or on their way.
    var readCount: Int { names.transfers(.read, among: transfer.names()).count }

    /// What the sending of an attempt goes over that is begun now, or was by an earlier process.
    func connection(for attempt: Attempt, isTakenUp: Bool) -> ServiceConnection {
        let tokenHeader = base.configuration.tokenHeader
        return base.carried { [transfer, names, world] _ in
            BackgroundCarrier(
                transfer, named: names.name(ofSending: attempt),
                for: isTakenUp ? .takingUp : .sending, world: world, tokenHeader: tokenHeader)
        }
    }

    /// The system still has the last sending of an attempt, or its answer. One that has failed is over, and forgotten.
    func isUnderWay(_ attempt: Attempt) -> Bool {
        switch transfer.state(of: names.name(ofSending: attempt)) {
        case nil: return false
        // An answer to what was taken back since is not one to what is sent next.
        case .running?, .answered?:
            if mayTakeUp, attempt.sendCount > 0 { return true }
        case .failed?: break
        }
        forget(attempt)
        return false
    }

    /// What the answer to a sending says is in the store, or the attempt is sent anew.
    func forget(_ attempt: Attempt) {
        let name = names.name(ofSending: attempt)
        if transfer.state(of: name) != nil { transfer.forget(name) }
    }

    /// A download is complete: what was begun for one before is of no use any more.
    func forgetReads() {
        for name in names.transfers(.read, among: transfer.names()) { transfer.forget(name) }
    }

    /// Forgets all sendings but those of attempts that wait for their answer.
    func forgetSendings(but attempts: [Attempt]) {
        let wanted = Set(attempts.map(names.name(ofSending:)))
        for name in names.transfers(.sending, among: transfer.names(), but: wanted) {
            transfer.forget(name)
        }
    }
}

extension SyncScope {
    /// What the reads of a download have to do with the system's transfers; nil where there are none.
    func backgroundDownload() throws -> BackgroundRun? {
        guard let run = try backgroundRun(begins: configuration.downloadInBackground) else {
            return nil
        }
        let count = run.begins ? run.readCount : 0
        if count > 0 {
            events.info("\(count) transfers of an earlier download are there or on their way.")
        }
        return run
    }

    /// What the attempts of an upload have to do with the system's transfers; nil where there are none. The switch decides
    /// about new sendings only: an earlier process may have had it on.
    func backgroundUpload() throws -> BackgroundRun? {
        try backgroundRun(begins: configuration.uploadInBackground)
    }

    private func backgroundRun(begins: Bool) throws -> BackgroundRun? {
        guard let transfer = try service.background() else { return nil }
        let names = TransferNames(
            store: try store.nameForTransfers(), identity: identity,
            accepted: try store.acceptedAnswers())
        return BackgroundRun(
            transfer, names, over: connection, world: world, begins: begins,
            mayTakeUp: !service.isSentByApp, isLeft: { [engine] in engine.leavesTransfers })
    }

    /// What a delta link belongs to beside its query.
    var identity: String {
        DeltaIdentity.text(
            user: configuration.currentUser, headers: service.headers,
            volatile: configuration.volatileHeaders)
    }
}
