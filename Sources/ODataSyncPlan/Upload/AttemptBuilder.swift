import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Turns planned parts into the one HTTP request that is frozen and sent (pure).
package struct AttemptBuilder: Sendable {
    package var writer: RequestWriter

    package init(writer: RequestWriter) {
        self.writer = writer
    }

    /// The request that carries `parts`: a single request as it is, anything else as a batch.
    ///
    /// - Parameters:
    ///   - boundary: must not occur in a body; drawn by the caller.
    ///   - address: the URL of a row relative to the service root.
    package func build(
        _ parts: [UploadPlanner.Part], of requests: [Int64: QueuedRequest], boundary: String,
        address: (RowReference) throws -> String
    ) throws -> (message: RequestMessage, members: [Attempt.Member]) {
        for request in parts.flatMap(\.ids).compactMap({ requests[$0] })
        where request.bringsStream && writer.streams[request.id] == nil {
            throw Self.missingContent(of: request)
        }
        if parts.count == 1, case .request(let id) = parts[0], let request = requests[id] {
            let message = try writer.message(for: request, address: address)
            return (message, [member(request.id)])
        }
        var batch: [BatchPart] = []
        var members: [Attempt.Member] = []
        for (place, part) in parts.enumerated() {
            switch part {
            case .request(let id) where writer.dialect.wrapsPayload:
                // V2 has changes in change sets only (Batch Processing, section 2.2).
                batch.append(
                    .changeSet(try changeSet([id], requests, at: place, &members, address)))
            case .request(let id):
                guard let request = requests[id] else { continue }
                let message = try writer.message(for: request, isPart: true, address: address)
                members.append(
                    member(id, contentID: "\(members.count + 1)", part: place))
                batch.append(.request(message, contentID: members.last?.contentID))
            case .changeSet(let ids):
                batch.append(
                    .changeSet(try changeSet(ids, requests, at: place, &members, address)))
            }
        }
        let message = try BatchForm(writer.settings, writer.dialect).request(
            batch, boundary: boundary)
        return (writer.alone(message), members)
    }

    private func member(
        _ request: Int64, contentID: String? = nil, changeSet: Int? = nil, part: Int = 0
    ) -> Attempt.Member {
        Attempt.Member(
            request: request, contentID: contentID, changeSet: changeSet, part: part,
            isIdentified: writer.sendsRepeatability)
    }

    /// A stream without its content is not sent: an empty one would take its place.
    package static func missingContent(of request: QueuedRequest) -> ODataError {
        ODataError(
            .notFound, "Expected the content that the request brings, found none.",
            at: .path(request.target.table))
    }

    /// Members refer to rows that earlier members create by Content-ID (Protocol 4.01, section 11.7.7.3).
    private func changeSet(
        _ ids: [Int64], _ requests: [Int64: QueuedRequest], at place: Int,
        _ members: inout [Attempt.Member], _ address: (RowReference) throws -> String
    ) throws -> [BatchRequest] {
        var created: [RowReference: String] = [:]
        return try ids.compactMap { requests[$0] }.map { request in
            let contentID = "\(members.count + 1)"
            let message = try writer.message(for: request, isPart: true) { row in
                if let reference = created[row] { return reference }
                return try address(row)
            }
            members.append(
                member(request.id, contentID: contentID, changeSet: place, part: place))
            if request.operation == .create { created[request.target] = "$" + contentID }
            return BatchRequest(contentID: contentID, message)
        }
    }
}
