#if os(Linux)
    import Crypto
    import Foundation
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The system's libcrypto (OpenSSL 3), looked for when the first key is made; nothing is linked.
    struct Libcrypto: Sendable {
        typealias Context = OpaquePointer
        typealias Start =
            @convention(c) (
                Context, OpaquePointer?, OpaquePointer?, UnsafeRawPointer?, UnsafeRawPointer?
            ) -> Int32
        typealias Update =
            @convention(c) (
                Context, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>, UnsafeRawPointer?,
                Int32
            ) -> Int32
        typealias Finish =
            @convention(c) (Context, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>) -> Int32

        let makeContext: @convention(c) () -> Context?
        let freeContext: @convention(c) (Context) -> Void
        let cipher: @convention(c) () -> OpaquePointer?
        let control: @convention(c) (Context, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
        let startSealing: Start
        let seal: Update
        let finishSealing: Finish
        let startOpening: Start
        let open: Update
        let finishOpening: Finish

        /// EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG.
        static let (getTag, setTag): (Int32, Int32) = (0x10, 0x11)

        /// Nil where the system has none.
        static let system = Libcrypto()

        private init?() {
            guard let library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) else { return nil }
            func symbol<Function>(_ name: String, _: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
            }
            guard
                let makeContext = symbol(
                    "EVP_CIPHER_CTX_new", (@convention(c) () -> Context?).self),
                let freeContext = symbol(
                    "EVP_CIPHER_CTX_free", (@convention(c) (Context) -> Void).self),
                let cipher = symbol(
                    "EVP_aes_256_gcm", (@convention(c) () -> OpaquePointer?).self),
                let control = symbol(
                    "EVP_CIPHER_CTX_ctrl",
                    (@convention(c) (Context, Int32, Int32, UnsafeMutableRawPointer?) -> Int32)
                        .self),
                let startSealing = symbol("EVP_EncryptInit_ex", Start.self),
                let seal = symbol("EVP_EncryptUpdate", Update.self),
                let finishSealing = symbol("EVP_EncryptFinal_ex", Finish.self),
                let startOpening = symbol("EVP_DecryptInit_ex", Start.self),
                let open = symbol("EVP_DecryptUpdate", Update.self),
                let finishOpening = symbol("EVP_DecryptFinal_ex", Finish.self)
            else { return nil }
            self.makeContext = makeContext
            self.freeContext = freeContext
            self.cipher = cipher
            self.control = control
            self.startSealing = startSealing
            self.seal = seal
            self.finishSealing = finishSealing
            self.startOpening = startOpening
            self.open = open
            self.finishOpening = finishOpening
        }
    }

    /// By libcrypto, in place and with the key scheduled once (`docs/decisions/0005`).
    struct LibcryptoPageKey: PageKey {
        private let library: Libcrypto
        private let sealing: Contexts
        private let opening: Contexts

        /// Nil where the system has no libcrypto, or it refuses the key.
        init?(_ key: SymmetricKey, library: Libcrypto? = Libcrypto.system) {
            guard let library, key.bitCount == 256 else { return nil }
            self.library = library
            sealing = Contexts(library, key, library.startSealing)
            opening = Contexts(library, key, library.startOpening)
            guard sealing.use({ _ in true }), opening.use({ _ in true }) else { return nil }
        }

        /// Contexts of one direction with the key in them, used by one caller at a time.
        private final class Contexts: @unchecked Sendable {
            // A context is in `idle`, which its lock guards, or with the one call that took it out.
            private let library: Libcrypto
            private let key: SymmetricKey
            private let start: Libcrypto.Start
            private let idle = Mutex<[Held]>([])
            private static let maximumIdle = 8

            /// Given to one caller at a time.
            private struct Held: @unchecked Sendable {
                let context: Libcrypto.Context
            }

            init(_ library: Libcrypto, _ key: SymmetricKey, _ start: @escaping Libcrypto.Start) {
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
