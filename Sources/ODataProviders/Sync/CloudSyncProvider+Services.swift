// What services over the provider ask of it beside the documented protocols.
import ODataClasses

extension CloudSyncProvider: OnlineBacked {}
extension CloudSyncProvider: OnlineCompanion {}
extension CloudSyncProvider: DownloadDivision {}
