import ODataStore
import ODataSyncPlan
import Synchronization

/// What is known of one write.
final class ConfirmationRecord: Sendable {
    let broadcast = Broadcast(Confirmation.State.local)
    /// Where each of its requests stands.
    private let requests = Mutex<[Int64: Confirmation.State]>([:])

    init(_ ids: [Int64] = []) {
        requests.withLock { requests in
            for id in ids { requests[id] = .local }
        }
        // A write that changes nothing has nothing to wait for.
        if ids.isEmpty { settle(.accepted) }
    }

    /// Requests that have not come to their end.
    var open: [Int64] { requests.withLock { $0.filter { !$0.value.isFinal }.map(\.key) } }

    func set(_ request: Int64, _ state: Confirmation.State) {
        change { if $0[request]?.isFinal == false { $0[request] = state } }
    }

    /// Others say what a request said.
    func replace(_ request: Int64, by others: Set<Int64>) {
        change { requests in
            guard requests.removeValue(forKey: request) != nil else { return }
            for other in others where requests[other] == nil { requests[other] = .local }
        }
    }

    func close() {
        change { requests in
            for id in requests.keys where requests[id]?.isFinal == false {
                requests[id] = .storeClosed
            }
        }
    }

    private func change(_ change: (inout [Int64: Confirmation.State]) -> Void) {
        let state = requests.withLock { requests in
            change(&requests)
            return Self.sum(requests.values)
        }
        settle(state)
    }

    private func settle(_ state: Confirmation.State) {
        broadcast.update { if !$0.isFinal { $0 = state } }
        if broadcast.value.isFinal { broadcast.finish() }
    }

    /// Of a write in several requests: what is worst, and accepted only when all are.
    private static func sum(
        _ states: some Collection<Confirmation.State>
    ) -> Confirmation.State {
        states.max { rank($0) < rank($1) } ?? .accepted
    }

    private static func rank(_ state: Confirmation.State) -> Int {
        switch state {
        case .accepted: 0
        case .local: 1
        case .sending: 2
        case .heldBack: 3
        case .undecided: 4
        case .refused: 5
        case .settledElsewhere: 6
        case .undone: 7
        case .storeClosed: 8
        }
    }
}

/// The writes of a store that somebody may wait for.
final class ConfirmationBoard: Sendable {
    private struct State {
        var records: [ConfirmationRecord] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    func watch(_ requests: [Int64]) -> ConfirmationRecord {
        let record = ConfirmationRecord(requests)
        let isClosed = state.withLock { state in
            if !requests.isEmpty, !state.isClosed { state.records.append(record) }
            return state.isClosed
        }
        if isClosed { record.close() }
        return record
    }

    /// The write was not made.
    func forget(_ record: ConfirmationRecord) {
        state.withLock { $0.records.removeAll { $0 === record } }
    }

    /// Requests have left the queue.
    func note(_ departures: [Int64: QueueDeparture]) {
        for record in state.withLock({ $0.records }) {
            for id in record.open {
                switch departures[id] {
                case nil: continue
                case .accepted: record.set(id, .accepted)
                case .takenBack: record.set(id, .undone)
                case .joined(let others): record.replace(id, by: others)
                }
            }
        }
        drop()
    }

    /// Takes over where the requests of the queue stand.
    ///
    /// - Parameter queue: The whole queue, in the writer's turn: what is missing and was not noted has been taken out by
    ///   another process.
    func look(at queue: [QueuedRequest]) {
        let states = Dictionary(queue.map { ($0.id, Self.state($0)) }) { first, _ in first }
        for record in state.withLock({ $0.records }) {
            for id in record.open { record.set(id, states[id] ?? .settledElsewhere) }
        }
        drop()
    }

    private static func state(_ request: QueuedRequest) -> Confirmation.State {
        switch request.state {
        case .waiting: .local
        case .frozen: .sending
        case .failed: .refused(RefusalFacts(request).error)
        case .blocked: .heldBack
        case .unknown: .undecided
        }
    }

    private func drop() {
        state.withLock { $0.records.removeAll { $0.broadcast.value.isFinal } }
    }

    func close() {
        let records = state.withLock { state in
            state.isClosed = true
            defer { state.records = [] }
            return state.records
        }
        for record in records { record.close() }
    }
}
