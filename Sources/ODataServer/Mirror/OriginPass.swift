import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Carries one group of changes to the service that is mirrored, and what came of it into the rows here, before the client
/// has its answer.
///
/// The order is what the promises hang on: plan and check, look where that has to be, note what is about to be sent, send,
/// read what came of it, and store rows, log and answers in one transaction.
struct OriginPass {
    let service: ODataService
    /// Fixed for the pass, though a reading may bring another one meanwhile.
    let model: ServiceModel
    let graph: MetadataGraph
    let origin: any MirrorOrigin
    let members: [GroupMember]
    let references: [String: String]
    let identity: RepeatabilityHeaders?

    private var isKnownAgain: Bool { origin.isRepeatable(graph) }

    /// One answer for each member.
    ///
    /// - Throws: `GroupFailure` with the answer that stands for all, and what is wrong with the requests.
    func run() throws -> [ResponseMessage] {
        var names = Set(
            members.filter { $0.request.method != "POST" }.map {
                String($0.address.relativeURL.prefix { $0 != "?" })
            })
        if let identity {
            names.insert("\n\(identity.clientID ?? "")\n\(identity.requestID.lowercased())")
        }
        return try service.turns.run(names) {
            if let answers = try recalled() { return answers }
            if let sent = try record({ try $0.sent() }) ?? nil { return try repeated(sent) }
            return try first()
        }
    }

    // MARK: The first time

    private func first() throws -> [ResponseMessage] {
        guard members.count == 1 || origin.takesChangeSets(graph) else { throw Self.noChangeSets }
        var passages = try passages(isRepeated: false)
        try requireInView(passages)
        var before: [String?] = []
        for position in passages.indices { before.append(try look(at: &passages[position])) }
        let requests = try origin.requests(
            for: passages.map(\.change), identity: isKnownAgain ? identity : nil)
        let sent = PassedRequests.Sent(requests: requests, before: before)
        guard RequestDeadline.current?.hasPassed != true else {
            throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
        }
        _ = try record {
            try $0.begin(
                sent, oldest: service.now - service.configuration.repeatabilitySeconds,
                limit: service.configuration.rememberedRequests)
        }
        return try send(sent, passages)
    }

    private static let noChangeSets = ODataError(
        .notImplemented,
        "The service behind the proxy takes no batches, so that nothing makes several changes one.",
        status: 501)

    private func send(
        _ sent: PassedRequests.Sent, _ passages: [Passage]
    ) throws -> [ResponseMessage] {
        switch origin.send(sent.requests, of: passages.map(\.change)) {
        case .done(let results): return try finish(passages, results)
        case .refused(let answer, let member):
            _ = try record { try $0.forget() }
            refresh(passages, after: answer.status)
            throw GroupFailure(answer: answer, of: members[member ?? 0])
        case .unanswered(let answer):
            origin.readSoon()
            throw GroupFailure(answer: answer, of: members[0])
        }
    }

    /// The entity as it is at the other service, where the change depends on that: a client that names a state means the one
    /// that it sees here, and the other service's own tag of that state is the one that it has now.
    ///
    /// - Returns: what tells the state from others, by which it is seen later whether a change without an answer was made.
    private func look(at passage: inout Passage) throws -> String? {
        let isAsked = identity != nil && !isKnownAgain && passage.isTold
        guard passage.isConditional || isAsked, let place = passage.change.place,
            case .entity = place, let key = passage.key
        else { return nil }
        let table = passage.table
        guard let found = try origin.read(place, in: graph, expanding: []) else {
            try write { try rows($0).remove(key, of: table) }
            throw PathWalker.missing()
        }
        let value = here(found)
        if passage.isConditional {
            let isSame = try write { database in
                let rows = try rows(database)
                if try rows.isSame(value, in: table) { return true }
                try rows.bring(value, into: table)
                return false
            }
            guard isSame else {
                throw ODataError(
                    .preconditionFailed,
                    "Expected the entity in the state that If-Match names; it has changed since.",
                    status: 412)
            }
            passage.change.entityTag = found.control.etag
        }
        return try MirrorRows.digest(value, in: table, model.graph)
    }

    // MARK: The next time

    /// A request that was sent, or was about to be, and has no answer: it is not sent again before it is known that it was not
    /// carried out.
    private func repeated(_ sent: PassedRequests.Sent) throws -> [ResponseMessage] {
        let passages = try passages(isRepeated: true)
        guard sent.requests.count == passages.count else { throw Self.fateUnknown }
        if isKnownAgain { return try send(sent, passages) }
        var verdicts: Set<Bool> = []
        for (passage, before) in zip(passages, sent.before) {
            if let wasMade = try wasMade(passage, before) { verdicts.insert(wasMade) }
        }
        // The members of a change set have one fate.
        switch verdicts {
        case [false]: return try send(sent, passages)
        case [true] where !passages.contains(where: \.takesKeyOfOrigin):
            return try finish(passages, passages.map { _ in OriginResult() })
        default: throw Self.fateUnknown
        }
    }

    /// Whether a change was made; nil where that cannot be told.
    private func wasMade(_ passage: Passage, _ before: String?) throws -> Bool? {
        guard passage.isTold, let key = passage.key else { return nil }
        let table = passage.table
        let place =
            passage.change.place
            ?? .entity(table.entitySet, key: OriginPlan.originKey(key, of: table, in: graph))
        let found = try origin.read(place, in: graph, expanding: []).map(here)
        guard let found else {
            switch passage.kind {
            case .deletion: return true
            // There is nothing that it could have an effect on twice.
            default: return false
            }
        }
        if let written = passage.value,
            try MirrorRows.holds(found, written, in: table, model.graph)
        {
            return true
        }
        guard let before else { return nil }
        return try MirrorRows.digest(found, in: table, model.graph) == before ? false : nil
    }

