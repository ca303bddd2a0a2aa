// What services over the provider ask of it beside the documented protocols.

extension CloudSyncProvider: OnlineBacked {}
extension CloudSyncProvider: OnlineCompanion {}
extension CloudSyncProvider: DownloadDivision {}
