import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

/// A row of the service that others write as well, and what has become of it, write by write.
struct SharedRow: Hashable {
    enum Property: Hashable, Sendable { case a, b }

    enum Write: Hashable {
        /// The effect of a request of ours.
        case ours(Int64)
        /// The first property is the one that our requests change.
        case theirs(Property)
        case theirDeletion
    }

    /// Nil where the row is gone.
    private(set) var values: [Property: Int64]?
    private(set) var writes: [Write] = []
    /// Each write makes another entity tag, also that of a row that is made anew.
    private(set) var version = 1
    /// What identities that come again are answered with.
    private var answers: [Int64: ResponseMessage] = [:]
    private let capabilities: ModelService.Capabilities

    /// - Parameter isThere: false where the first request creates it.
    init(isThere: Bool, _ capabilities: ModelService.Capabilities) {
        values = isThere ? [.a: 0, .b: 0] : nil
        self.capabilities = capabilities
    }

    var tag: String? { capabilities.hasTags ? "\"\(version)\"" : nil }

    /// How often others have written.
    var theirCount: Int {
        writes.count {
            if case .ours = $0 { false } else { true }
        }
    }

    // MARK: Writes

    /// Somebody else, who has read the row, writes it.
    mutating func meet(_ event: NetworkEvent) {
        switch event {
        case .othersUpdate: change(.a, to: 100 + Int64(theirCount), .theirs(.a))
        case .othersUpdateElsewhere: change(.b, to: 100 + Int64(theirCount), .theirs(.b))
        case .othersDelete:
            values = nil
            note(.theirDeletion)
        default: break
        }
    }

    private mutating func change(_ property: Property, to value: Int64, _ write: Write) {
        var changed = values ?? [.a: 100, .b: 100]
        changed[property] = value
        values = changed
        note(write)
    }

    /// Without tags a repetition right behind the first is the same as that one.
    private mutating func note(_ write: Write) {
        if !capabilities.hasTags, writes.last == write { return }
        writes.append(write)
        if capabilities.hasTags { version += 1 }
    }

    /// What the service does with a request of ours.
    mutating func serve(
        _ id: Int64, _ kind: ModelService.Kind, ifMatch: String?, by service: ModelService
    ) -> ResponseMessage {
        if capabilities.isRepeatable, let answer = answers[id] { return answer }
        let creates = kind.operation == .create
        guard creates == (values == nil) else { return service.refusal(creates ? 409 : 404) }
        if capabilities.hasTags, let ifMatch, ifMatch != tag { return service.refusal(412) }
        if kind == .delete {
            values = nil
            note(.ours(id))
        } else {
            if creates { values = [.a: id, .b: 0] }
            change(.a, to: id, .ours(id))
        }
        let answer = answer(creates ? 201 : 200, isFull: creates || capabilities.showsRows, service)
        if capabilities.isRepeatable { answers[id] = answer }
        return answer
    }

    /// What a read by key is answered with.
    func read(from service: ModelService) -> ResponseMessage {
        values == nil ? service.refusal(404) : answer(200, isFull: true, service)
    }

    private func answer(
        _ status: Int, isFull: Bool, _ service: ModelService
    ) -> ResponseMessage {
        var headers = service.marks
        if capabilities.isRepeatable { headers["Repeatability-Result"] = "accepted" }
        guard let values, isFull else {
            if values != nil { headers["ETag"] = tag }
            return ResponseMessage(status: 204, headers: headers)
        }
        headers["ETag"] = tag
        headers["Content-Type"] = "application/json"
        let (first, second) = (values[.a] ?? 0, values[.b] ?? 0)
        return ResponseMessage(
            status: status, headers: headers,
            body: Array(
                #"{"@odata.context":"$metadata#T/$entity","K":1,"A":\#(first),"B":\#(second)}"#
                    .utf8))
    }

    // MARK: What must not have happened

    /// Nil while nobody's write went under in silence, and ours took effect in their order.
    ///
    /// - Parameter kinds: those of our requests.
    func problem(_ kinds: [ModelService.Kind]) -> String? {
        for (place, write) in writes.enumerated() {
            guard case .ours(let id) = write else { continue }
            var earlier = writes[..<place]
            if isMadeAgain(id, kinds[0]) { continue }
            if kinds[0].operation == .create, let made = earlier.lastIndex(of: .ours(1)) {
                earlier = earlier[made...]
            }
            for case .ours(let other) in earlier where other >= id {
                if other > id { return "\(id) behind \(other): \(writes)" }
                // Without tags a repetition over what others wrote cannot be told from a first sending.
                if capabilities.hasTags { return "\(id) doubled: \(writes)" }
            }
            // Where there is a row nothing is created.
            guard capabilities.hasTags, kinds[Int(id) - 1].operation != .create else { continue }
            let isOverwritten = earlier.contains { before in
                switch before {
                case .ours: false
                case .theirs(.a), .theirDeletion: true
                case .theirs(.b): kinds[Int(id) - 1] == .delete
                }
            }
            if isOverwritten { return "\(id) over what others wrote: \(writes)" }
        }
        return nil
    }

    /// A row that others have deleted before anybody looked is as if it had never been made, unless identities tell.
    private func isMadeAgain(_ id: Int64, _ kind: ModelService.Kind) -> Bool {
        id == 1 && kind.operation == .create && !capabilities.isRepeatable
            && writes.contains(.theirDeletion)
    }

    /// Whether others have taken the effect of a request away with the row, or made the row anew, so that nothing shows it.
    func isUndone(_ id: Int64, _ kind: ModelService.Kind) -> Bool {
        guard let place = writes.lastIndex(of: .ours(id)) else { return true }
        return writes[place...].contains { write in
            switch write {
            case .ours: false
            case .theirs: kind == .delete
            case .theirDeletion: kind != .delete
            }
        }
    }

    /// Whether a request of ours may have left the queue as accepted.
    func isAccountedFor(_ id: Int64, _ kind: ModelService.Kind) -> Bool {
        writes.contains(.ours(id)) || kind == .delete && writes.contains(.theirDeletion)
    }
}
