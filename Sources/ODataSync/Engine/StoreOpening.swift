import ODataStore
import ODataSyncPlan
import ODataText

/// What opening a store does beside reading its file: its rules, its indexes, and what a switch of users asks for.
///
/// Metadata comes first (``MetadataRefresh/ensure()``).
package struct StoreOpening {
    let scope: SyncScope
    let flags: OpeningFlags

    package init(_ scope: SyncScope, flags: OpeningFlags = OpeningFlags()) {
        self.scope = scope
        self.flags = flags
    }

    /// Lets the store join and emulate changes as configured.
    package func configure() {
        let configuration = scope.configuration
        scope.store.join = JoinOnWrite(
            combinesUpdates: configuration.combineLocalUpdates,
            combinesDeletes: configuration.combineLocalDeletes)
        scope.store.emulation = LinkEmulation(
            binds: configuration.emulateBindOperations || !scope.service.requests.supportsBind,
            links: configuration.emulateLinkOperations,
            keepsOthers: !configuration.emulateBindOperations)
    }

    /// Makes the indexes, and then does what user switch and first download ask for.
    ///
    /// - Throws: what the store says, and what a forced upload or a download throws, `cancelled` once a flag was set; the store is open
    ///   then.
    package func finish() throws {
        let indexes = scope.engine.indexes
        for index in indexes.plain {
            try scope.store.createIndex(on: index.set, paths: index.paths)
        }
        for index in indexes.search {
            try scope.store.createSearchIndex(on: index.set, paths: index.paths)
        }
        // An app may also set its rules later; the next upload knows them all.
        if RememberedRules(scope.configuration.rules).text != nil { try scope.rememberRules() }
        // An upload may have been killed between taking refused requests up and sending them.
        if try scope.store.flag(.pendingUpload) { try scope.store.listUnsent() }
        // So may a store between deleting a query and taking its rows away.
        try scope.store.releaseSources(at: nil)
        scope.engine.isOpen = true
        try flags.check()
        try switchUser(to: scope.configuration.currentUser)
        if scope.configuration.autoInitialDownload, try !scope.store.flag(.hasInitialData) {
            try download()
        }
    }

    /// Does what another user than the last means. Nobody is a user, too: the empty name. A store that was never opened
    /// belongs to no one.
    private func switchUser(to user: String?) throws {
        let (store, configuration) = (scope.store, scope.configuration)
        // A tool that opens the store of an app is no user of it.
        if user == nil, configuration.usesRememberedRules { return }
        let last = try store.text(.user)
        let isSwitch = last != nil && last != user ?? ""
        if isSwitch {
            scope.events.warn("The store was opened for another user before.")
            guard !configuration.refusesUserSwitch || configuration.forceUploadOnUserSwitch else {
                throw ODataError(
                    .conflict, "Expected the user that the store was opened for, found another.",
                    underlying: RefusedUserSwitch())
            }
        }
        if isSwitch, configuration.forceUploadOnUserSwitch {
            let before = last.flatMap { $0.isEmpty ? nil : $0 }
            try QueueUpload(try scope.acting(as: before), cancellation: flags.upload).run()
        }
        if isSwitch, configuration.purgesClientDataOnUserSwitch {
            try store.purgeClientOnlyData()
        }
        if isSwitch, configuration.forceDownloadOnUserSwitch { try download() }
        try store.noteUser(user ?? "", after: last)
        if isSwitch {
            try store.note("userSwitch", details: last.flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    private func download() throws {
        try flags.check()
        var download = Download(scope, cancellation: flags.download)
        try download.run()
    }
}
