import ODataClasses
import ODataQuery
import ODataSync
import ODataWorld
import SAPCommon

/// How the calls of the provider are carried out: each with the settings as they are when it begins.
extension OnlineODataProvider {
    /// Runs one operation with the settings as they are now.
    final func call<Result>(
        _ headers: HTTPHeaders, _ options: RequestOptions, needsMetadata: Bool = true,
        _ body: (OnlineOperation) throws -> Result
    ) throws -> Result {
        for setting in SettingWithoutEffect.found(in: options) { setting.log(to: logger) }
        let own = options.forCall()
        defer { options.keepIdentity(of: own) }
        return try ErrorBase.translating {
            if needsMetadata { try loadMetadata(headers: headers, options: own) }
            let cancellation = CancellationFlag()
            let token = options.cancelToken
            let listener = token?.onCancel { cancellation.cancel() }
            defer { listener.map { token?.removeListener($0) } }
            let operation = OnlineOperation(
                call: serviceCall(headers, cancellation), model: metadata.model, options: own)
            do {
                return try body(operation)
            } catch {
                if serviceOptions.fields.logErrors {
                    logger.debug("A call of \(serviceName) failed", error: error)
                }
                throw error
            }
        }
    }

    /// Makes a change, in a batch of its own where that is asked for and the service takes batches.
    final func change(
        _ headers: HTTPHeaders, _ options: RequestOptions, _ batched: (ChangeSet) -> Void,
        _ single: (OnlineOperation) throws -> Void
    ) throws {
        let isBatched = options.useBatch || serviceOptions.fields.batchEntityOperations
        try call(headers, options) { call in
            guard isBatched else {
                return try single(call)
            }
            let changes = ChangeSet()
            batched(changes)
            try call.process(changes, {}) { try single(call) }
        }
    }

    /// Whether a query goes in a batch of its own.
    final func isBatched(_ query: DataQuery, _ options: RequestOptions) -> Bool {
        let service = serviceOptions.fields
        return options.useBatch
            || (query.methodCall != nil ? service.batchExecuteMethods : service.batchExecuteQueries)
    }
}
