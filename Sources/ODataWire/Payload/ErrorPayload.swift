import ODataQuery
import ODataText

/// What a service says about a failure, in whatever form it came (JSON Format 4.01, section 21.1; V2 JSON and XML).
package struct ErrorPayload: Sendable, Hashable {
    /// One of the additional messages.
    package struct Detail: Sendable, Hashable {
        package var code: String
        package var message: String
        package var target: String?
        /// `error`, `warning`, `info`, `success`, where given.
        package var severity: String?

        package init(
            code: String, message: String, target: String? = nil, severity: String? = nil
        ) {
            self.code = code
            self.message = message
            self.target = target
            self.severity = severity
        }
    }

    /// Empty when the service gives none.
    package var code: String
    package var message: String
    package var target: String?
    package var details: [Detail]
    /// `innererror` as sent, for diagnostics only.
    package var innerError: JSONValue?

    package init(
        code: String, message: String, target: String? = nil, details: [Detail] = [],
        innerError: JSONValue? = nil
    ) {
        self.code = code
        self.message = message
        self.target = target
        self.details = details
        self.innerError = innerError
    }

    /// What an error response says; the reason of its status when the body says nothing that can be understood.
    package init(_ response: ResponseMessage) {
        let first = response.body.first { $0 > 32 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
        if first == UInt8(ascii: "{"), let payload = try? Self(json: response.body) {
            self = payload
        } else if first == UInt8(ascii: "<"), let payload = try? Self(xml: response.body) {
            self = payload
        } else {
            self.init(
                code: "", message: "HTTP \(response.status) \(StatusReason.text(response.status))")
        }
    }

    /// The error for package code: code `service`, the status of the response, the service's own sentence.
    package func error(status: Int) -> ODataError {
        let sentence = message.isEmpty ? "HTTP \(status) \(StatusReason.text(status))" : message
        return ODataError(
            .service, sentence, at: target.map { .path($0) }, status: status)
    }
}

extension ErrorPayload {
    /// Reads the JSON forms of V4 and V2.
    ///
    /// - Throws: `malformedText`, or `invalidPayload` when there is no `error` object.
    package init(json bytes: [UInt8]) throws {
        let document = try JSONValue(parsing: bytes, duplicates: .keepLast)
        let member = document["error"] ?? document["odata.error"]
        guard let error = member?.object else {
            throw ODataError(.invalidPayload, "Expected an object named error.")
        }
        let inner = error["innererror"]
        self.init(
            code: Self.text(error["code"]) ?? "", message: Self.text(error["message"]) ?? "",
            target: Self.nonEmpty(error["target"]),
            details: (error["details"]?.array ?? []).compactMap(Self.detail),
            innerError: inner)
        let messages = inner?["errordetails"]
        let list = messages?.array ?? messages?["errordetail"]?.array ?? []
        details += list.compactMap(Self.detail)
    }

    private static func detail(_ value: JSONValue) -> Detail? {
        guard let object = value.object else { return nil }
        return Detail(
            code: text(object["code"]) ?? "", message: text(object["message"]) ?? "",
            target: nonEmpty(object["target"]) ?? nonEmpty(object["propertyref"]),
            severity: nonEmpty(object["severity"]) ?? nonEmpty(object["@Common.numericSeverity"]))
    }

    /// A string, a number as text, or the `value` of a V2 message object.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .number(let text): text
        case .object(let object): text(object["value"])
        default: nil
        }
    }

    private static func nonEmpty(_ value: JSONValue?) -> String? {
        text(value).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension ErrorPayload {
    /// Reads `<error><code/><message/>…</error>` of V2 and V4.
    ///
    /// - Throws: `malformedText`, or `invalidPayload` when the root element is another.
    package init(xml bytes: [UInt8]) throws {
        var reader = try XMLReader(bytes)
        self.init(code: "", message: "")
        guard case .startElement = try reader.nextElementEvent(), reader.name.localName == "error"
        else { throw ODataError(.invalidPayload, "Expected an element named error.") }
        while case .startElement = try reader.nextElementEvent() {
            switch reader.name.localName {
            case "code": code = Self.trimmed(try reader.elementText())
            case "message": message = Self.trimmed(try reader.elementText())
            case "target": target = Self.trimmed(try reader.elementText())
            case "details": details += try Self.details(in: &reader)
            case "innererror": details += try Self.innerDetails(in: &reader)
            default: try reader.skipElement()
            }
        }
    }

    private static func details(in reader: inout XMLReader) throws -> [Detail] {
        var details: [Detail] = []
        while case .startElement = try reader.nextElementEvent() {
            var detail = Detail(code: "", message: "")
            while case .startElement = try reader.nextElementEvent() {
                switch reader.name.localName {
                case "code": detail.code = trimmed(try reader.elementText())
                case "message": detail.message = trimmed(try reader.elementText())
                case "target", "propertyref": detail.target = trimmed(try reader.elementText())
                case "severity": detail.severity = trimmed(try reader.elementText())
                default: try reader.skipElement()
                }
            }
            details.append(detail)
        }
        return details
    }

    private static func innerDetails(in reader: inout XMLReader) throws -> [Detail] {
        var found: [Detail] = []
        while case .startElement = try reader.nextElementEvent() {
            if reader.name.localName == "errordetails" {
                found += try details(in: &reader)
            } else {
                try reader.skipElement()
            }
        }
        return found
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension ErrorPayload {
    /// The body of an error response of the service.
    package func json(isV2: Bool = false) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.name("code")
        writer.string(code)
        writer.name("message")
        if isV2 {
            writer.beginObject()
            writer.name("lang")
            writer.string("en")
            writer.name("value")
            writer.string(message)
            writer.endObject()
        } else {
            writer.string(message)
        }
        if let target, !isV2 {
            writer.name("target")
            writer.string(target)
        }
        if !details.isEmpty { writeDetails(isV2, to: &writer) }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private func writeDetails(_ isV2: Bool, to writer: inout JSONWriter) {
        if isV2 {
            writer.name("innererror")
            writer.beginObject()
        }
        writer.name(isV2 ? "errordetails" : "details")
        writer.beginArray()
        for detail in details {
            writer.beginObject()
            writer.name("code")
            writer.string(detail.code)
            writer.name("message")
            writer.string(detail.message)
            if let target = detail.target {
                writer.name("target")
                writer.string(target)
            }
            if isV2, let severity = detail.severity {
                writer.name("severity")
                writer.string(severity)
            }
            writer.endObject()
        }
        writer.endArray()
        if isV2 { writer.endObject() }
    }
}

extension XMLReader {
    /// The next event that begins or ends an element, text and comments passed over.
    mutating func nextElementEvent() throws -> XMLEvent {
        while true {
            let event = try next()
            switch event {
            case .startElement, .endElement, .endOfDocument: return event
            default: continue
            }
        }
    }
}
