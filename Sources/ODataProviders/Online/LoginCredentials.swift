import ODataClasses
import ODataModel
import ODataTransport
import Synchronization

/// What proves to a service who is asking; it goes to the scheme, host and port of the service root only.
open class LoginCredentials: ObjectBase, @unchecked Sendable {
    // `present` is guarded by its own lock; `renewal` is constant.
    private final let present: Mutex<Credentials?>
    private final let renewal: (@Sendable () throws -> Credentials)?

    package init(_ credentials: Credentials?, renewal: (@Sendable () throws -> Credentials)? = nil)
    {
        present = Mutex(credentials)
        self.renewal = renewal
        super.init()
    }

    /// A name and a password, sent with every request (RFC 7617).
    public static func basic(username: String, password: String) -> LoginCredentials {
        LoginCredentials(.basic(user: username, password: password))
    }

    /// A token, sent with every request (RFC 6750).
    public static func bearer(token: String) -> LoginCredentials {
        LoginCredentials(.bearer(token))
    }

    /// A token that is renewed once per request when the service answers 401; with nil it is asked for at the first.
    @preconcurrency
    public static func bearer(
        token: String?, renewedBy renewal: @escaping @Sendable () throws -> String
    ) -> LoginCredentials {
        LoginCredentials(token.map { Credentials.bearer($0) }) {
            Credentials.bearer(try renewal())
        }
    }

    /// A whole value of the `Authorization` header, for schemes that the library does not know.
    @preconcurrency
    public static func custom(
        authorization: String?, renewedBy renewal: (@Sendable () throws -> String)? = nil
    ) -> LoginCredentials {
        let first = authorization.map { Credentials.custom($0) }
        guard let renewal else { return LoginCredentials(first) }
        return LoginCredentials(first) { Credentials.custom(try renewal()) }
    }

    /// What requests carry now.
    package final var credentials: Credentials? { present.withLock { $0 } }

    /// What to try after `refused` was answered with 401; nil when there is nothing else.
    package final func renewed(after refused: Credentials?) throws -> Credentials? {
        // Another call may have renewed them in the meantime.
        if let known = credentials, known != refused { return known }
        guard let fresh = try renewal?() else { return nil }
        present.withLock { $0 = fresh }
        return fresh
    }
}
