import ODataClasses
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import SAPCommon

extension CloudSyncEngine {
    /// Reads estimates; without a file what is known stays.
    ///
    /// - Throws: when the file must exist and does not, or holds something else.
    func loadTimeEstimates(_ file: String, mustExist: Bool) throws {
        try ErrorBase.translating {
            guard let bytes = try onlineProvider.folder.read(file) else {
                guard mustExist else { return }
                throw ODataError(
                    .notFound, "Expected a file of time estimates, found none.", at: .path(file),
                    status: 404)
            }
            estimates = try TimeEstimates(parsing: bytes)
        }
    }

    /// Writes what is known now.
    func saveTimeEstimates(_ file: String) throws {
        try ErrorBase.translating { try onlineProvider.folder.write(estimates.bytes, to: file) }
    }

    /// Where estimates are kept without being asked to.
    private var estimatesFile: String {
        configuration.timeEstimatesFile ?? "~/TimeEstimates/\(onlineProvider.serviceName).json"
    }

    /// Before the first download since the start; a file that cannot be read is no reason to read nothing else.
    func loadEstimatesOnce() {
        guard configuration.autoSaveEstimates, takesFirstEstimates() else { return }
        do {
            try loadTimeEstimates(estimatesFile, mustExist: false)
        } catch {
            logger.warn("The time estimates could not be read.", error: error)
        }
    }

    /// After each download.
    func noteEstimates(_ results: [DownloadProgress.SourceResult]) {
        var known = estimates
        for result in results { known.note(result.source.key, result.seconds) }
        estimates = known
        guard configuration.autoSaveEstimates else { return }
        do {
            try saveTimeEstimates(estimatesFile)
        } catch {
            logger.warn("The time estimates could not be written.", error: error)
        }
    }
}
