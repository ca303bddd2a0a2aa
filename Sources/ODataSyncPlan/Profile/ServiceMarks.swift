import ODataQuery
import ODataText

/// What the answers of a service carry, learned in the first reads and kept: it tells the service from whoever else may
/// answer in its place (a captive portal, a login page, a gateway).
package struct ServiceMarks: Sendable, Hashable {
    /// Answers bring a version header (Protocol 4.01, section 8.2.6; V2 `DataServiceVersion`).
    package var sendsVersion: Bool

    package init(sendsVersion: Bool = false) {
        self.sendsVersion = sendsVersion
    }

    /// What a request asks for; it decides which bodies its answer may have.
    package enum Question: Sendable, Hashable {
        case metadata
        /// Entities, one or many, a service document, a count or a delta.
        case data
        /// The content of a media entity or of a stream property, which may be of any type.
        case content
        case create
        case update
        case delete
        case batch

        /// Asked twice it may have its effect twice.
        var isChange: Bool {
            switch self {
            case .create, .update, .delete, .batch: true
            case .metadata, .data, .content: false
            }
        }
    }

    /// Who an answer comes from, as far as it shows.
    package enum Origin: Sendable, Hashable {
        /// It carries what only an OData service sends.
        case service
        /// It may be the service's: its status fits, but nothing proves it. A write is looked at before it counts.
        case doubtful
        /// It is somebody else's: nothing in it may be believed.
        case foreign
    }

    /// Remembers what an answer shows that is certainly the service's.
    package mutating func learn(from headers: HeaderFields) {
        if Self.hasVersion(headers) { sendsVersion = true }
    }

    /// Whose answer this is.
    ///
    /// - Parameter start: the first bytes of the body; a few hundred are enough, and for an error all there are.
    package func origin(
        status: Int, headers: HeaderFields, start: [UInt8], to question: Question
    ) -> Origin {
        let body = AnswerBody(contentType: headers["Content-Type"] ?? "", start: start)
        // A service at another path marks its answers, too; what it says there is no metadata.
        if question == .metadata, body.isHTML || body.isJSONObject && !body.isMetadata,
            (200..<300).contains(status)
        {
            return .foreign
        }
        if Self.isCertain(headers) { return .service }
        switch status {
        case 304: return question == .metadata || question == .data ? .service : .foreign
        case 200..<300: return success(status, headers, body, question)
        case 400...:
            guard body.isODataError else { return .foreign }
            // Gateways write errors of this form, too; a service that marks what it says marks its failures.
            return status >= 500 && sendsVersion && question.isChange ? .doubtful : .service
        default: return .foreign
        }
    }

    /// Whose answer this is.
    package func origin(of answer: ResponseMessage, to question: Question) -> Origin {
        origin(
            status: answer.status, headers: answer.headers, start: answer.body, to: question)
    }

    private func success(
        _ status: Int, _ headers: HeaderFields, _ body: AnswerBody, _ question: Question
    ) -> Origin {
        if question == .content {
            return body.isHTML || (body.isEmpty && status != 204) ? .doubtful : .service
        }
        if body.isHTML { return .foreign }
        if body.isEmpty {
            guard status == 204 || status == 201 else { return .foreign }
            switch question {
            case .metadata, .batch, .content: return .foreign
            // A value that is null has no content (Protocol 4.01, section 11.2.4).
            case .data: return .doubtful
            // A portal knows no entity tag.
            case .update, .delete: return headers["ETag"] == nil ? .doubtful : .service
            case .create: return .doubtful
            }
        }
        switch question {
        case .metadata: return body.isMetadata ? .service : .foreign
        case .batch: return body.isBatch ? .service : .foreign
        case .data:
            if body.isODataData { return .service }
            return body.isPlainValue && !sendsVersion ? .doubtful : .foreign
        case .create, .update, .delete:
            if body.isODataData { return .service }
            guard body.isJSONObject else { return .foreign }
            return status == 201 && !sendsVersion ? .service : .doubtful
        case .content: return .service
        }
    }

    /// Headers that nobody but the service sends.
    static func isCertain(_ headers: HeaderFields) -> Bool {
        hasVersion(headers) || certain.contains { headers[$0] != nil }
    }

    static func hasVersion(_ headers: HeaderFields) -> Bool {
        headers["OData-Version"] != nil || headers["DataServiceVersion"] != nil
    }

    /// Other headers that nobody else sends (Protocol 4.01, 8.3; Repeatable Requests 1.0, section 4).
    private static let certain = ["OData-EntityId", "Repeatability-Result", "OData-Error"]
}
