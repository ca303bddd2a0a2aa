import ODataQuery
import ODataText
import ODataWire

extension ODataService {
    /// What takes a copy of a store, told by the head of the request; nil for every other request, and where none are kept.
    func copyIntake(for head: RequestMessage) -> StoreCopyIntake? {
        guard let copies = configuration.copies, head.method == "POST",
            let address = try? ServiceAddress(head, rootPath: configuration.rootPath),
            address.relativeURL.prefix(while: { $0 != "?" }) == StoreCopies.path
        else { return nil }
        return copies.intake(
            contentType: head.headers["Content-Type"], world: configuration.world)
    }

    /// Keeps a copy that has come, and answers.
    func kept(_ copy: StoreCopyIntake, of request: RequestMessage) -> ResponseMessage {
        var answer: ResponseMessage
        do {
            if let refusal = tokens?.refusal(request) {
                try copy.abandon()
                return refusal
            }
            try copy.keep(from: Client.current?.principal?.name)
            answer = ResponseMessage(status: 204)
        } catch {
            try? copy.abandon()
            answer = ErrorAnswer.response(for: error)
        }
        answer.headers[configuration.speaksV2 ? "DataServiceVersion" : "OData-Version"] =
            configuration.speaksV2 ? "2.0" : "4.0"
        return answer
    }
}
