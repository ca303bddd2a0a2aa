import Foundation
import NIOCore
import NIOPosix
import ODataQuery
import ODataText

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    /// Which step of a URL session failed before anything of the request was handed over; nil where that is not known.
    static func provenPhase(of error: URLError) -> NetworkFailure.Phase? {
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: .name
        case .cannotConnectToHost: .connect
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            .tls
        default: nil
        }
    }

    static func code(of error: URLError) -> ODataError.Code {
        switch error.code {
        case .cancelled: .cancelled
        case .timedOut: .timeout
        default: .network
        }
    }

    /// What an error with that code says whatever failed; nil for a sentence made of what failed and where.
    static func sentence(of code: ODataError.Code) -> String? {
        switch code {
        case .cancelled: "The request was cancelled."
        case .timeout: "No answer came within the time limit."
        default: nil
        }
    }

    /// The error of a request that was cancelled before it began.
    static func cancelled(_ request: RequestMessage) -> ODataError {
        ODataError(
            .cancelled, "The request was cancelled.",
            underlying: NetworkFailure(
                phase: .connect, method: request.method, host: ServiceURL.host(of: request.url)))
    }
}
