import ODataClasses
import ODataProviders
import ODataStore
import ODataSync
import ODataSyncPlan

extension OfflineSession {
    /// Takes over what the parameters say for the store and its uploads.
    ///
    /// Only what is new there: what the app has set at the provider's `syncProvider` stays, and so do its rules.
    func applyStoreSettings() {
        let values = parameters.values
        let known = note(values, forStore: true)
        func take<Value: Equatable>(
            _ path: KeyPath<OfflineODataParameters.Values, Value>, _ set: (Value) -> Void
        ) {
            let value = values[keyPath: path]
            if known.map({ $0[keyPath: path] }) != value { set(value) }
        }
        // The key is the parameters' alone; a store in clear where one was asked for must not be.
        sync.encryptionKey = values.storeEncryptionKey
        if let kibibytes = DatabaseCache.kibibytes(in: values.databaseSettings) {
            sync.offlineStore.storeConfiguration.cacheKibibytes = kibibytes
        }
        take(\.autoRegisterClient) { sync.autoRegisterClient = $0 }
        take(\.enableRepeatableRequests) { sync.sendRepeatableRequests = $0 }
        take(\.forceUploadOnUserSwitch) { sync.forceUploadOnUserSwitch = $0 }
        take(\.refuseOpenOnUserSwitch) { sync.refuseOpenOnUserSwitch = $0 }
        take(\.currentUser) { sync.currentUser = $0 }
        take(\.effectiveClientMetadataFile) { sync.clientMetadataFile = $0 }
        sync.engine.change { configuration in
            take(\.purgesOnUserSwitch) {
                configuration.purgesClientDataOnUserSwitch = $0
            }
            take(\.forcePurgeClientOnlyDataOnMetadataChange) {
                configuration.purgesClientDataOnMetadataChange = $0
            }
            take(\.enableRequestQueueOptimization) {
                configuration.queuePasses.mergesRequests = $0
            }
            take(\.enableTransactionBuilder) {
                configuration.queuePasses.buildsTransactions = $0
            }
            take(\.enableUndoLocalCreation) { configuration.queuePasses.undoesCreations = $0 }
        }
        applyTransferSettings()
    }

    /// Takes over what may change between two synchronisations.
    func applyTransferSettings() {
        let values = parameters.values
        let known = note(values, forStore: false)
        // Headers that the app has set at its service stay beside those of the parameters.
        let headers = sync.onlineProvider.httpHeaders
        for name in (known?.customHeaders ?? [:]).keys where values.customHeaders[name] == nil {
            headers.deleteHeader(name)
        }
        for (name, value) in values.customHeaders.sorted(by: { $0.key < $1.key }) {
            headers.setHeader(withName: name, value: value)
        }
        if known?.volatileHeaders != values.volatileHeaders {
            sync.volatileHeaders = values.volatileHeaders
        }
        counter.configure(cookies: values.customCookies, idleSeconds: values.idleSeconds)
        applyWriteRules(values, known)
        counter.reset()
    }

    /// Takes over what is set for the changes of single entity sets.
    private func applyWriteRules(
        _ values: OfflineODataParameters.Values, _ known: OfflineODataParameters.Values?
    ) {
        // What stays is never away, not for a moment: an upload that begins meanwhile takes what it finds.
        sync.engine.change { configuration in
            for set in (known?.conflictPolicies ?? [:]).keys
            where values.conflictPolicies[set] == nil {
                configuration.rules.conflicts[set] = nil
            }
            for set in (known?.probeProperties ?? [:]).keys
            where values.probeProperties[set] == nil {
                configuration.rules.probes[set] = nil
            }
            configuration.rules.compared.subtract(
                (known?.comparedEntitySets ?? []).subtracting(values.comparedEntitySets))
        }
        for (set, policy) in values.conflictPolicies { sync.setConflictPolicy(policy, for: set) }
        for (set, property) in values.probeProperties {
            sync.setProbeProperty(property, for: set)
        }
        for set in values.comparedEntitySets { sync.setComparesBeforeWriting(true, for: set) }
    }
}

extension OfflineODataParameters.Values {
    /// Without forced upload users do not count.
    var purgesOnUserSwitch: Bool {
        forceUploadOnUserSwitch && forcePurgeClientOnlyDataOnUserSwitch
    }

    /// The path of the client-only metadata in use.
    var effectiveClientMetadataFile: String? {
        enableClientOnlyMetadata ? clientMetadataFile?.path : nil
    }
}
