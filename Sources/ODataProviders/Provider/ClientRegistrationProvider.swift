import ODataClasses
import ODataModel

/// A provider that makes itself known to its service as one installation of an app.
///
/// The identity lives in a file and travels as `Client-Instance-ID` with every request, so that a service can keep
/// what it remembers about a client across restarts of the app.
public protocol ClientRegistrationProvider: AnyObject {
    /// True when a registration was made before; looks at the local file only.
    func isClientRegistered() throws -> Bool
    /// Registers with the service, or loads the registration that was made before.
    ///
    /// - Parameter client: an entity of type `ClientRegistration`; nil makes one.
    func registerClient(_ client: EntityValue?) throws
    /// Forgets the registration.
    ///
    /// - Parameter deleteFromServer: true to delete the entity of the service too.
    func unregisterClient(deleteFromServer: Bool) throws
}
