import Foundation
import ODataQuery
import ODataText

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tells why a connection did not come about.
enum ConnectionFailure {
    /// What an error of the session or of the HTTP library means for an exchange that had come to `phase`: a code, the
    /// step that failed, and the cause to show.
    static func reading(
        of error: any Error, in phase: NetworkFailure.Phase
    ) -> (code: ODataError.Code, phase: NetworkFailure.Phase, cause: any Error) {
        if let error = error as? URLError {
            return (code(of: error), phase, SessionFailure(error.code))
        }
        #if AsyncHTTPClient
            return libraryReading(of: error, in: phase)
        #else
            return (.network, phase, error)
        #endif
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

/// A time limit of ours that passed, as a cause.
struct TimeLimit: Error, CustomStringConvertible {
    private let limit: Duration
    private let isTotal: Bool

    /// - Parameter isTotal: the limit of the exchange as a whole, not of the silence within it.
    init(_ limit: Duration?, _ isTotal: Bool) {
        self.limit = limit ?? .zero
        self.isTotal = isTotal
    }

    var description: String {
        let seconds = limit.formatted(
            .units(allowed: [.minutes, .seconds, .milliseconds], width: .narrow))
        return isTotal ? "it took longer than \(seconds)" : "nothing came for \(seconds)"
    }
}

/// What a URL session says of a failure. Its own error names the whole URL, credentials included.
struct SessionFailure: Error, CustomStringConvertible {
    let code: URLError.Code

    init(_ code: URLError.Code) { self.code = code }

    var description: String {
        let words =
            switch code {
            case .timedOut: "the session's time limit passed"
            case .cannotFindHost, .dnsLookupFailed: "no address for the name"
            case .cannotConnectToHost: "refused or unreachable"
            case .networkConnectionLost: "the connection was lost"
            case .notConnectedToInternet: "this device has no network"
            case .secureConnectionFailed: "TLS failed"
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                "the server's certificate is not trusted"
            case .badServerResponse: "the answer is not HTTP"
            default: "URL session"
            }
        return "\(words), code \(code.rawValue)"
    }
}
