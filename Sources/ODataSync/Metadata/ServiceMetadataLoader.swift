import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Reads the metadata document of a service (Protocol 4.01, section 11.1.2; V2 URI conventions, section 2).
///
/// The version is found in the document itself, so one loader serves V2 and V4 services.
package struct ServiceMetadataLoader: Sendable {
    package let connection: ServiceConnection
    /// Where the document is, absolute or relative to the service root.
    package var url = "$metadata"
    /// The forms of the document that are understood, as a value of `Accept`.
    package var accept = "application/xml"
    package var readerOptions = CSDLReader.Options.runningService
    /// The service's metadata as it was read before: types that documents described which it refers to stay known.
    package var known: String?

    /// A document as it came.
    package struct Source: Sendable {
        package var bytes: [UInt8]
        /// The document's entity tag, for asking whether it has changed.
        package var entityTag: String?
        /// Documents that it refers to, that are gone, and whose types are as they were known before.
        package var kept: [String] = []

        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    package init(_ connection: ServiceConnection) {
        self.connection = connection
    }

    /// The document as it came; nil when the service says that the one of `entityTag` is still right.
    ///
    /// - Throws: what the transport throws, `service` for a refusal; where there is no service at the root, an error that
    ///   says so; for a document of known types that fails just now, why.
    package func fetch(
        ifChangedFrom entityTag: String? = nil, headers: HeaderFields = HeaderFields(),
        cancellation: CancellationFlag? = nil
    ) throws -> Source? {
        var fields = headers
        fields["Accept"] = accept
        fields["If-None-Match"] = entityTag
        let answer = try answer(fields, cancellation: cancellation)
        if answer.status == 304, entityTag != nil { return nil }
        let place = connection.absolute(url)
        let isForeign = ServiceMarks().origin(of: answer, to: .metadata) == .foreign
        guard ![404, 410].contains(answer.status), !answer.isSuccess || !isForeign else {
            throw ForeignAnswer.noService(answer, at: connection.root, of: place)
        }
        guard answer.isSuccess else {
            throw ErrorPayload(answer).error(status: answer.status).during(place)
        }
        let references = MetadataReferences(
            connection, url: place, known: known, cancellation: cancellation)
        let whole = try references.resolved(answer.body, options: readerOptions)
        return Source(
            bytes: whole.bytes, entityTag: answer.headers["ETag"], kept: whole.kept)
    }

    /// Asks for the newest version that this library reads: a service that knows a later one might answer in that (Protocol
    /// 4.01, 8.2.7). One of V2 may refuse a header that it does not know, and is asked without it.
    private func answer(
        _ fields: HeaderFields, cancellation: CancellationFlag?
    ) throws -> ResponseMessage {
        let plain = RequestMessage(method: "GET", url: url, headers: fields)
        guard fields["OData-MaxVersion"] == nil else {
            return try connection.exchange(plain, cancellation: cancellation)
        }
        var request = plain
        request.headers["OData-MaxVersion"] = "4.01"
        let answer = try connection.exchange(request, cancellation: cancellation)
        guard answer.status == 400 else { return answer }
        return try connection.exchange(plain, cancellation: cancellation)
    }

    /// The model of a source.
    package func graph(_ source: Source) throws -> MetadataGraph {
        try CSDLReader.read(source.bytes, options: readerOptions)
    }
}
