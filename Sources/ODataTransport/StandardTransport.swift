import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of whoever names none: AsyncHTTPClient with the package trait of that name, the system's `URLSession`
/// without it (docs/decisions/0012).
package enum StandardTransport {
    #if AsyncHTTPClient
        package static let shared: any HTTPTransport = AsyncHTTPTransport.shared
    #else
        package static let shared: any HTTPTransport = URLSessionTransport(
            configuration: .withoutLimits)
    #endif

    #if AsyncHTTPClient
        private static let held: any HTTPTransport = AsyncHTTPTransport(
            connectionsPerHost: heldPerHost)
    #else
        private static let held: any HTTPTransport = {
            let configuration = URLSessionConfiguration.withoutLimits
            configuration.httpMaximumConnectionsPerHost = heldPerHost
            return URLSessionTransport(configuration: configuration)
        }()
    #endif

    private static let heldPerHost = 4_096

    /// The transport for requests that a service holds, beside the shared one; nil beside another, which is the app's choice.
    static func held(besides transport: any HTTPTransport) -> (any HTTPTransport)? {
        transport as AnyObject === shared as AnyObject ? held : nil
    }

    /// The transport of an app that gives a configuration without asking for the system's session.
    package static func transport(
        for configuration: URLSessionConfiguration
    ) -> any HTTPTransport {
        #if AsyncHTTPClient
            AsyncHTTPTransport.shared
        #else
            URLSessionTransport(configuration: configuration)
        #endif
    }
}

extension URLSessionConfiguration {
    /// The limits of an exchange (``TransportOptions``) are the ones that count: a session must not have tighter ones of its
    /// own.
    package static var withoutLimits: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7 * 86_400
        configuration.httpMaximumConnectionsPerHost = 16
        return configuration
    }
}
