import ODataClasses

/// The calls of a service over an online provider with a handler, which is called on `completionQueue`.
extension OnlineDataService {
    /// Asks the service for a fresh security token. The handler is called on `completionQueue`.
    @preconcurrency
    public func acquireToken(
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(queues.actions, { [self] in try acquireToken() }, completionHandler)
    }

    /// True when the client was registered before; looks at the local file only. The handler is called on `completionQueue`.
    @preconcurrency
    public func isClientRegistered(
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try isClientRegistered() }, completionHandler)
    }

    /// Registers the client, or loads the registration that was made before. The handler is called on `completionQueue`.
    @preconcurrency
    public func registerClient(
        _ client: EntityValue? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(queues.actions, { [self] in try registerClient(client) }, completionHandler)
    }

    /// Forgets the registration, and deletes it from the service where asked to. The handler is called on `completionQueue`.
    @preconcurrency
    public func unregisterClient(
        deleteFromServer: Bool = true,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions, { [self] in try unregisterClient(deleteFromServer: deleteFromServer) },
            completionHandler)
    }
}
