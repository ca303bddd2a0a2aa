import ODataSyncPlan
import ODataText

/// The file in which the time estimates of a service are kept.
package struct TimeEstimateFile {
    let engine: SyncEngine
    let folder: PrivateFolder

    package init(_ engine: SyncEngine, folder: PrivateFolder) {
        self.engine = engine
        self.folder = folder
    }

    /// Reads estimates; without a file what is known stays.
    ///
    /// - Throws: `notFound` when the file must exist and does not, `invalidPayload` when it holds something else.
    package func load(_ file: String, mustExist: Bool) throws {
        guard let bytes = try folder.read(file) else {
            guard mustExist else { return }
            throw ODataError(
                .notFound, "Expected a file of time estimates, found none.", at: .path(file),
                status: 404)
        }
        do {
            engine.estimates = try TimeEstimates(parsing: bytes)
        } catch var error as ODataError {
            error.location = error.location ?? .path(file)
            throw error
        }
    }

    /// Writes what is known now.
    package func save(_ file: String) throws { try folder.write(engine.estimates.bytes, to: file) }
}

extension SyncScope {
    private var estimateFile: TimeEstimateFile { TimeEstimateFile(engine, folder: service.folder) }

    /// Where estimates are kept without being asked to.
    private var estimatePath: String {
        configuration.timeEstimatesFile ?? "~/TimeEstimates/\(service.name).json"
    }

    /// Before the first download since the start; a file that cannot be read is no reason to read nothing else.
    func loadEstimatesOnce() {
        guard configuration.autoSaveEstimates, engine.takesFirstEstimates() else { return }
        do {
            try estimateFile.load(estimatePath, mustExist: false)
        } catch {
            events.warn("The time estimates could not be read.", error)
        }
    }

    /// After each download; a file that says the same already is not written anew.
    func noteEstimates(_ results: [DownloadProgress.SourceResult]) {
        var known = engine.estimates
        for result in results { known.note(result.source.key, result.seconds) }
        let isKnown = known == engine.estimates
        engine.estimates = known
        guard configuration.autoSaveEstimates,
            !isKnown || !service.folder.hasFile(estimatePath)
        else { return }
        do {
            try estimateFile.save(estimatePath)
        } catch {
            events.warn("The time estimates could not be written.", error)
        }
    }
}
