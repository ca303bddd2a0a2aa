import Foundation
import ODataQuery
import SAPOData

/// A service root as the command line gives it.
struct ServiceRoot {
    /// Ends in a slash; without credentials.
    let url: String
    /// What stood in front of the host.
    let credentials: URLCredentials?

    /// - Throws: bad input unless `text` is an absolute HTTP URL without query.
    init(_ text: String) throws {
        let (text, credentials) = URLCredentials.separated(from: text)
        self.credentials = credentials
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https"
        else {
            throw CommandError.badInput(
                "Expected the URL of a service such as https://host/path/, found '\(text)'.")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw CommandError.badInput("Expected a service root without ? and #, found '\(text)'.")
        }
        url = text.hasSuffix("/") ? text : text + "/"
    }

    /// True when the text looks like a URL and not like a file.
    static func isURL(_ text: String) -> Bool { text.contains("://") }

    /// The last part of the path, or the host: a name for messages and files.
    var name: String {
        let parts = URLComponents(string: url)
        let path = parts?.path.split(separator: "/").last.map(String.init)
        let name = (path ?? parts?.host ?? "service").filter { $0.isLetter || $0.isNumber }
        return name.isEmpty ? "service" : name
    }
}

extension OnlineODataProvider {
    /// Logs in with the credentials of a root, where it has some.
    func logIn(_ credentials: URLCredentials?) {
        guard let credentials else { return }
        login = .basic(username: credentials.user, password: credentials.password)
    }
}