    private static let fateUnknown = ODataError(
        ServiceCode.fateUnknown,
        "Expected to know what became of this request: it was sent to the service behind the proxy, which"
            + " gave no answer, and nothing there tells whether it was carried out. It is not sent again.",
        status: 409)

    // MARK: What came of it

    private func finish(
        _ passages: [Passage], _ results: [OriginResult]
    ) throws -> [ResponseMessage] {
        guard results.count == passages.count else { throw Self.fateUnknown }
        let states = zip(passages, results).map { $0.state(after: $1, origin, here) }
        let answers = try write { database in
            var references = references
            var answers: [ResponseMessage] = []
            for (position, member) in members.enumerated() {
                let settling = OriginSettling(
                    passage: passages[position], origin: origin,
                    exchange: try exchange(member, references, database),
                    rows: MirrorRows(exchange: try asService(member, references, database)))
                let answer = try settling.answer(states[position])
                if let id = member.contentID {
                    references[id] = ODataService.reference(to: answer, of: member, references)
                }
                answers.append(answer)
            }
            try passed(database)?.answer(answers)
            try service.trim.duringWrite(database)
            return answers
        }
        for answer in answers { AnswerBudget.current?.take(answer.body.count) }
        return answers
    }

    /// After a refusal that says that rows are not as they are here, the next read shows them as they are there.
    private func refresh(_ passages: [Passage], after status: Int) {
        guard [404, 409, 410, 412].contains(status) else { return }
        for passage in passages {
            guard let place = passage.change.place, case .entity = place, let key = passage.key
            else { continue }
            // The refusal is the answer; what cannot be read now is read with everything else.
            do {
                let found = try origin.read(place, in: graph, expanding: [])
                try write { database in
                    let rows = try rows(database)
                    if let found {
                        try rows.bring(here(found), into: passage.table)
                    } else {
                        try rows.remove(key, of: passage.table)
                    }
                }
            } catch {
                origin.readSoon()
            }
        }
    }

    /// A value of the other service in the types that are offered here.
    private func here(_ value: StructureValue) -> StructureValue {
        V2Model.converted(value, to: model.graph) { $0 }
    }
}

extension OriginPass {
    // MARK: The database

    /// What is remembered of the request, where it has an identity.
    private func passed(_ database: Database) -> PassedRequests? {
        identity.map { PassedRequests(database: database, identity: $0, fingerprint: fingerprint) }
    }

    private var fingerprint: String {
        RepeatabilityStore.fingerprint(of: members)
            + (Client.current?.principal.map { "\n" + $0.identity } ?? "")
    }

    private func recalled() throws -> [ResponseMessage]? {
        guard let identity else { return nil }
        return try service.pool.read { database in
            try RepeatabilityStore(
                database: database, identity: identity, fingerprint: fingerprint
            ).storedAnswers(
                now: service.now, remembered: service.configuration.repeatabilitySeconds)
        }
    }

    /// Reads or changes what is remembered, durably; nil for a request without an identity.
    private func record<Result>(_ body: (PassedRequests) throws -> Result) throws -> Result? {
        guard identity != nil else { return nil }
        return try service.pool.write { database in try passed(database).map(body) }
    }

    /// One transaction of rows and log.
    private func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        defer { service.changes.committed() }
        return try service.pool.write { database in
            try ChangeLog(database).beginTransaction()
            return try body(database)
        }
    }

    private func rows(_ database: Database) throws -> MirrorRows {
        MirrorRows(exchange: try asService(members[0], references, database))
    }

    private func asService(
        _ member: GroupMember, _ references: [String: String], _ database: Database
    ) throws -> Exchange {
        try Client.$current.withValue(.service) { try exchange(member, references, database) }
    }

    /// A member's request inside of one database access; it states no conditions any more.
    private func exchange(
        _ member: GroupMember, _ references: [String: String], _ database: Database,
        isConditional: Bool = false
    ) throws -> Exchange {
        var request = member.request
        if !isConditional {
            for name in ["If-Match", "If-None-Match"] { request.headers[name] = nil }
        }
        return try Exchange(
            model: model, source: .sqlite(database), request: request, address: member.address,
            references: references)
    }

    // MARK: Plans

    private func passages(isRepeated: Bool) throws -> [Passage] {
        try service.pool.read { database in
            var made: [String: OriginPlan.Made] = [:]
            return try members.enumerated().map { position, member in
                do {
                    let plan = OriginPlan(
                        exchange: try exchange(
                            member, references, database, isConditional: true),
                        origin: origin, graph: graph, made: made, isRepeated: isRepeated)
                    let passage = try plan.passage()
                    if let id = member.contentID, passage.kind == .creation {
                        made[id] = OriginPlan.Made(position: position, table: passage.table)
                    }
                    return passage
                } catch {
                    throw GroupFailure(answer: ErrorAnswer.response(for: error), of: member)
                }
            }
        }
    }

    /// - Throws: 403 for rows that the client may not change, and for what they would be then: the other service could not be
    ///   made to take it back. So the change is made here first, and given up.
    private func requireInView(_ passages: [Passage]) throws {
        guard service.configuration.access != nil else { return }
        try service.pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
                for (passage, member) in zip(passages, members) {
                    let exchange = try exchange(member, references, database)
                    guard let access = exchange.access else { continue }
                    try OriginView(exchange: exchange, access: access).require(passage)
                }
                return .rollback
            }
        }
    }
}
