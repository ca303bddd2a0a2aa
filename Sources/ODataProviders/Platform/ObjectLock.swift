import ODataClasses

#if !canImport(ObjectiveC)
    import Foundation
    import Synchronization

    /// Locks an object for the calling thread, as the Objective-C runtime does on Apple platforms.
    ///
    /// Generated code guards its lazily made statics so. Calls may nest; each needs its
    /// ``objc_sync_exit(_:)``. Always returns 0.
    @discardableResult
    public func objc_sync_enter(_ object: Any) -> Int32 {
        ObjectLocks.shared.enter(ObjectLocks.identity(of: object))
        return 0
    }

    /// Takes one ``objc_sync_enter(_:)`` of the calling thread back; returns 0, or another number when
    /// there was none.
    @discardableResult
    public func objc_sync_exit(_ object: Any) -> Int32 {
        ObjectLocks.shared.exit(ObjectLocks.identity(of: object)) ? 0 : -1
    }

    /// One recursive lock for each object that is locked at present.
    private final class ObjectLocks: Sendable {
        static let shared = ObjectLocks()

        private struct Entry {
            var lock: NSRecursiveLock
            /// Who holds the lock or waits for it, each as often as it asked.
            var holds: Int
        }

        private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

        /// A value type has no identity; its type stands for it, so that all values of it share one lock.
        static func identity(of object: Any) -> ObjectIdentifier {
            if let type = object as? any AnyObject.Type { return ObjectIdentifier(type) }
            if type(of: object) is AnyClass { return ObjectIdentifier(object as AnyObject) }
            return ObjectIdentifier(type(of: object))
        }

        func enter(_ id: ObjectIdentifier) {
            let lock = entries.withLock { entries -> NSRecursiveLock in
                var entry = entries[id] ?? Entry(lock: NSRecursiveLock(), holds: 0)
                entry.holds += 1
                entries[id] = entry
                return entry.lock
            }
            lock.lock()
        }

        func exit(_ id: ObjectIdentifier) -> Bool {
            let lock = entries.withLock { entries -> NSRecursiveLock? in
                guard var entry = entries[id] else { return nil }
                entry.holds -= 1
                entries[id] = entry.holds == 0 ? nil : entry
                return entry.lock
            }
            lock?.unlock()
            return lock != nil
        }
    }
#endif
