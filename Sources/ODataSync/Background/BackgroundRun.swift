import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataTransport
import ODataWorld

/// A download or upload whose requests the system carries: it goes on with what a process began that is gone, and forgets what
/// nobody will ask for.
struct BackgroundRun: Sendable {
    private let transfer: any BackgroundTransfer
    private let names: TransferNames
    private let base: ServiceConnection
    private let world: any World
    /// What reads go over.
    let connectionForReads: ServiceConnection

    init(
        _ transfer: any BackgroundTransfer, _ names: TransferNames, over base: ServiceConnection,
        world: any World
    ) {
        (self.transfer, self.names, self.base, self.world) = (transfer, names, base, world)
        connectionForReads = base.carried { message in
            BackgroundCarrier(transfer, named: names.name(ofRead: message), world: world)
        }
    }

    /// How many reads of an earlier process are there, ended or on their way.
    var readCount: Int { names.outdated(.read, among: transfer.names()).count }

    /// What an attempt goes over.
    func connection(for attempt: Attempt) -> ServiceConnection {
        base.carried { [transfer, names, world] _ in
            BackgroundCarrier(transfer, named: names.name(ofSending: attempt), world: world)
        }
    }

    /// The system still has the last sending of an attempt, or its answer.
    func isUnderWay(_ attempt: Attempt) -> Bool {
        transfer.state(of: names.name(ofSending: attempt)) != nil
    }

    /// A download is complete: what was begun for one before is of no use any more.
    func forgetReads() {
        for name in names.outdated(.read, among: transfer.names()) { transfer.forget(name) }
    }

    /// Forgets all sendings but those of attempts that wait for their answer.
    func forgetSendings(but attempts: [Attempt]) {
        let wanted = Set(attempts.map(names.name(ofSending:)))
        for name in names.outdated(.sending, among: transfer.names(), but: wanted) {
            transfer.forget(name)
        }
    }
}

extension SyncScope {
    /// What carries the reads of a download; nil where they go over the connection.
    func backgroundDownload() throws -> BackgroundRun? {
        guard configuration.downloadInBackground, let run = try backgroundRun() else { return nil }
        let count = run.readCount
        if count > 0 {
            events.info("\(count) transfers of an earlier download are there or on their way.")
        }
        return run
    }

    /// What carries the attempts of an upload; nil where they go over the connection.
    func backgroundUpload() throws -> BackgroundRun? {
        configuration.uploadInBackground ? try backgroundRun() : nil
    }

    private func backgroundRun() throws -> BackgroundRun? {
        guard let transfer = service.background else { return nil }
        let names = TransferNames(
            store: store.path, identity: identity, accepted: try store.number(.answers) ?? 0)
        return BackgroundRun(transfer, names, over: connection, world: world)
    }

    /// What a delta link belongs to beside its query.
    var identity: String {
        DeltaIdentity.text(
            user: configuration.currentUser, headers: service.headers,
            volatile: configuration.volatileHeaders)
    }
}
