import ODataModel
import ODataTransport

/// What proves to a service who is asking.
open class LoginCredentials: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let credentials: Credentials

    package init(_ credentials: Credentials) {
        self.credentials = credentials
        super.init()
    }

    /// A name and a password, sent with every request (RFC 7617).
    public static func basic(username: String, password: String) -> LoginCredentials {
        LoginCredentials(.basic(user: username, password: password))
    }
}
