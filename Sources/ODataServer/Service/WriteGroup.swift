import GRDB
import ODataQuery
import ODataText
import ODataWire
import Synchronization

/// One request of a group that succeeds or fails as a whole.
struct GroupMember {
    var request: RequestMessage
    var address: ServiceAddress
    var contentID: String?
}

/// Ends a group's transaction with the answer that says why.
struct GroupFailure: Error {
    var answer: ResponseMessage

    /// The answer, with the name of the member that failed.
    init(answer: ResponseMessage, of member: GroupMember) {
        self.answer = answer
        self.answer.headers["Content-ID"] = member.contentID
    }
}

extension ODataService {
    /// Runs requests in one transaction, with the memory of repeatable requests: either one answer each, or one
    /// answer that says why nothing happened.
    func group(
        _ members: [GroupMember], references: [String: String] = [:],
        transfer: StreamTransfer? = nil
    ) -> [ResponseMessage] {
        var isRepeatable = false
        if configuration.isReadOnly { return [Self.readOnly] }
        if let served { return group(members, references: references, in: served) }
        if model.isMirror {
            guard let origin = configuration.origin else { return [Self.readOnly] }
            return group(members, references: references, through: origin)
        }
        do {
            let identity = try Self.identity(of: members)
            isRepeatable = identity != nil
            let isDue = groups.add(1, ordering: .relaxed).newValue.isMultiple(of: 1_000)
            let answers = try pool.writeWithoutTransaction { database in
                // As ``ReadConnection`` does: a group may read, too.
                if isDue { database.clearSchemaCache() }
                return try runTransaction(members, references, identity, transfer, database)
            }
            changes.committed()
            for answer in answers { AnswerBudget.current?.take(answer.body.count) }
            return answers.map { Self.marked($0, isRepeatable ? "accepted" : nil) }
        } catch let failure as GroupFailure {
            return [Self.marked(failure.answer, isRepeatable ? "accepted" : nil)]
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return [ErrorAnswer.response(for: SQLFailure.translated(error))]
        } catch {
            return [Self.rejected(error, members)]
        }
    }

    /// The answer to a group that was not begun, or not to its end.
    static func rejected(_ error: any Error, _ members: [GroupMember]) -> ResponseMessage {
        let isAsked = members.contains {
            $0.request.headers["Repeatability-Request-ID"] != nil
                || $0.request.headers["Repeatability-First-Sent"] != nil
        }
        return marked(ErrorAnswer.response(for: error), isAsked ? "rejected" : nil)
    }

    private func runTransaction(
        _ members: [GroupMember], _ references: [String: String],
        _ identity: RepeatabilityHeaders?, _ transfer: StreamTransfer?, _ database: Database
    ) throws -> [ResponseMessage] {
        var answers: [ResponseMessage] = []
        try database.inTransaction(.immediate) {
            let store = identity.map {
                RepeatabilityStore(
                    database: database, identity: $0,
                    fingerprint: RepeatabilityStore.fingerprint(of: members)
                        + (Client.current?.principal.map { "\n" + $0.identity } ?? ""))
            }
            if let stored = try store?.storedAnswers(
                now: now, remembered: configuration.repeatabilitySeconds)
            {
                answers = stored
                return .rollback
            }
            guard RequestDeadline.current?.hasPassed != true else {
                throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
            }
            if members.count > 1 { try database.execute(sql: "PRAGMA defer_foreign_keys = ON") }
            try ChangeLog(database).beginTransaction()
            answers = try database.untilDeadline {
                try run(members, references, transfer, .sqlite(database))
            }
            try store?.store(answers)
            try trim.duringWrite(database)
            return .commit
        }
        return answers
    }

    /// The answers of all members.
    ///
    /// - Parameter told: what a failure says to the client; it throws what is not to be told, but to end the access.
    /// - Throws: `GroupFailure` with the answer that ends it, and what `told` throws.
    func run(
        _ members: [GroupMember], _ references: [String: String], _ transfer: StreamTransfer?,
        _ source: DatabaseAccess, told: (any Error) throws -> any Error = { $0 }
    ) throws -> [ResponseMessage] {
        var references = references
        var bytes = 0
        return try members.map { member in
            var answer: ResponseMessage
            do {
                answer = try Exchange(
                    model: model, source: source, request: member.request,
                    address: member.address, references: references, transfer: transfer
                ).answered()
                bytes += answer.body.count
                try AnswerBudget.current?.require(max(1, bytes))
            } catch {
                throw GroupFailure(answer: ErrorAnswer.response(for: try told(error)), of: member)
            }
            guard answer.isSuccess else { throw GroupFailure(answer: answer, of: member) }
            if let id = member.contentID {
                references[id] = Self.reference(
                    to: answer, of: member, references)
            }
            return answer
        }
    }

    /// What `$id` stands for after the request: the entity it made, or the one it was sent to.
    static func reference(
        to answer: ResponseMessage, of member: GroupMember, _ references: [String: String]
    ) -> String {
        if let location = answer.headers["Location"], location.hasPrefix(member.address.root) {
            return String(Substring(location.utf8.dropFirst(member.address.root.utf8.count)))
        }
        let url = (try? BatchReference.resolve(member.address.relativeURL, references))
        return String((url ?? member.address.relativeURL).prefix { $0 != "?" })
    }

    /// The identity that all members share; nil when none has one.
    static func identity(of members: [GroupMember]) throws -> RepeatabilityHeaders? {
        let identities = try members.map { try RepeatabilityHeaders.read($0.request.headers) }
        guard Set(identities).count <= 1 else {
            throw ODataError(
                ServiceCode.rejected,
                "Expected one repeatability identity for all members of a change set.",
                status: 400)
        }
        return identities.first ?? nil
    }

    static func marked(_ answer: ResponseMessage, _ result: String?) -> ResponseMessage {
        guard let result else { return answer }
        var answer = answer
        answer.headers["Repeatability-Result"] = result
        return answer
    }
}
