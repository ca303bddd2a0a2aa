import ODataQuery

extension UploadMachine.Action {
    /// Tells what a look has shown from what was answered to the requests themselves.
    func telling(_ findings: [Int64: ResendPolicy.Finding]) -> Self {
        guard case .record(let attempt, let answers) = self else { return self }
        return .record(
            attempt,
            answers.map { answer in
                guard case .carriedOut(let shown)? = findings[answer.request],
                    answer.outcome == .answered(shown)
                else { return answer }
                var answer = answer
                answer.isLook = true
                return answer
            })
    }
}
