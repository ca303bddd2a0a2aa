import ODataQuery
import ODataText
import ODataWire

/// What a person is told of the sendings of a request; nothing is decided by it.
package struct SendingRecord: Sendable, Hashable {
    /// What came of a sending.
    package struct Answer: Sendable, Hashable {
        /// The status of the answer; nil where there was none.
        package var status: Int?
        /// What the answer says, or why there was none.
        package var message: String

        package init(status: Int?, message: String) {
            self.status = status
            self.message = message
        }

        init(_ answer: ResponseMessage) {
            let message = ErrorPayload(answer).message
            self.init(
                status: answer.status,
                message: message.isEmpty ? StatusReason.text(answer.status) : message)
        }
    }

    /// How often a sending was begun, those included that reached nobody.
    package var count: Int
    /// When the last one was begun, in milliseconds since 1970.
    package var lastSent: Int64
    /// What came of the last one; nil as long as nobody has noted that.
    package var answer: Answer?

    package init(count: Int, lastSent: Int64, answer: Answer? = nil) {
        self.count = count
        self.lastSent = lastSent
        self.answer = answer
    }
}

extension SendingOutcome {
    /// What is noted of the sending for each request in it that the service has not accepted.
    package func records(of attempt: Attempt) -> [Int64: SendingRecord.Answer] {
        switch self {
        case .notSent(let error):
            of(all: attempt, .init(status: nil, message: Self.text("not sent", error)))
        case .unanswered(let error):
            of(all: attempt, .init(status: nil, message: Self.text("no answer", error)))
        case .refusedUnprocessed(let refusal):
            of(all: attempt, .init(status: refusal.status, message: refusal.error.message))
        case .doubtful(let answer, let error), .perhapsNoBatch(let answer, let error):
            of(all: attempt, .init(status: answer.status, message: error.message))
        case .tooLarge(let answer), .noBatch(let answer), .refusedWhole(let answer):
            of(all: attempt, .init(answer))
        case .answered(let answers):
            Dictionary(
                answers.compactMap { answer in
                    Self.record(answer.outcome).map { (answer.request, $0) }
                },
                uniquingKeysWith: { $1 })
        }
    }

    private func of(
        all attempt: Attempt, _ answer: SendingRecord.Answer
    ) -> [Int64: SendingRecord.Answer] {
        Dictionary(attempt.members.map { ($0.request, answer) }, uniquingKeysWith: { $1 })
    }

    private static func text(_ what: String, _ error: ODataError) -> String {
        "\(what): \(error.message)"
    }

    private static func record(_ outcome: AttemptAnswers.Outcome) -> SendingRecord.Answer? {
        switch outcome {
        case .answered(let message), .refused(let message), .refusedWithoutEffect(let message),
            .setRefused(let message), .refusedUnprocessed(let message), .passedOver(let message):
            message.isSuccess ? nil : .init(message)
        case .unanswered: .init(status: nil, message: "no answer in the answer to the batch")
        case .unwritten, .turnedAway, .notCarriedOut, .repeatable, .undecided: nil
        }
    }
}
