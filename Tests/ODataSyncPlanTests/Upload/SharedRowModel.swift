import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

@testable import ODataSyncPlan

/// The store's side of a row that others write as well: its image, and the real rules for answers and looks.
extension UploadModel {
    static let shared = RowReference(table: "T", id: 7)

    static let mapping: SchemaMapping? = {
        let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="T"><Key><PropertyRef Name="K"/></Key>
                <Property Name="K" Type="Edm.Int64" Nullable="false"/><Property Name="A" Type="Edm.Int64"/>
                <Property Name="B" Type="Edm.Int64"/></EntityType>
              <EntityContainer Name="C"><EntitySet Name="T" EntityType="S.T"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return (try? CSDLReader.read(Array(metadata.utf8))).map { SchemaMapping.local(for: $0) }
    }()

    static func values(_ numbers: [String: Int64]) -> StructureValue {
        guard let graph = mapping?.graph, let type = graph.structure(named: "S.T") else {
            preconditionFailure("Expected the type of the shared row.")
        }
        var values = StructureValue(type: type, in: graph)
        for (name, number) in numbers {
            guard let slot = graph[type].slot(named: name) else { continue }
            values.slots[slot] = .scalar(.integer(number))
        }
        return values
    }

    /// The row as it was downloaded.
    static func image(_ row: SharedRow) -> StoredImage? {
        guard row.values != nil else { return nil }
        var values = values(["K": 1, "A": 0, "B": 0])
        values.control.etag = row.tag
        return StoredImage(row: StoredRow(id: shared.id, values: values), kind: .present)
    }

    /// A change of the row as the app makes it now.
    func change(_ id: Int64) -> QueuedRequest {
        let kind = kind(id)
        let values: StructureValue? =
            switch kind.operation {
            case .create: Self.values(["K": 1, "A": id, "B": 0])
            case .delete: nil
            default: Self.values(["A": id])
            }
        return QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: kind.operation,
            target: Self.shared, body: values.map { RequestBody(values: $0) },
            ifMatch: kind.operation == .create ? nil : image?.row.values.control.etag)
    }

    // MARK: What happens beside the network

    /// Whether it can happen now: others have not written too often, or the app has not yet changed the row behind what is open.
    func mayMeet(_ event: NetworkEvent) -> Bool {
        guard let row = service.row else { return false }
        switch event {
        case .othersUpdate: return row.theirCount < mostOfOthers
        case .othersUpdateElsewhere, .othersDelete:
            return row.theirCount < mostOfOthers && row.values != nil
        case .appWrites:
            guard !hasWrittenAgain, service.kinds.count > 1, let first = requests[1] else {
                return false
            }
            // What was listed the change would correct, and what was never sent it would join.
            guard first.takenUp == nil else { return false }
            return first.state.isFrozen || first.state == .waiting && first.wasSent
        default: return false
        }
    }

    mutating func meetBesideNetwork(_ event: NetworkEvent) {
        guard event == .appWrites else { return service.row?.meet(event) ?? () }
        hasWrittenAgain = true
        requests[2] = change(2)
    }

    // MARK: Looks and answers

    func look(at id: Int64, _ row: SharedRow, isAnswered: Bool) -> ResendPolicy.Finding {
        guard let request = requests[id], let graph = Self.mapping?.graph else { return .undecided }
        let probe = EffectProbe(graph: graph, dialect: Dialect.of(.v4))
        let question = probe.question(
            for: request, isAnswered: isAnswered, address: { _ in "T(1)" },
            key: { _ in [.integer(1)] })
        if case .nothing(let finding) = question { return finding }
        return (try? probe.finding(of: row.read(from: service), about: request)) ?? .undecided
    }

    /// A change without the tag that its row has there is not sent.
    func isHeldBack(_ ids: [Int64]) -> Bool {
        guard service.row != nil, image?.row.state.contains(.untagged) == true else { return false }
        return ids.contains { requests[$0]?.lacksTag == true }
    }

    /// What the store makes of an acceptance.
    mutating func accept(_ request: QueuedRequest, _ answer: ResponseMessage, isLook: Bool) {
        guard let mapping = Self.mapping else { return }
        var facts = Acceptance.Facts()
        facts.images = image.map { [Self.shared: $0] } ?? [:]
        facts.writers = requests.values.sorted(by: QueuedRequest.comesBefore)
        let isLook = isLook && defect != .believesTagsOfLooks
        do {
            let created =
                request.operation == .create
                ? try CreationAnswer(answer, to: request, mapping: mapping) : nil
            let acceptance = try Acceptance(
                of: request, answered: answer, isLook: isLook, creating: created, facts: facts,
                mapping: mapping)
            for edit in acceptance.edits {
                switch edit {
                case .update(let later): requests[later.id] = later
                case .image(_, let new): image = new
                case .forget: image = nil
                default: break
                }
            }
        } catch {
            let error = error as? ODataError ?? ODataError(.invalidPayload, "\(error)")
            let rule = AnswerRule.accept(answer).notTaken(because: error)
            requests[request.id] = rule.applied(to: request)
        }
    }

    /// What is wrong with a row that others write as well; nil when nothing is.
    func problem(of row: SharedRow, isOver: Bool) -> String? {
        if let problem = row.problem(service.kinds) { return problem }
        for id in 1...Int64(hasWrittenAgain ? 2 : 1) {
            let kind = kind(id)
            switch requests[id]?.state {
            case nil: if !row.isAccountedFor(id, kind) { return "\(id) lost: \(row.writes)" }
            case .failed(let failure)?:
                if !row.isUndone(id, kind), !hasDuplicates {
                    return "\(id) failed, though it had its effect: \(row.writes)"
                }
                if failure.status == 0, failure.message == nil { return "\(id) without a reason" }
            case .unknown(let reason)?: if reason == nil { return "\(id) without a reason" }
            case .blocked(let by)?:
                if isOver, requests[by]?.state.isFailure != true {
                    return "\(id) is held back by nothing"
                }
            case .waiting?, .frozen?: if isOver { return "\(id) is stuck" }
            }
        }
        return nil
    }
}
