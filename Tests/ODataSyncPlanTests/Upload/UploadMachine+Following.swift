@testable import ODataSyncPlan

extension UploadMachine {
    /// What follows from the end of a sending, answers that are held as if they were recorded by themselves, and nothing that is
    /// for people only.
    mutating func actions(following outcome: SendingOutcome, of attempt: Int64) -> [Action] {
        let actions = step(.came(attempt, outcome)).filter {
            if case .note = $0 { false } else { true }
        }
        return actions + takeHeld().recordings.map { .record($0.attempt, $0.answers) }
    }
}
