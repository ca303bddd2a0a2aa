import ODataQuery
import ODataText
import ODataWire

extension ODataService {
    /// Whether a request brings a copy of a store to where some are kept.
    func isCopy(_ head: RequestMessage) -> Bool {
        guard configuration.copies != nil, head.method == "POST",
            let address = try? ServiceAddress(head, rootPath: configuration.rootPath)
        else { return false }
        return address.relativeURL.prefix { $0 != "?" } == StoreCopies.path
    }

    /// What takes a copy of a store, told by the head of the request; nothing of one that is refused whatever it brings is kept.
    func copyIntake(for head: RequestMessage) -> (any BodyIntake)? {
        guard let copies = configuration.copies, isCopy(head) else { return nil }
        guard HostList(configuration).refusal(head) == nil, copyRefusal(head) == nil else {
            return DroppedBody(limit: copies.maximumBytes)
        }
        return StoreCopyIntake(
            copies, contentType: head.headers["Content-Type"], world: configuration.world)
    }

    /// Every page of the web may send a form here, and no browser has a store.
    private func copyRefusal(_ head: RequestMessage) -> ResponseMessage? {
        let site = head.headers["Sec-Fetch-Site"] ?? "none"
        guard head.headers["Origin"] == nil, site == "none" else {
            return ErrorAnswer.response(
                for: ODataError(
                    ServiceCode.forbidden, "Expected a copy of a store that no page sends.",
                    status: 403))
        }
        return tokens?.refusal(head)
    }

    /// Keeps a copy that has come, and answers.
    func copied(_ request: RequestMessage, _ intake: (any BodyIntake)?) -> ResponseMessage {
        var answer: ResponseMessage
        if let refusal = copyRefusal(request) {
            answer = refusal
        } else {
            do {
                guard let copy = intake as? StoreCopyIntake else { throw FormReader.noForm }
                try copy.keep(from: Client.current?.principal?.name)
                answer = ResponseMessage(status: 204)
            } catch {
                answer = ErrorAnswer.response(for: error)
            }
        }
        try? intake?.abandon()
        answer.headers[configuration.speaksV2 ? "DataServiceVersion" : "OData-Version"] =
            configuration.speaksV2 ? "2.0" : "4.0"
        return answer
    }
}
