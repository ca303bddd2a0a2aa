#if os(Linux)
    import ODataText

    enum LibcryptoSealing: Sealing {
        static func hash(_ bytes: [UInt8]) throws -> [UInt8] {
            let library = try Libcrypto.system()
            var result = [UInt8](repeating: 0, count: 32)
            var count: UInt32 = 0
            let done = library.digest(
                bytes, bytes.count, &result, &count, library.hashFunction(), nil)
            guard done == 1, count == 32 else { throw refusal("SHA-256") }
            return result
        }

        /// One step out and one step in, since what is asked for is as long as the hash.
        static func expand(_ key: SecretKey, salt: [UInt8], info: [UInt8]) throws -> SecretKey {
            let extracted = try salt.withUnsafeBytes { salt in
                try key.withUnsafeBytes { try authenticate($0, under: salt) }
            }
            return try extracted.withUnsafeBytes { extracted in
                try (info + [1]).withUnsafeBytes { try authenticate($0, under: extracted) }
            }
        }

        static func stretch(
            _ passphrase: [UInt8], salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int
        ) throws -> SecretKey {
            let library = try Libcrypto.system()
            return try SecretKey(byteCount: StoreKey.byteCount) { target in
                let done = passphrase.withUnsafeBytes { passphrase in
                    library.stretch(
                        passphrase.bindMemory(to: CChar.self).baseAddress, passphrase.count, salt,
                        salt.count, UInt64(rounds), UInt64(blockSize), UInt64(parallelism),
                        maximumBytes, target.bindMemory(to: UInt8.self).baseAddress, target.count)
                }
                guard done == 1 else { throw refusal("scrypt") }
            }
        }

        static func pageKey(_ key: SecretKey) throws -> any PageKey {
            guard let key = LibcryptoPageKey(key, library: try Libcrypto.system()) else {
                throw refusal("AES-256-GCM")
            }
            return key
        }

        /// HMAC with SHA-256.
        private static func authenticate(
            _ message: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
        ) throws -> SecretKey {
            let library = try Libcrypto.system()
            return try SecretKey(byteCount: 32) { target in
                var count: UInt32 = 0
                let result = library.authenticate(
                    library.hashFunction(), key.baseAddress, Int32(key.count),
                    message.bindMemory(to: UInt8.self).baseAddress, message.count,
                    target.bindMemory(to: UInt8.self).baseAddress, &count)
                guard result != nil, count == 32 else { throw refusal("HMAC") }
            }
        }

        private static func refusal(_ name: String) -> ODataError {
            ODataError(.storage, "Expected libcrypto to compute \(name), but it refused.")
        }

        /// More than the largest header may ask for.
        private static let maximumBytes: UInt64 = 512 << 20
    }
#endif
