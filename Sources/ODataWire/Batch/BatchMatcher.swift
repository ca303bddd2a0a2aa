import ODataQuery
import ODataText

/// What became of one part of a batch request.
package enum BatchOutcome: Sendable, Hashable {
    /// The answer to a single request.
    case answered(ResponseMessage)
    /// The answers to the members of a change set, in request order; nil where none came whole.
    case changeSet([ResponseMessage?])
    /// One error stands for the whole change set: none of its members took effect.
    case changeSetFailed(ResponseMessage)
    /// No answer came; whether the service acted on it is not known.
    case unanswered
    /// An answer came whose length is not the one that it states: nothing of it is believed.
    case mangled
}

/// Puts the answers of a batch beside its requests.
package enum BatchMatcher {
    /// One outcome per request part: by order, members of change sets by Content-ID (Protocol 4.01, 11.7.7.6).
    ///
    /// A missing answer is an outcome of its own, never a failure: processing may have stopped before, or the
    /// connection may have been cut.
    ///
    /// - Throws: `invalidPayload` when answers cannot belong to the requests; then nothing of them may be used.
    package static func match(
        _ requests: [BatchPart], _ answers: [BatchResponsePart]
    ) throws -> [BatchOutcome] {
        guard answers.count <= requests.count else {
            throw ODataError(
                .invalidPayload,
                "Expected at most \(requests.count) parts in a batch response, "
                    + "found \(answers.count).")
        }
        return try requests.enumerated().map { index, request in
            guard index < answers.count else { return .unanswered }
            return try match(request, answers[index], at: index)
        }
    }

    private static func match(
        _ request: BatchPart, _ answer: BatchResponsePart, at index: Int
    ) throws -> BatchOutcome {
        switch (request, answer) {
        case (.request(let request), .response(let response)):
            return try outcome(response, answering: request, at: index)
        case (.request(let request), .changeSet(let responses)):
            guard responses.count <= 1 else { throw misplaced(index) }
            guard let response = responses.first else { return .unanswered }
            return try outcome(response, answering: request, at: index)
        case (.changeSet, .response(let response)) where !response.isWhole: return .mangled
        case (.changeSet(let members), .response(let response)):
            if response.message.status >= 400 { return .changeSetFailed(response.message) }
            guard members.count == 1 else { throw misplaced(index) }
            return try .changeSet([message(response, answering: members[0], at: index)])
        case (.changeSet(let members), .changeSet(let responses)):
            return try .changeSet(match(members, responses, at: index))
        }
    }

    private static func match(
        _ members: [BatchRequest], _ responses: [BatchResponse], at index: Int
    ) throws -> [ResponseMessage?] {
        guard responses.count <= members.count else { throw misplaced(index) }
        let identified = responses.allSatisfy { $0.contentID != nil }
        guard identified, members.allSatisfy({ $0.contentID != nil }) else {
            return members.indices.map { position in
                position < responses.count ? responses[position].whole : nil
            }
        }
        var answers: [ResponseMessage?] = Array(repeating: nil, count: members.count)
        var taken: Set<Int> = []
        for response in responses {
            guard
                let position = members.firstIndex(where: { $0.contentID == response.contentID }),
                taken.insert(position).inserted
            else { throw misplaced(index) }
            answers[position] = response.whole
        }
        return answers
    }

    private static func outcome(
        _ response: BatchResponse, answering request: BatchRequest, at index: Int
    ) throws -> BatchOutcome {
        let message = try message(response, answering: request, at: index)
        return response.isWhole ? .answered(message) : .mangled
    }

    private static func message(
        _ response: BatchResponse, answering request: BatchRequest, at index: Int
    ) throws -> ResponseMessage {
        if let answered = response.contentID, let asked = request.contentID, answered != asked {
            throw misplaced(index)
        }
        return response.message
    }

    private static func misplaced(_ index: Int) -> ODataError {
        ODataError(
            .invalidPayload, "Expected the answers of a batch to follow its requests.",
            at: .path("$batch/\(index)"))
    }
}
