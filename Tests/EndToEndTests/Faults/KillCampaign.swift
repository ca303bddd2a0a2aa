import Foundation

/// What the environment says of how much is killed.
enum KillCampaign {
    /// Of each kind; nil for the few of every test run.
    static let rounds = ProcessInfo.processInfo.environment["ODATA_ROUNDS"].flatMap(Int.init)
    static let seed =
        ProcessInfo.processInfo.environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
}
