import ODataWorld

extension LocalStore {
    /// How other processes' commits are found; nil while no query is observed.
    package var looks: FileLooks? { live.looks }

    /// Lets live queries look at what other processes have committed; costs one `PRAGMA` where there is nothing.
    ///
    /// - Returns: whether there was anything, and a query that observes.
    @discardableResult
    package func noticeOtherProcesses() throws -> Bool { try live.noticeOthers(in: self) }
}
