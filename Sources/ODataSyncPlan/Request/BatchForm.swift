import ODataModel
import ODataQuery
import ODataWire

/// In which form batches go to a service, and how their answers are told apart (Protocol 4.01, section 11.7; JSON Format
/// 4.01, section 19).
package struct BatchForm: Sendable {
    package let dialect: Dialect
    private let isJSON: Bool
    private let settings: RequestSettings

    package init(_ settings: RequestSettings, _ dialect: Dialect) {
        self.dialect = dialect
        self.settings = settings
        isJSON = settings.batchesAsJSON && !dialect.wrapsPayload
    }

    /// The one request of all parts, which go on after a failure of one.
    ///
    /// - Parameter boundary: must not occur in a body; drawn by the caller.
    package func request(_ parts: [BatchPart], boundary: String) throws -> RequestMessage {
        let parts = parts.map(settings.part)
        var headers = RequestWriter.versionHeaders(dialect)
        // JSON batches go on after errors by themselves.
        guard !isJSON else { return try JSONBatch.request(of: parts, headers: headers) }
        headers["Accept"] = "multipart/mixed"
        if !dialect.wrapsPayload { headers["Prefer"] = "odata.continue-on-error" }
        return try BatchWriter.request(parts, boundary: boundary, headers: headers)
    }

    /// What became of each part; the form of the answer is the service's choice.
    ///
    /// - Throws: `invalidPayload` or `malformedText` for an answer that cannot belong to the parts.
    package static func outcomes(
        of answer: ResponseMessage, for parts: [BatchPart]
    ) throws -> [BatchOutcome] {
        let type = MediaType(parsing: answer.headers["Content-Type"] ?? "")
        guard type?.isJSON != true else { return try JSONBatch.outcomes(of: answer, for: parts) }
        return try BatchMatcher.match(parts, try BatchReader.parts(of: answer).parts)
    }
}

extension RequestSettings {
    /// A part of a batch with what each request says, whether it goes alone or not.
    package func part(_ part: BatchPart) -> BatchPart {
        guard let clientInstanceID else { return part }
        func named(_ request: BatchRequest) -> BatchRequest {
            var request = request
            if request.message.headers["Client-Instance-ID"] == nil {
                request.message.headers["Client-Instance-ID"] = clientInstanceID
            }
            return request
        }
        return switch part {
        case .request(let request): .request(named(request))
        case .changeSet(let requests): .changeSet(requests.map(named))
        }
    }
}
