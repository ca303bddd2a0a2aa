import Dispatch
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWorld
import SAPOData
import Synchronization

extension StoreSession {
    /// Reads what changes at the service, as soon as that tells of it and at the interval, until the process is asked to end.
    /// Each read that brought something is a line of the result, and what goes on is a note.
    ///
    /// - Throws: when the command was interrupted or its time is over; SIGTERM ends it well.
    func follow(_ groups: StringList, every interval: Duration, _ console: Console) throws {
        let following = Following(provider, groups.toArray(), console)
        do {
            try stoppable { token in
                let end = DispatchSemaphore(value: 0)
                let queue = WorkQueue("odata.live", width: 1)
                let mode = LiveMode(
                    LiveWorld(), every: interval, hints: LiveHints(),
                    LiveMode.Work(
                        turn: { queue.add($0) },
                        round: { following.round($0, $1) }, links: { following.links() },
                        told: { following.tell($0) }))
                mode.start()
                token.onCancel { end.signal() }
                end.wait()
                let isOver = DispatchSemaphore(value: 0)
                mode.stop { isOver.signal() }
                isOver.wait()
            }
        } catch let error as CommandError where error.status == StopSignals.status(SIGTERM) {
            return
        }
    }
}

/// What a live download does, and what it says of it.
private final class Following: Sendable {
    private let provider: CloudSyncProvider
    private let groups: [String]
    private let console: Console
    private let last = Mutex<(state: String, failure: String)>(("", ""))

    init(_ provider: CloudSyncProvider, _ groups: [String], _ console: Console) {
        (self.provider, self.groups, self.console) = (provider, groups, console)
    }

    func round(_ only: Set<String>?, _ flag: CancellationFlag) -> LiveMode.Outcome {
        let token = CancelToken()
        let listener = flag.onCancel { token.cancel() }
        defer { flag.removeListener(listener) }
        do {
            let progress = try provider.downloadReporting(
                groups: groups, SyncOptions().cancelable(token), loadsLinks: true, only: only)
            say(progress)
            return .done
        } catch {
            if flag.isCancelled { return .done }
            last.withLock { $0.failure = CommandError(error).description }
            return .failed
        }
    }

    private func say(_ progress: DownloadProgress) {
        for result in progress.results where result.written + result.removed > 0 {
            let name = result.source.name ?? result.source.entitySet
            guard console.isJSON else {
                console.print("\(name): \(result.written) written, \(result.removed) removed")
                continue
            }
            var object = JSONObject()
            object["source"] = .string(name)
            object["written"] = .number(String(result.written))
            object["removed"] = .number(String(result.removed))
            console.print(JSONValue.object(object).text)
        }
    }

    func links() -> ChangeLinks? {
        try? provider.changeLinks(groups: groups, loadsLinks: true)
    }

    func tell(_ state: LiveMode.State) {
        let text: String
        switch state {
        case .synchronising, .stopped: return
        case .waiting(let told): text = "live: sources that the service tells of: \(told)"
        case .retrying: text = "live: tried again later: " + last.withLock { $0.failure }
        }
        let isNew = last.withLock { last in
            defer { last.state = text }
            return last.state != text
        }
        if isNew { console.note(text) }
    }
}
