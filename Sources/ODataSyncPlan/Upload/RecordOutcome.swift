/// What recording the answers of an attempt led to.
package struct RecordOutcome: Sendable, Hashable {
    package var accepted: [Int64] = []
    package var refused: [Int64] = []
    /// Requests that are not sent because one they depend on was refused, with the cause.
    package var blocked: [Int64: Int64] = [:]
    /// Requests that stay in the attempt.
    package var unanswered: [Int64] = []
    /// Requests that wait again.
    package var waiting: [Int64] = []
    /// Requests that were cancelled, and go because they had no effect.
    package var dropped: [Int64] = []
    /// Requests of which nobody can tell whether they had their effect.
    package var unknown: [Int64] = []
    /// Rows that have an ETag, of which the answer did not tell the new one, while changes of theirs wait.
    package var needsETag: [RowReference] = []

    package init() {}

    /// Counts a request to what its rule makes of it.
    package mutating func note(_ request: Int64, _ rule: AnswerRule) {
        switch rule {
        case .accept: accepted.append(request)
        case .become(.unknown), .forgotten: unknown.append(request)
        case .become: refused.append(request)
        case .wait, .waitOpen, .waitTurnedAway: waiting.append(request)
        case .drop: dropped.append(request)
        case .stay: unanswered.append(request)
        }
    }
}
