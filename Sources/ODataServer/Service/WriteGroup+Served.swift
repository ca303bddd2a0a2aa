import ODataQuery
import ODataText
import ODataWire

extension ODataService {
    /// As ``group(_:references:transfer:)``, in one transaction of another product: it is run again from its beginning where
    /// it met another one, so that nothing outside of it may be changed before it ends.
    func group(
        _ members: [GroupMember], references: [String: String], in served: any ServedDatabase
    ) -> [ResponseMessage] {
        let deadline = RequestDeadline.current
        do {
            try Self.refuseRepeatability(members)
            let answers = try served.write(isOver: { deadline?.hasPassed ?? false }) { rows in
                if members.count > 1 { try rows.deferConstraints() }
                return try run(members, references, nil, .served(rows)) { try served.told($0) }
            }
            for answer in answers { AnswerBudget.current?.take(answer.body.count) }
            return answers
        } catch let failure as GroupFailure {
            return [failure.answer]
        } catch {
            return [ErrorAnswer.response(for: error)]
        }
    }

    /// - Throws: 501 for a request that wants to be carried out once however often it is sent: nothing remembers it.
    private static func refuseRepeatability(_ members: [GroupMember]) throws {
        let names = ["Repeatability-Request-ID", "Repeatability-First-Sent"]
        for member in members {
            guard let name = names.first(where: { member.request.headers[$0] != nil }) else {
                continue
            }
            throw DatabaseAccess.notOffered(name)
        }
    }
}
