import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan

extension OnlineState {
    /// How requests look, by the options as they are now: for online calls and uploads alike.
    var requestSettings: RequestSettings {
        let service = serviceOptions.fields
        var settings = RequestSettings()
        settings.version = ODataVersion(rawValue: service.dataVersion)
        settings.checksVersion = service.checkVersion
        settings.checksQueries = service.checkQueries
        settings.checks = ResultChecks(
            isStrict: service.checkResults, addsNulls: service.fixMissingNullValues,
            addsEmptyLists: service.fixMissingEmptyLists)
        settings.asksForAtom = service.dataFormat == DataFormat.atom
        settings.requiresType = service.requiresType
        settings.createReturnsContent = service.createReturnsContent
        settings.updateReturnsContent = service.updateReturnsContent
        settings.supportsPatch = service.supportsPatch
        settings.supportsBatch = service.supportsBatch
        settings.supportsBind = service.supportsBind
        settings.supportsUnbind = service.supportsUnbind
        settings.supportsAlias = service.supportsAlias
        settings.supportsDelta = service.supportsDelta
        settings.supportsNext = service.supportsNext
        settings.batchesAsJSON = service.batchAsJSON
        settings.avoidedInPaths = service.avoidInPaths ?? ""
        settings.tunnelledMethods = Set(networkOptions.tunneledMethods.toArray())
        settings.tunnellingHeader = networkOptions.fields.tunnelingHeader
        settings.clientID = service.clientID
        settings.clientInstanceID = service.clientInstanceID
        settings.keys = service.keysAsSegments.map { $0 ? .segments : .parentheses }
        return settings
    }
}
