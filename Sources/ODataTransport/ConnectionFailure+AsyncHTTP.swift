#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOPosix
    import ODataQuery
    import ODataText

    extension ConnectionFailure {
        /// What an error of AsyncHTTPClient or of SwiftNIO means.
        static func libraryReading(
            of error: any Error, in phase: NetworkFailure.Phase
        ) -> (code: ODataError.Code, phase: NetworkFailure.Phase, cause: any Error) {
            let phase = phase == .connect ? self.phase(of: error) : phase
            switch error as? HTTPClientError {
            case .cancelled?: return (.cancelled, phase, error)
            case .readTimeout?, .deadlineExceeded?, .connectTimeout?, .tlsHandshakeTimeout?:
                return (.timeout, phase, error)
            default: return (.network, phase, error)
            }
        }

        /// Which step failed before anything of the request was handed over.
        private static func phase(of error: any Error) -> NetworkFailure.Phase {
            if let error = error as? NIOConnectionError {
                let isUnnamed = error.dnsAError != nil || error.dnsAAAAError != nil
                return isUnnamed && error.connectionErrors.isEmpty ? .name : .connect
            }
            let type = String(describing: Swift.type(of: error))
            if type.contains("SSL") || type.contains("TLS") { return .tls }
            return String(describing: error).contains("tlsHandshake") ? .tls : .connect
        }
    }
#endif
