#if os(Linux)
    import ODataText

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The system's libcrypto (OpenSSL 3), looked for when the first key is made; nothing is linked (`docs/decisions/0005`).
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

        typealias Digest =
            @convention(c) (
                UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?,
                OpaquePointer?, OpaquePointer?
            ) -> Int32
        typealias Authenticate =
            @convention(c) (
                OpaquePointer?, UnsafeRawPointer?, Int32, UnsafePointer<UInt8>?, Int,
                UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?
            ) -> UnsafeMutablePointer<UInt8>?
        typealias Stretch =
            @convention(c) (
                UnsafePointer<CChar>?, Int, UnsafePointer<UInt8>?, Int, UInt64, UInt64, UInt64,
                UInt64, UnsafeMutablePointer<UInt8>?, Int
            ) -> Int32

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
        let hashFunction: @convention(c) () -> OpaquePointer?
        let digest: Digest
        let authenticate: Authenticate
        let stretch: Stretch

        /// EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG.
        static let (getTag, setTag): (Int32, Int32) = (0x10, 0x11)

        private static let loaded = Libcrypto()

        /// - Throws: `storage` where the system has none, or one that lacks a function.
        static func system() throws -> Libcrypto {
            guard let loaded else {
                throw ODataError(
                    .storage,
                    "Expected libcrypto.so.3 (OpenSSL 3) for encrypted stores, found none.")
            }
            return loaded
        }

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
                let finishOpening = symbol("EVP_DecryptFinal_ex", Finish.self),
                let hashFunction = symbol("EVP_sha256", (@convention(c) () -> OpaquePointer?).self),
                let digest = symbol("EVP_Digest", Digest.self),
                let authenticate = symbol("HMAC", Authenticate.self),
                let stretch = symbol("EVP_PBE_scrypt", Stretch.self)
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
            self.hashFunction = hashFunction
            self.digest = digest
            self.authenticate = authenticate
            self.stretch = stretch
        }
    }
#endif
