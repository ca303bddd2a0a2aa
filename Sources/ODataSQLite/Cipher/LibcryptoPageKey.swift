#if os(Linux)
    import Synchronization

    /// By libcrypto, in place and with the key scheduled once (`docs/decisions/0005`).
    struct LibcryptoPageKey: PageKey {
        private let library: Libcrypto
        private let sealing: Contexts
        private let opening: Contexts

        /// Nil when the library refuses the key.
        init?(_ key: SecretKey, library: Libcrypto) {
            guard key.byteCount == StoreKey.byteCount else { return nil }
            self.library = library
            sealing = Contexts(library, key, library.startSealing)
            opening = Contexts(library, key, library.startOpening)
            guard sealing.use({ _ in true }), opening.use({ _ in true }) else { return nil }
        }

        /// Contexts of one direction with the key in them, used by one caller at a time.
        private final class Contexts: @unchecked Sendable {
            // A context is in `idle`, which its lock guards, or with the one call that took it out.
            private let library: Libcrypto
            private let key: SecretKey
            private let start: Libcrypto.Start
            private let idle = Mutex<[Held]>([])
            private static let maximumIdle = 8

            /// Given to one caller at a time.
            private struct Held: @unchecked Sendable {
                let context: Libcrypto.Context
            }

            init(_ library: Libcrypto, _ key: SecretKey, _ start: @escaping Libcrypto.Start) {
                (self.library, self.key, self.start) = (library, key, start)
            }

            deinit {
                for held in idle.withLock({ $0 }) { library.freeContext(held.context) }
            }

            /// Runs `body` with a context of its own; false when there is none.
            func use(_ body: (Libcrypto.Context) -> Bool) -> Bool {
                guard let held = idle.withLock({ $0.popLast() }) ?? make() else { return false }
                defer { put(held) }
                return body(held.context)
            }

            private func put(_ held: Held) {
                let isKept = idle.withLock { idle in
                    guard idle.count < Self.maximumIdle else { return false }
                    idle.append(held)
                    return true
                }
                if !isKept { library.freeContext(held.context) }
            }

            private func make() -> Held? {
                guard let context = library.makeContext() else { return nil }
                let isReady = key.withUnsafeBytes {
                    start(context, library.cipher(), nil, $0.baseAddress, nil) == 1
                }
                guard isReady else {
                    library.freeContext(context)
                    return nil
                }
                return Held(context: context)
            }
        }

        func seal(
            _ plain: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
            associated: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
            tag: UnsafeMutableRawBufferPointer
        ) -> Bool {
            guard nonce.count == 12, tag.count == 16, sealed.count == plain.count else {
                return false
            }
            return sealing.use { context in
                var count: Int32 = 0
                guard library.startSealing(context, nil, nil, nil, nonce.baseAddress) == 1,
                    library.seal(
                        context, nil, &count, associated.baseAddress, Int32(associated.count)) == 1,
                    library.seal(
                        context, sealed.baseAddress, &count, plain.baseAddress, Int32(plain.count))
                        == 1, Int(count) == plain.count
                else { return false }
                return library.finishSealing(context, tag.baseAddress, &count) == 1
                    && library.control(context, Libcrypto.getTag, 16, tag.baseAddress) == 1
            }
        }

        func open(
            _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
            associated: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer,
            into plain: UnsafeMutableRawBufferPointer
        ) -> Bool {
            guard nonce.count == 12, tag.count == 16, sealed.count == plain.count else {
                return false
            }
            return opening.use { context in
                var count: Int32 = 0
                var end: (UInt64, UInt64) = (0, 0)
                guard library.startOpening(context, nil, nil, nil, nonce.baseAddress) == 1,
                    library.open(
                        context, nil, &count, associated.baseAddress, Int32(associated.count)) == 1,
                    library.open(
                        context, plain.baseAddress, &count, sealed.baseAddress, Int32(sealed.count))
                        == 1, Int(count) == sealed.count,
                    library.control(
                        context, Libcrypto.setTag, 16,
                        UnsafeMutableRawPointer(mutating: tag.baseAddress)) == 1
                else { return false }
                return library.finishOpening(context, &end, &count) == 1
            }
        }
    }
#endif
