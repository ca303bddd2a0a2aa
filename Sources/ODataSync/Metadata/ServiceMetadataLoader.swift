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
    package var readerOptions = CSDLReader.Options()

    /// A document as it came.
    package struct Source: Sendable {
        package var bytes: [UInt8]
        /// The document's entity tag, for asking whether it has changed.
        package var entityTag: String?

        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    package init(_ connection: ServiceConnection) {
        self.connection = connection
    }

    /// The document as it came; nil when the service says that the one of `entityTag` is still right.
    ///
    /// - Throws: what the transport throws, `service` for a refusal; where there is no service at the root, an error that
    ///   says so.
    package func fetch(
        ifChangedFrom entityTag: String? = nil, headers: HeaderFields = HeaderFields(),
        cancellation: CancellationFlag? = nil
    ) throws -> Source? {
        var fields = headers
        fields["Accept"] = "application/xml"
        fields["If-None-Match"] = entityTag
        let answer = try connection.exchange(
            RequestMessage(method: "GET", url: url, headers: fields), cancellation: cancellation)
        if answer.status == 304, entityTag != nil { return nil }
        let place = connection.absolute(url)
        let isForeign = ServiceMarks().origin(of: answer, to: .metadata) == .foreign
        guard ![404, 410].contains(answer.status), !answer.isSuccess || !isForeign else {
            throw ForeignAnswer.noService(answer, at: connection.root, of: place)
        }
        guard answer.isSuccess else {
            throw ErrorPayload(answer).error(status: answer.status).during(place)
        }
        return Source(bytes: answer.body, entityTag: answer.headers["ETag"])
    }

    /// The model of a source.
    package func graph(_ source: Source) throws -> MetadataGraph {
        try CSDLReader.read(source.bytes, options: readerOptions)
    }
}
