import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

/// How the contents of streams are sent: small ones in batches, others while they are read.
extension UploadRun {
    /// The contents that the requests of `parts` bring.
    func streams(
        of requests: [QueuedRequest], in parts: [UploadPlanner.Part]
    ) throws -> [Int64: StoredStream] {
        let ids = Set(parts.flatMap(\.ids))
        var streams: [Int64: StoredStream] = [:]
        for request in requests where request.bringsStream && ids.contains(request.id) {
            streams[request.id] = try store.stream(ofRequest: request.id)
        }
        return streams
    }

    /// What is written about the contents; their bytes only where several parts share a request.
    func bodies(
        of parts: [UploadPlanner.Part], _ streams: [Int64: StoredStream]
    ) throws -> [Int64: RequestWriter.StreamBody] {
        var isSingle = false
        if parts.count == 1, case .request = parts[0] { isSingle = true }
        var bodies: [Int64: RequestWriter.StreamBody] = [:]
        for id in parts.flatMap(\.ids) {
            guard let stream = streams[id] else { continue }
            bodies[id] = RequestWriter.StreamBody(
                mediaType: stream.mediaType, fileName: stream.fileName,
                bytes: isSingle ? nil : try ContentReader(store, stream).readAll())
        }
        return bodies
    }

    /// The content that an attempt of one request sends; a content never changes, so that every sending is the same.
    func content(of attempt: Attempt) throws -> StoredRequestContent? {
        guard !attempt.isBatch, attempt.message.body.isEmpty,
            let id = attempt.members.first?.request,
            let request = try store.requests([id]).first, request.bringsStream
        else { return nil }
        guard let stream = try store.stream(ofRequest: id), !stream.isGone else {
            throw AttemptBuilder.missingContent(of: request)
        }
        return StoredRequestContent(ContentReader(store, stream))
    }
}
