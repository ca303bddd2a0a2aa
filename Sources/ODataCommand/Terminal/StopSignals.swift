import Dispatch
import Foundation
import Synchronization

/// Calls a closure when the process is asked to end (SIGINT, SIGTERM), in place of ending at once.
final class StopSignals {
    private let seen = Received()
    private let number: Int

    /// The signals that came; the first one counts.
    private final class Received: Sendable {
        let first = Mutex<Int32?>(nil)
    }

    /// What listens for the signals of the process, from the first one that wants to know on. On Linux a source gets no signal
    /// that another source of before had, so there is one for each and for good.
    private final class Board: @unchecked Sendable {  // what changes is in `listeners`
        static let shared = Board()

        let listeners = Mutex<(next: Int, all: [Int: @Sendable (Int32) -> Void])>((0, [:]))
        private var sources: [any DispatchSourceSignal] = []

        private init() {
            for number in [SIGINT, SIGTERM] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(
                    signal: number, queue: .global(qos: .userInitiated))
                source.setEventHandler { [unowned self] in
                    let all = listeners.withLock { Array($0.all.values) }
                    // Nobody has anything to bring to its end.
                    guard !all.isEmpty else { _exit(StopSignals.status(number)) }
                    for listener in all { listener(number) }
                }
                source.resume()
                sources.append(source)
            }
        }

        func add(_ listener: @escaping @Sendable (Int32) -> Void) -> Int {
            listeners.withLock { listeners in
                listeners.next += 1
                listeners.all[listeners.next] = listener
                return listeners.next
            }
        }

        func remove(_ number: Int) {
            listeners.withLock { _ = $0.all.removeValue(forKey: number) }
        }
    }

    /// - Parameter stop: called for the first signal; the second ends the process.
    init(_ stop: @escaping @Sendable () -> Void) {
        number = Board.shared.add { [seen] number in
            let isFirst = seen.first.withLock { first in
                defer { first = first ?? number }
                return first == nil
            }
            guard isFirst else { _exit(Self.status(number)) }
            stop()
        }
    }

    /// The status of a command that was asked to end (128 and the number of the signal); nil when it was not.
    var status: Int32? { seen.first.withLock { $0 }.map(Self.status) }

    /// The status of a command that a signal ended.
    static func status(_ number: Int32) -> Int32 { 128 + number }

    /// Lets the signals end the process again.
    func cancel() { Board.shared.remove(number) }
}
