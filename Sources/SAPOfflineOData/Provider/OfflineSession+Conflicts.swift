import ODataProviders
import ODataSync
import ODataSyncPlan

extension OfflineSession {
    /// Takes over what is set for the changes of single entity sets.
    func applyWriteRules(_ values: OfflineODataParameters.Values) {
        sync.engine.change { $0.rules = WriteRules() }
        for (set, policy) in values.conflictPolicies { sync.setConflictPolicy(policy, for: set) }
        for (set, property) in values.probeProperties {
            sync.setProbeProperty(property, for: set)
        }
        for set in values.comparedEntitySets { sync.setComparesBeforeWriting(true, for: set) }
        let reporter = reporter
        sync.overwriteListener = { reporter.overwritten($0) }
    }
}
