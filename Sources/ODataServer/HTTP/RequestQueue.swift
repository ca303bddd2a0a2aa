import Synchronization

/// Counts the requests that wait for a thread, and refuses those beyond what may wait.
final class RequestQueue: Sendable {
    /// Where one request waits.
    final class Place: Sendable {
        private let queue: RequestQueue
        private let isTaken = Mutex(true)

        fileprivate init(_ queue: RequestQueue) {
            self.queue = queue
        }

        /// Gives the place to another request; does nothing the second time.
        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { queue.waiting.withLock { $0 -= 1 } }
        }
    }

    private let limit: Int
    private let waiting = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// A place to wait at; nil where all are taken.
    func enter() -> Place? {
        let isFree = waiting.withLock { waiting in
            guard waiting < limit else { return false }
            waiting += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
