import Dispatch
import Foundation
import Synchronization

/// Tells that a file was written, by whichever process of this machine, until it is stopped.
package protocol FileEvents: Sendable {
    /// No more is told, but for what is on its way. May be called more than once.
    func stop()
}

extension World {
    /// A world that knows nothing of files: who asks it looks at intervals.
    package func watch(
        _ path: String, changed: @escaping @Sendable () -> Void
    ) -> (any FileEvents)? {
        nil
    }
}

#if canImport(Darwin)
    import Darwin

    /// A file's events from the kernel's queue; holds the file open.
    struct SystemFileEvents: FileEvents, @unchecked Sendable {  // sources are for every thread
        private let source: any DispatchSourceFileSystemObject

        /// - Parameter changed: called on a queue of this, once for many writes.
        init?(_ path: String, changed: @escaping @Sendable () -> Void) {
            let file = open(path, O_EVTONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: file, eventMask: [.write, .extend, .delete, .rename],
                queue: DispatchQueue(label: "odata.files"))
            source.setEventHandler(handler: changed)
            source.setCancelHandler { close(file) }
            source.resume()
        }

        func stop() { source.cancel() }
    }
#else
    /// A file's events by inotify; all files of the process share one instance, of which a user may have few.
    struct SystemFileEvents: FileEvents {
        private let number: Int

        /// - Parameter changed: called on a queue of this, once for many writes.
        /// - Returns: nil where the system gives no events for the file, as some file systems do.
        init?(_ path: String, changed: @escaping @Sendable () -> Void) {
            guard EventQueue.areGiven(for: path),
                let number = EventQueue.shared?.add(path, changed)
            else { return nil }
            self.number = number
        }

        func stop() { EventQueue.shared?.remove(number) }
    }

    /// The process's instance of inotify, read by one queue. What changes is in `state`; sources are for every thread.
    private final class EventQueue: @unchecked Sendable {
        static let shared = EventQueue()

        private struct State {
            /// Who is told, by watch: two watches of one file have one number at the system.
            var told: [Int: (watch: Int32, changed: @Sendable () -> Void)] = [:]
            var next = 0
        }

        private let handle: Int32
        private let source: any DispatchSourceRead
        private let state = Mutex(State())

        private static let flags = Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)
        private static let events = UInt32(IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF)

        private init?() {
            handle = inotify_init1(Self.flags)
            guard handle >= 0 else { return nil }
            source = DispatchSource.makeReadSource(
                fileDescriptor: handle, queue: DispatchQueue(label: "odata.files"))
            source.setEventHandler { [weak self] in self?.read() }
            source.resume()
        }

        func add(_ path: String, _ changed: @escaping @Sendable () -> Void) -> Int? {
            // In the lock: a watch that another takes out just then is this one, too.
            state.withLock { state in
                let watch = inotify_add_watch(handle, path, Self.events)
                guard watch >= 0 else { return nil }
                state.next += 1
                state.told[state.next] = (watch, changed)
                return state.next
            }
        }

        func remove(_ number: Int) {
            state.withLock { state in
                guard let watch = state.told.removeValue(forKey: number)?.watch,
                    !state.told.values.contains(where: { $0.watch == watch })
                else { return }
                inotify_rm_watch(handle, watch)
            }
        }

        private func read() {
            var seen: Set<Int32> = []
            var overflow = false
            let size = MemoryLayout<inotify_event>.size
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
                while true {
                    let count = Glibc.read(handle, buffer.baseAddress, buffer.count)
                    guard count > 0 else { return }
                    var place = 0
                    while place + size <= count {
                        let event = buffer.loadUnaligned(
                            fromByteOffset: place, as: inotify_event.self)
                        // -1 where events were lost: anybody may be meant.
                        if event.wd < 0 { overflow = true }
                        seen.insert(event.wd)
                        place += size + Int(event.len)
                    }
                }
            }
            let told = state.withLock { state in
                state.told.values.filter { overflow || seen.contains($0.watch) }.map(\.changed)
            }
            for changed in told { changed() }
        }

        /// Whether the file system tells of what is done to the file: it is opened for reading, which is an event, too.
        static func areGiven(for path: String) -> Bool {
            let handle = inotify_init1(flags)
            guard handle >= 0 else { return false }
            defer { close(handle) }
            guard inotify_add_watch(handle, path, UInt32(IN_OPEN)) >= 0 else { return false }
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            close(file)
            return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
                Glibc.read(handle, buffer.baseAddress, buffer.count) > 0
            }
        }
    }
#endif
