import ChildFixture
import Foundation
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataTransport
import Synchronization

/// A service, one store or two, and a client process that is killed and whose stores are then looked at.
final class KillHarness {
    /// How a client process ended.
    enum End: Equatable { case killed, finished }

    /// What can be planted to see whether it is found.
    enum Defect: String, CaseIterable {
        /// See ``DefectTransport``.
        case dropsIdentities, renewsIdentities
        /// The client notes a write as acknowledged before it makes it.
        case acknowledgesEarly
        /// The same at the second of two stores.
        case secondAcknowledgesEarly
        /// What was not yet in the file itself is gone, as after a commit that did not wait for the disk.
        case losesLog
        /// The client stores what is changed together in two transactions, which another process sees.
        case dividesPairs
    }

    /// A client that the service is to kill.
    private final class Victim: Sendable {
        private let process = Mutex<pid_t>(0)
        private let left: Mutex<Int>

        init(after requests: Int) { left = Mutex(requests) }

        var identifier: pid_t {
            get { process.withLock { $0 } }
            set { process.withLock { $0 = newValue } }
        }

        /// True for the request at which it dies.
        func isLast() -> Bool {
            left.withLock { left in
                left -= 1
                return left == 0
            }
        }
    }

    private let place: KillPlace
    private let defect: Defect?
    private let stores: [KilledStore]
    private var reader: StoreReader?
    private let isRead: Bool

    var acknowledged: Int { place.acknowledged }
    /// What another process has read and been told, in words; empty without one.
    private(set) var reading = ""

    /// - Parameters:
    ///   - keys: of each store that the client has, nil for one in clear.
    ///   - isRead: another process reads the first store all the while.
    init(_ defect: Defect? = nil, keys: [String?] = [nil], isRead: Bool = false) throws {
        self.defect = defect
        self.isRead = isRead
        let place = try KillPlace()
        self.place = place
        stores = keys.enumerated().map { place.store("store\($0).db", key: $1) }
    }

    func close() throws {
        let reading = Result {
            try checkReader()
            try reader?.end()
        }
        try place.close()
        try reading.get()
    }

    // MARK: The client's life

    /// Runs a client until it is killed or done; looks at what it left, repairs and compares.
    func run(_ round: KillRound) throws -> End {
        if round.isFresh, reader == nil { for store in stores { store.remove() } }
        let notesFile = try place.emptyFile("notes")
        let second = try place.emptyFile("notes.second")
        let end = try runClient(round, notesFile)
        if defect == .losesLog {
            try? FileManager.default.removeItem(atPath: stores[0].path + "-wal")
        }
        let notes = try [notesFile, second].map { try WriteNotes($0) }
        var losses: [String] = []
        let checks: [() throws -> Void] = [
            { for (store, notes) in zip(self.stores, notes) { try store.check(notes) } },
            {
                for store in self.stores { try store.drain() }
                // What one has sent last comes to the others.
                for store in self.stores.dropLast() { try store.drain() }
            },
            { try self.place.check(notes[0].followed(by: notes[1]), self.stores) },
            checkReader,
        ]
        for check in checks {
            do {
                try check()
            } catch let loss as KillLoss {
                losses.append(loss.description)
            }
        }
        guard losses.isEmpty else { throw KillLoss(losses.joined(separator: "; ")) }
        if isRead, reader == nil { reader = try StoreReader(stores[0]) }
        return end
    }

    private func checkReader() throws {
        if let reader { reading = try reader.check() }
    }

    private func runClient(_ round: KillRound, _ notes: URL) throws -> End {
        let errors = try place.emptyFile("errors")
        let victim = Victim(after: round.trap.passages)
        if let lost = round.lost { killBetween(lost, victim) }
        let second = stores.dropFirst().first
        let client = try ChildProcess(
            Child.killChild,
            [stores[0].path, stores[0].url, notes.path, String(round.number)] + round.trap.words,
            environment: [
                "ODATA_PLANTED_DEFECT": defect?.rawValue ?? "",
                "ODATA_STORE_KEY": stores[0].key ?? "",
                "ODATA_SECOND_STORE": second?.path ?? "", "ODATA_SECOND_KEY": second?.key ?? "",
            ], errors: .file(errors))
        victim.identifier = client.identifier
        let end = try client.wait(atMost: .seconds(120))
        place.service.observer.setFaults(nil)
        switch end {
        case .signal(SIGKILL): return .killed
        case .exit(0): return .finished
        default:
            let text = try String(contentsOf: errors, encoding: .utf8)
            throw KillLoss("the client failed with \(end): \(text)")
        }
    }

    /// The service kills its client when the n-th upload request has arrived, before it answers.
    private func killBetween(_ lost: KillRound.Lost, _ victim: Victim) {
        place.service.observer.setFaults { request, _ in
            guard request.method == "POST", Self.isUpload(request), victim.isLast() else {
                return nil
            }
            // Nothing asks before the client has started, whose number is noted right after that.
            var waits = 0
            while victim.identifier == 0, waits < 100_000 {
                usleep(100)
                waits += 1
            }
            guard victim.identifier != 0 else { return nil }
            kill(victim.identifier, SIGKILL)
            return lost == .answer ? .loseAnswer : .loseRequest
        }
    }

    private static func isUpload(_ request: RequestMessage) -> Bool {
        let name = "Repeatability-Request-ID"
        return request.headers[name] != nil
            || String(decoding: request.body, as: UTF8.self).contains(name)
    }
}
