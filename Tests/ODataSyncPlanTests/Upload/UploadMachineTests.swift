import ODataQuery
import ODataText
import ODataWire
import Testing

@testable import ODataSyncPlan

/// Rules of the machine, one by one.
@Suite struct UploadMachineTests {
    private typealias Scenario = UploadModel.Scenario

    /// Uploads until nothing more happens on a network that does what it is told, then well.
    private func model(
        _ kinds: [ModelService.Kind], _ events: [[NetworkEvent]],
        _ capabilities: ModelService.Capabilities = .init(), isChangeSet: Bool = false
    ) throws -> (model: UploadModel, errors: [ODataError?]) {
        var model = UploadModel(
            Scenario(kinds: kinds, isChangeSet: isChangeSet), capabilities)
        var errors: [ODataError?] = []
        for upload in events {
            var upload = upload[...]
            model.beginUpload()
            steps: while true {
                switch try model.advance() {
                case .ended(let error):
                    errors.append(error)
                    break steps
                case .look: model.meet(.passes)
                case .stored: break
                case .exchange: model.meet(upload.popFirst() ?? .passes)
                }
            }
        }
        return (model, errors)
    }

    @Test func aServiceThatIsDownLeavesNoTrace() throws {
        let (model, errors) = try model([.create, .taggedUpdate], [[.notSent], [.notSent]])
        #expect(errors.map { $0?.code } == [.network, .network])
        #expect(
            model.requests.values.allSatisfy {
                $0.state == .waiting && $0.identity.firstSent == nil
            })
        let later = try self.model([.create, .taggedUpdate], [[.notSent], [.notSent], []])
        #expect(later.model.requests.isEmpty && later.errors[2] == nil)
        #expect(later.model.service.effects == [1: 1, 2: 1])
    }

    @Test func aRefusalAfterALostAnswerIsNoFailure() throws {
        let (model, _) = try model([.create], [[.lostAfter], [.service400]])
        #expect(model.requests.values.allSatisfy { $0.state.isUnknown })
        #expect(model.service.effects == [1: 1])
    }

    /// Whoever is not let in has not been told what became of the first sending.
    @Test(arguments: [NetworkEvent.login401, .redirect307])
    func whatIsOpenWaitsHoweverOftenItIsTurnedAway(event: NetworkEvent) throws {
        let away = [[.lostAfter], [event], [event], [event]]
        let (model, errors) = try model([.update], away)
        #expect(errors.count == 4 && errors.allSatisfy { $0 != nil })
        #expect(model.requests[1]?.state == .waiting)
        #expect(model.requests[1]?.flags.isSuperset(of: [.open, .turnedAway]) == true)
        let later = try self.model([.update], away + [[]])
        #expect(later.model.requests.isEmpty && later.errors[4] == nil)
        // What was never sent without an answer is listed the second time.
        let (listed, refusals) = try self.model([.update], [[event], [event]])
        #expect(refusals.map { $0 == nil } == [false, true])
        #expect(listed.requests[1]?.state.failure != nil)
    }

    /// It was listed for something else, and what turns it away may pass.
    @Test(arguments: [(400, false), (401, true), (302, true), (412, false)])
    func onlyWhatWasTurnedAwayBeforeIsListedForThat(status: Int, isListed: Bool) {
        var request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
            target: RowReference(table: "T", id: 1))
        request.takenUp = .failed(RequestFailure(status: status))
        let rule = AnswerRule.of(
            .turnedAway(status: 401, reason: "no"), for: request, isOpen: false)
        let failure = RequestFailure(status: 401, message: "no")
        #expect(rule == (isListed ? .become(.failed(failure)) : .waitTurnedAway(isOpen: false)))
        #expect(
            AnswerRule.of(.turnedAway(status: 401, reason: "no"), for: request, isOpen: true)
                == .waitTurnedAway(isOpen: true))
    }

    /// A part without an answer of its own goes again by itself, under the identity that it had in the batch.
    @Test(arguments: [false, true])
    func aPartWithoutAnAnswerGoesAgainWhereRepetitionsAreRecognised(isRepeatable: Bool) throws {
        var service = ModelService.Capabilities()
        service.isRepeatable = isRepeatable
        let (model, errors) = try model([.create, .create], [[.firstPartOnly]], service)
        #expect(errors.count == 1 && errors[0] == nil)
        #expect(model.service.effects == [1: 1, 2: 1])
        #expect(model.requests.keys.sorted() == (isRepeatable ? [] : [2]))
        #expect(model.requests.values.allSatisfy { $0.state.isUnknown })
    }

    /// A part that was not looked at waits for the next upload, and the app hears of it.
    @Test func aPartThatWasRefusedUnprocessedIsComplainedOf() {
        var machine = UploadMachine(.init())
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
            target: RowReference(table: "T", id: 1))
        let attempt = Attempt(
            id: 9, message: RequestMessage(method: "PATCH", url: "T(1)"),
            members: [.init(request: 1)], frozenAt: 0)
        _ = machine.answered(
            UploadMachine.Work(attempt: attempt, requests: [request]),
            [.init(request: 1, outcome: .refusedUnprocessed(ResponseMessage(status: 429)))])
        #expect(machine.deferred == [1])
        #expect(machine.complaint?.status == 429)
    }

    private func work(
        _ ids: [Int64] = [1], changeSet: String? = nil
    ) -> UploadMachine.Work {
        UploadMachine.Work(
            attempt: Attempt(
                id: 9, message: RequestMessage(method: "PATCH", url: "T(1)"),
                members: ids.map { .init(request: $0) }, frozenAt: 0),
            requests: ids.map {
                QueuedRequest(
                    id: $0, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
                    target: RowReference(table: "T", id: $0), changeSet: changeSet)
            })
    }

    /// It cannot be divided, and would be refused so each time.
    @Test(arguments: [false, true]) func aChangeSetThatIsRefusedAsAWholeIsListed(isTooLarge: Bool) {
        var machine = UploadMachine(.init())
        let refusal = ResponseMessage(status: isTooLarge ? 413 : 400)
        let work = work([1, 2], changeSet: "c")
        #expect(work.attempt.isBatch && work.parts == [.changeSet([1, 2])])
        let actions = machine.came(
            work, isTooLarge ? .tooLarge(refusal) : .refusedWhole(refusal))
        guard case .record(let attempt, let answers)? = actions.first, actions.count == 1 else {
            Issue.record("Expected a recording, found \(actions).")
            return
        }
        #expect(attempt == work.attempt && answers.map(\.request) == [1, 2])
        #expect(answers.allSatisfy { $0.outcome == .refused(refusal) })
        // Two of them go apart.
        var parts = work
        parts.requests = parts.requests.map { request in
            var request = request
            request.changeSet = nil
            return request
        }
        #expect(parts.parts.count == 2)
        guard case .takeBack? = machine.came(parts, .refusedWhole(refusal)).first else {
            Issue.record("Expected the batch to be taken back.")
            return
        }
    }

    /// Several requests are a batch whatever names they have in it.
    @Test func severalRequestsAreABatch() {
        #expect(!work().attempt.isBatch && work([1, 2]).attempt.isBatch)
    }

    /// Only what went through by it tells that a service takes a method.
    @Test(
        arguments: [
            (.answered(ResponseMessage(status: 204)), true),
            (.answered(ResponseMessage(status: 400)), false),
            (.refusedUnprocessed(ResponseMessage(status: 429)), false),
        ] as [(AttemptAnswers.Outcome, Bool)])
    func aMethodIsLearnedOnceAnUpdateWentThroughByIt(
        outcome: AttemptAnswers.Outcome, isLearned: Bool
    ) {
        var machine = UploadMachine(.init(updates: .patch))
        machine.updatesBefore = .merge
        let actions = machine.updateLesson(work(), [.init(request: 1, outcome: outcome)])
        #expect(actions.count == (isLearned ? 1 : 0))
        #expect((machine.updatesBefore == nil) == isLearned)
    }

    @Test func aMethodThatDidNoBetterIsNotTriedAgain() {
        var machine = UploadMachine(.init(updates: .patch))
        machine.updatesBefore = .merge
        let refusal = AttemptAnswers.Answer(
            request: 1, outcome: .answered(ResponseMessage(status: 405)))
        #expect(machine.meetingUpdates(work(), [refusal]) != nil)
        #expect(machine.knowledge.updates == .merge && machine.triedUpdates.contains(.patch))
    }

    /// Members of a change set have one identity: without the others, one of them is not recognised.
    @Test(arguments: [nil, "a"])
    func whatIsRecognisedGoesAgainUnlessOthersOfItsChangeSetDoNot(changeSet: String?) {
        var machine = UploadMachine(.init(isRepeatable: true))
        let work = work(changeSet: changeSet)
        #expect(machine.relying(on: [1: .undecided], work)[1] == .undecided)
        machine.withheld = [9]
        #expect(
            machine.relying(on: [1: .undecided], work)[1]
                == (changeSet == nil ? .repeatable : .undecided))
    }

    @Test func aBatchThatIsTooLargeIsHalved() throws {
        let (model, errors) = try model([.create, .create, .create], [[.tooLarge413]])
        #expect(errors.count == 1 && errors[0] == nil)
        #expect(model.service.effects == [1: 1, 2: 1, 3: 1] && model.requests.isEmpty)
    }

    @Test func aThrottledUploadWaitsAndGoesOn() throws {
        let (model, errors) = try model([.create], [[.throttled429]])
        #expect(
            errors.count == 1 && errors[0] == nil && model.service.effects == [1: 1]
                && model.requests.isEmpty)
    }

    /// A set that should have left nothing behind is not believed.
    @Test func membersOfARefusedChangeSetAreSettledOneByOne() throws {
        var service = ModelService.Capabilities()
        service.takesSetsBack = false
        let (model, _) = try model([.keyedCreate, .refused], [[]], service, isChangeSet: true)
        #expect(model.requests.keys.sorted() == [2])
        #expect(model.requests[2]?.state.failure?.status == 400)
        #expect(model.service.effects == [1: 1])
        service.takesSetsBack = true
        let (other, _) = try self.model([.keyedCreate, .refused], [[]], service, isChangeSet: true)
        #expect(other.requests.values.allSatisfy { $0.state.failure?.status == 400 })
        #expect(other.service.effects.isEmpty)
    }

    /// What a service keeps of refused sets is remembered: the creation that nobody can look for is not made twice.
    @Test func aCreationInASetThatWasNotTakenBackIsNotSentAgain() throws {
        var service = ModelService.Capabilities()
        service.takesSetsBack = false
        let (model, _) = try model(
            [.create, .keyedCreate, .refused], [[], []], service, isChangeSet: true)
        #expect(model.requests[1]?.state.isUnknown == true && model.requests[2] == nil)
        #expect(model.service.effects == [1: 1, 2: 1])
    }

    /// A service that reads keys as segments only: its 404 is none of the row.
    @Test(arguments: [ModelService.Kind.delete, .update, .taggedUpdate, .link, .stream])
    func whatIsNotUnderstoodIsNeitherDoneNorRefused(_ kind: ModelService.Kind) throws {
        var service = ModelService.Capabilities()
        service.keysAreSegments = true
        let (model, errors) = try model([kind], [[]], service)
        #expect(model.requests.isEmpty && model.service.effects == [1: 1])
        #expect(model.keys == .segments && errors.allSatisfy { $0 == nil })
        // In a batch, beside what was understood.
        let (other, _) = try self.model([.create, kind, .delete], [[]], service)
        #expect(other.requests.isEmpty && other.service.effects == [1: 1, 2: 1, 3: 1])
        // In a change set, which waits again as a whole.
        let (set, _) = try self.model([.keyedCreate, kind], [[]], service, isChangeSet: true)
        #expect(set.requests.isEmpty && set.service.effects == [1: 1, 2: 1])
    }

    @Test func aStyleThatIsKnownIsNotAskedFor() {
        for (keys, rows) in [(KeyStyle.parentheses, nil), (.segments, nil), (nil, [-1, -2])]
            as [(KeyStyle?, [Int64]?)]
        {
            var machine = UploadMachine(.init(keys: keys))
            let (work, answers) = Self.refusedDeletions
            _ = machine.send(work)
            let actions = machine.actions(following: .answered(answers), of: 1)
            guard let rows else {
                guard case .record(_, answers)? = actions.first else {
                    Issue.record("Expected the answers to stand.")
                    continue
                }
                continue
            }
            guard case .meetKeys(_, let asked)? = actions.first else {
                Issue.record("Expected a look at the keys.")
                continue
            }
            #expect(asked.map(\.id) == rows)
            // Shown in no style: the answers stand.
            guard case .record(_, answers)? = machine.step(.metKeys(1, failure: nil)).first else {
                Issue.record("Expected the answers to stand.")
                continue
            }
        }
    }

    private static var refusedDeletions:
        (work: UploadMachine.Work, answers: [AttemptAnswers.Answer])
    {
        let requests = [1, 2].map {
            QueuedRequest(
                id: $0, identity: RepeatabilityIdentity(id: "i"), operation: .delete,
                target: RowReference(table: "T", id: -$0), state: .frozen(attempt: 1))
        }
        let attempt = Attempt(
            id: 1, message: RequestMessage(method: "POST", url: "$batch"),
            members: requests.map { .init(request: $0.id, contentID: "\($0.id)") }, frozenAt: 0)
        return (
            .init(attempt: attempt, requests: requests),
            requests.map {
                .init(request: $0.id, outcome: .answered(ResponseMessage(status: 404)))
            }
        )
    }

    @Test func whatCannotBeWrittenIsListedAndTheRestGoesOn() {
        var machine = UploadMachine(.init())
        let error = ODataError(.unknownName, "gone")
        let piece: UploadMachine.Piece = [.request(1), .request(2)]
        #expect(machine.step(.unwritten(piece, error)).isEmpty)
        #expect(machine.ready == [[.request(1)], [.request(2)]])
        let alone = machine.step(.unwritten([.request(1)], error))
        guard case .refuse([1], let reason)? = alone.first else {
            Issue.record("Expected a refusal of the request.")
            return
        }
        #expect(reason.code == .unknownName && machine.failure == nil)
        // A disk that fails is no matter of the request.
        #expect(machine.step(.unwritten(piece, ODataError(.storage, "disk"))).isEmpty)
        #expect(machine.failure?.code == .storage)
    }

    /// A service that recognises repetitions does not see what others have written meanwhile.
    @Test func whatIsComparedIsNotSentAgainBlindly() {
        let requests = [
            QueuedRequest(
                id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
                target: RowReference(table: "T", id: 1), state: .frozen(attempt: 1)),
            QueuedRequest(
                id: 2, identity: RepeatabilityIdentity(id: "j"), operation: .create,
                target: RowReference(table: "U", id: -1), state: .frozen(attempt: 1)),
        ]
        var attempt = Attempt(
            id: 1, message: RequestMessage(method: "POST", url: "$batch"),
            members: requests.map { .init(request: $0.id, contentID: "\($0.id)") }, frozenAt: 0)
        func begun(_ compared: Set<String>) -> UploadMachine {
            UploadMachine(
                .init(isRepeatable: true, compared: compared),
                unsettled: [.init(attempt: attempt, requests: requests)])
        }
        // One that never left is made anew, so that its row is compared.
        var unsent = begun(["T"])
        guard case .takeBack(_, thaw: true)? = unsent.next().first else {
            Issue.record("Expected the requests to wait again.")
            return
        }
        attempt.sendCount = 1
        var others = begun(["V"])
        guard case .send? = others.next().first else {
            Issue.record("Expected a repetition.")
            return
        }
        var machine = begun(["T"])
        guard case .look? = machine.next().first else {
            Issue.record("Expected a look at the row.")
            return
        }
        let actions = machine.step(.looked(1, .success([1: .undecided, 2: .undecided])))
        guard case .record(_, let answers)? = actions.first else {
            Issue.record("Expected nothing to be sent.")
            return
        }
        guard case .undecided = answers[0].outcome else {
            Issue.record("Expected a change of unknown fate.")
            return
        }
        #expect(answers[1].outcome == .repeatable)
    }

    /// What a look shows may hold more than the request did.
    @Test func whatALookHasShownIsToldFromAnAnswer() {
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
            target: RowReference(table: "T", id: 1), ifMatch: "\"1\"",
            state: .frozen(attempt: 1))
        let attempt = Attempt(
            id: 1, message: RequestMessage(method: "PATCH", url: "T(1)"),
            members: [.init(request: 1)], frozenAt: 0, sendCount: 1)
        var machine = UploadMachine(
            .init(), unsettled: [.init(attempt: attempt, requests: [request])])
        _ = machine.next()
        let shown = ResponseMessage(status: 200)
        let actions = machine.step(.looked(1, .success([1: .carriedOut(shown)])))
        guard case .record(_, let answers)? = actions.first else {
            Issue.record("Expected what was shown to be recorded.")
            return
        }
        #expect(answers == [.init(request: 1, outcome: .answered(shown), isLook: true)])
    }

    @Test func tagsThatAnswersLeftOutAreAskedForBeforeAnythingElse() {
        var machine = UploadMachine(.init())
        let row = RowReference(table: "T", id: 1)
        guard case .fetchTags([row])? = machine.step(.recorded(tagsWanted: [row])).first else {
            Issue.record("Expected a look at the row.")
            return
        }
        #expect(machine.step(.recorded(tagsWanted: [])).isEmpty)
    }

    @Test func aServiceWithoutBatchesIsRememberedOnceAChangeWentThrough() throws {
        var service = ModelService.Capabilities()
        service.takesBatches = false
        let (model, _) = try model([.keyedCreate, .taggedUpdate], [[]], service)
        #expect(model.isBatchRefused && model.requests.isEmpty)
        // A page of somebody else proves nothing.
        let (other, _) = try self.model(
            [.keyedCreate, .taggedUpdate], [[.gateway404, .notSent, .notSent]])
        #expect(!other.isBatchRefused)
    }
}
