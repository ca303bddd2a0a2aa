import ODataSyncPlan
import ODataText

/// Walks through everything that can happen to the uploads of a queue: up to a number of faults at any exchanges, and then none
/// any more. States that were met before are not walked through again.
struct UploadWalk {
    private(set) var problems: [String] = []
    private(set) var steps = 0
    private var seen: [Int: Int] = [:]
    private var settled: Set<Int> = []
    /// What an upload without faults makes of a state between two uploads, by its key: most states lead to few others.
    private var uploaded: [Int: UploadModel] = [:]
    private let mostProblems: Int
    /// How many uploads may follow the last fault until all is settled or listed.
    static let laterUploads = 3

    var states: Int { seen.count }

    init(mostProblems: Int = 20) { self.mostProblems = mostProblems }

    /// - Parameter faults: how many may still happen.
    mutating func walk(_ start: UploadModel, faults: Int) {
        var model = start
        model.beginUpload()
        go(on: model, faults, [])
    }

    private mutating func go(on start: UploadModel, _ faults: Int, _ path: [NetworkEvent]) {
        guard problems.count < mostProblems else { return }
        var model = start
        do {
            let point = try model.advance()
            try arrive(model, at: point, faults, path)
        } catch {
            problems.append("\(path): \(error)")
        }
    }

    private mutating func arrive(
        _ model: UploadModel, at point: UploadModel.Point, _ faults: Int, _ path: [NetworkEvent]
    ) throws {
        switch point {
        case .ended: try between(model, faults, path)
        case .stored:
            if faults > 0 { try kill(model, faults, path) }
            go(on: model, faults, path)
        case .exchange(let attempts, let mayBeNone):
            guard isNew(model, faults) else { return }
            try beside(model, at: point, faults, path)
            if mayBeNone {
                meet(model, .noneCame, faults, path)
                // An answer that came is held, and not in the store.
                if faults > 0 { try kill(model, faults, path) }
            }
            for attempt in attempts {
                for event in NetworkEvent.allCases
                where event == .passes || faults > 0 && event.applies(to: attempt, of: model) {
                    meet(model, event, faults, path, attempt)
                }
            }
        case .look:
            guard isNew(model, faults) else { return }
            try beside(model, at: point, faults, path)
            meet(model, .passes, faults, path)
            guard faults > 0 else { return }
            meet(model, .lostBefore, faults, path)
            if model.mayRefuseLooks { meet(model, .refusedLook, faults, path) }
        }
    }

    /// What others and the app do costs no fault: how often they do it is bounded by itself.
    private mutating func beside(
        _ model: UploadModel, at point: UploadModel.Point, _ faults: Int, _ path: [NetworkEvent]
    ) throws {
        guard model.service.row != nil else { return }
        for event in NetworkEvent.besideNetwork where model.mayMeet(event) {
            var next = model
            next.meetBesideNetwork(event)
            steps += 1
            try arrive(next, at: point, faults, path + [event])
        }
    }

    private mutating func meet(
        _ model: UploadModel, _ event: NetworkEvent, _ faults: Int, _ path: [NetworkEvent],
        _ attempt: Attempt? = nil
    ) {
        var next = model
        next.meet(event, attempt)
        steps += 1
        let isFault = event != .passes && event != .noneCame
        go(on: next, isFault ? faults - 1 : faults, path + [event])
    }

    /// The process ends behind something that is in the store: what it had begun to send has left, or has not.
    private mutating func kill(
        _ model: UploadModel, _ faults: Int, _ path: [NetworkEvent]
    ) throws {
        for event in model.isSending ? [NetworkEvent.killed, .killedAfter] : [.killed] {
            var next = model
            next.die(arriving: event == .killedAfter)
            steps += 1
            try between(next, faults - 1, path + [event])
        }
    }

    private mutating func isNew(_ model: UploadModel, _ faults: Int) -> Bool {
        isNew(model.key, faults)
    }

    private mutating func isNew(_ key: Int, _ faults: Int) -> Bool {
        if let deepest = seen[key], deepest >= faults { return false }
        seen[key] = faults
        return true
    }

    private mutating func between(
        _ model: UploadModel, _ faults: Int, _ path: [NetworkEvent]
    ) throws {
        let key = model.key
        guard isNew(key, faults) else { return }
        if let problem = model.problem(isOver: false) {
            return problems.append("\(path): \(problem)")
        }
        if settled.insert(key).inserted {
            var rest = model
            for _ in 0..<Self.laterUploads {
                rest = try upload(rest)
                if let problem = rest.problem(isOver: false) {
                    return problems.append("\(path), then none: \(problem)")
                }
            }
            if let problem = rest.problem(isOver: true) {
                return problems.append("\(path), then none: \(problem)")
            }
        }
        try beside(model, at: .ended(nil), faults, path)
        guard faults > 0 else { return }
        var next = model
        next.beginUpload()
        go(on: next, faults, path)
    }

    private mutating func upload(_ model: UploadModel) throws -> UploadModel {
        let key = model.key
        if let known = uploaded[key] { return known }
        var next = model
        try next.uploadWithoutFaults(&steps)
        uploaded[key] = next
        return next
    }
}

extension UploadModel {
    fileprivate mutating func uploadWithoutFaults(_ steps: inout Int) throws {
        beginUpload()
        for _ in 0..<Self.longestUpload {
            switch try advance() {
            case .ended: return
            case .stored: break
            case .exchange, .look:
                meet(.passes)
                steps += 1
            }
        }
        throw ODataError(.limitExceeded, "Expected the upload to end.")
    }

    /// What is wrong between two uploads; nil when nothing is.
    ///
    /// - Parameter isOver: everything should have been settled or listed.
    func problem(isOver: Bool) -> String? {
        if let row = service.row { return problem(of: row, isOver: isOver) }
        for (index, kind) in service.kinds.enumerated() {
            let id = Int64(index + 1)
            let count = service.effects[id, default: 0]
            if count > 1, !kind.isIdempotent { return "\(kind) doubled" }
            switch requests[id]?.state {
            case nil: if count == 0 { return "\(kind) lost" }
            case .failed(let failure)?:
                if count > 0, !hasDuplicates, !kind.isIdempotent {
                    return "\(kind) failed, though it had its effect"
                }
                if failure.status == 0, failure.message == nil { return "\(kind) without a reason" }
            case .unknown(let reason)?: if reason == nil { return "\(kind) without a reason" }
            case .blocked(let by)?:
                if isOver, requests[by]?.state.isFailure != true {
                    return "\(kind) is held back by nothing"
                }
            case .waiting?, .frozen?: if isOver { return "\(kind) is stuck" }
            }
        }
        return nil
    }
}
