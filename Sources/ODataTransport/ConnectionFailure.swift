import NIOCore
import NIOPosix
import ODataQuery
import ODataText

/// Tells why a connection did not come about.
enum ConnectionFailure {
    /// Which step failed before anything of the request was handed over.
    static func phase(of error: any Error) -> NetworkFailure.Phase {
        if let error = error as? NIOConnectionError {
            let isUnnamed = error.dnsAError != nil || error.dnsAAAAError != nil
            return isUnnamed && error.connectionErrors.isEmpty ? .name : .connect
        }
        let type = String(describing: Swift.type(of: error))
        if type.contains("SSL") || type.contains("TLS") { return .tls }
        return String(describing: error).contains("tlsHandshake") ? .tls : .connect
    }

    /// The error of a request that was cancelled before it began.
    static func cancelled(_ request: RequestMessage) -> ODataError {
        ODataError(
            .cancelled, "The request was cancelled.",
            underlying: NetworkFailure(
                phase: .connect, method: request.method, host: ServiceURL.host(of: request.url)))
    }
}
