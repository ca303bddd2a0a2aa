import Foundation
import ODataQuery
import ODataText

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// The request for a URL session.
    ///
    /// - Parameter hasContent: its body is read from elsewhere.
    /// - Throws: `invalidQuery` for a URL that is not absolute, or of another scheme.
    init(_ message: RequestMessage, hasContent: Bool) throws {
        guard let url = URL(string: message.url), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host != nil
        else {
            throw ODataError(
                .invalidQuery, "Expected an absolute http or https URL.",
                at: .resource(of: message.url))
        }
        self.init(url: url)
        httpMethod = message.method
        for field in message.headers.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !hasContent, !message.body.isEmpty { httpBody = Data(message.body) }
    }
}
