import GRDB
import ODataQuery
import ODataText
import ODataWire

extension ODataService {
    /// As ``group(_:references:transfer:)``, at the service that is mirrored: it makes the changes, all or none, and what came
    /// of them is here, and in the log, when they are answered.
    func group(
        _ members: [GroupMember], references: [String: String], through origin: any MirrorOrigin
    ) -> [ResponseMessage] {
        let model = model
        guard let graph = model.origin else { return [Self.readOnly] }
        do {
            let identity = try Self.identity(of: members)
            let result = identity == nil ? nil : "accepted"
            let pass = OriginPass(
                service: self, model: model, graph: graph, origin: origin, members: members,
                references: references, identity: identity)
            do {
                return try pass.run().map { Self.marked($0, result) }
            } catch let failure as GroupFailure {
                return [Self.marked(failure.answer, result)]
            }
        } catch {
            let answer = ErrorAnswer.response(for: error)
            // Whoever hears that the moment is wrong may send the same again.
            return answer.status >= 500 ? [answer] : [Self.rejected(error, members)]
        }
    }
}
