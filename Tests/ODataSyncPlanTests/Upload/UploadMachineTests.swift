import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// Every sequence of three things that can happen to a sending, for every kind of request and service: each change has its effect
/// once, or it is listed; nothing is stuck, nothing is lost, nothing is done twice.
@Suite struct UploadMachineTests {
    struct Case: Sendable, CustomStringConvertible {
        var kind: UploadModel.Kind
        var isRepeatable: Bool
        var batches: Bool

        var description: String {
            "\(kind)\(isRepeatable ? ", repeatable" : "")\(batches ? ", batches" : "")"
        }
    }

    static let cases = UploadModel.Kind.allCases.flatMap { kind in
        [false, true].flatMap { isRepeatable in
            [false, true].map { Case(kind: kind, isRepeatable: isRepeatable, batches: $0) }
        }
    }

    private static func check(_ model: UploadModel, _ kinds: [UploadModel.Kind]) -> String? {
        for (index, kind) in kinds.enumerated() {
            let id = Int64(index + 1)
            let count = model.effects[id, default: 0]
            if count > 1, kind != .update { return "\(kind) doubled" }
            switch model.requests[id]?.state {
            case nil: if count == 0 { return "\(kind) lost" }
            case .failed?: if count > 0 { return "\(kind) failed, though it had its effect" }
            case .unknown(let reason)?: if reason == nil { return "\(kind) without a reason" }
            default: continue
            }
        }
        return nil
    }

    private static func problem(
        _ kinds: [UploadModel.Kind], _ capabilities: UploadModel.Capabilities,
        _ faults: [UploadModel.Fault]
    ) -> String? {
        var model = UploadModel(kinds, capabilities, faults: faults)
        do {
            for _ in 0..<faults.count + 4 {
                _ = try model.upload()
                if let problem = check(model, kinds) { return problem }
            }
        } catch {
            return "\(error)"
        }
        for request in model.requests.values {
            switch request.state {
            case .waiting, .frozen: return "\(UploadModel.kind(request)) is stuck, \(request.state)"
            default: continue
            }
        }
        return nil
    }

    /// What goes wrong, by the sequence that leads to it.
    static func problems(_ test: Case) -> [String] {
        let capabilities = UploadModel.Capabilities(
            isRepeatable: test.isRepeatable, batches: test.batches)
        let kinds = [test.kind, .create, .taggedUpdate]
        var problems: [String] = []
        func run(_ faults: [UploadModel.Fault], then rest: [[UploadModel.Fault]]) {
            for first in faults {
                for second in faults {
                    for last in rest {
                        let sequence = [first, second] + last
                        if let problem = Self.problem(kinds, capabilities, sequence) {
                            problems.append("\(sequence): \(problem)")
                        }
                    }
                }
            }
        }
        run(UploadModel.Fault.allCases, then: [[]])
        run(UploadModel.Fault.deep, then: UploadModel.Fault.deep.map { [$0] })
        return problems
    }

    @Test(arguments: cases)
    func everySequenceEndsWithOneEffectOrAListedRequest(_ test: Case) {
        let problems = Self.problems(test)
        let first = problems.first
        #expect(first == nil, "and \(problems.count) in all")
    }

    @Test func aServiceThatIsDownLeavesNoTrace() throws {
        var model = UploadModel(
            [.create, .taggedUpdate], .init(), faults: [.notSent, .notSent])
        #expect(try model.upload()?.code == .network)
        #expect(model.requests.values.allSatisfy { $0.state == .waiting })
        #expect(try model.upload()?.code == .network)
        #expect(try model.upload() == nil)
        #expect(model.requests.isEmpty)
        #expect(model.effects == [1: 1, 2: 1])
    }

    @Test func aRefusalAfterALostAnswerIsNoFailure() throws {
        var model = UploadModel([.create], .init(batches: false), faults: [.dropAfter])
        _ = try model.upload()
        _ = try model.upload()
        #expect(model.requests.values.allSatisfy { $0.state.isUnknown })
        #expect(model.effects == [1: 1])
    }

    @Test func aBatchThatIsTooLargeIsHalved() throws {
        var model = UploadModel(
            [.create, .create, .create], .init(), faults: [.tooLarge])
        #expect(try model.upload() == nil)
        #expect(model.effects == [1: 1, 2: 1, 3: 1])
        #expect(model.requests.isEmpty)
    }

    @Test func aThrottledUploadWaitsAndGoesOn() throws {
        var model = UploadModel([.create], .init(batches: false), faults: [.throttled])
        #expect(try model.upload() == nil)
        #expect(model.effects == [1: 1] && model.requests.isEmpty)
    }
}
