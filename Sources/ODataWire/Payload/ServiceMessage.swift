import ODataQuery
import ODataText

/// What a service says beside a success: the headers `sap-message` (V2) and `sap-messages` (V4), and the annotation
/// `Messages` in payloads.
package struct ServiceMessage: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        case success, info, warning, error

        /// Words of V2 and V4, and the numbers of V4: 1 success to 4 error.
        package init?(_ text: String) {
            switch text.lowercased() {
            case "1", "success": self = .success
            case "2", "info", "information": self = .info
            case "3", "warning": self = .warning
            case "4", "error", "abort": self = .error
            default: return nil
            }
        }
    }

    package var code: String
    package var message: String
    package var severity: Severity
    /// The property or entity that it is about.
    package var target: String?
    /// Where a longer text is.
    package var longTextURL: String?

    package init(
        code: String, message: String, severity: Severity = .info, target: String? = nil,
        longTextURL: String? = nil
    ) {
        self.code = code
        self.message = message
        self.severity = severity
        self.target = target
        self.longTextURL = longTextURL
    }

    /// The messages of a response's headers, details included; none for texts that cannot be understood.
    package static func all(in headers: HeaderFields) -> [ServiceMessage] {
        var result: [ServiceMessage] = []
        for name in ["sap-message", "sap-messages"] {
            if let text = headers[name] { result += parse(text) }
        }
        return result
    }

    /// The messages of a header value: JSON object or array, or XML.
    package static func parse(_ text: String) -> [ServiceMessage] {
        if text.utf8.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
            guard let document = try? XMLDocument(Array(text.utf8)) else { return [] }
            return messages(document.root)
        }
        guard let json = try? JSONValue(parsing: text, duplicates: .keepLast) else { return [] }
        return messages(json)
    }

    /// The messages of a JSON value: an object with `details`, or an array of objects.
    package static func messages(_ json: JSONValue) -> [ServiceMessage] {
        if let list = json.array { return list.flatMap(messages) }
        guard json.object != nil else { return [] }
        let text = { (names: String...) in
            names.lazy.compactMap { json[$0]?.string ?? json[$0]?.number }.first { !$0.isEmpty }
        }
        var result: [ServiceMessage] = []
        if let message = text("message") {
            result = [
                ServiceMessage(
                    code: text("code") ?? "", message: message,
                    severity: text("severity", "numericSeverity", "@Common.numericSeverity")
                        .flatMap { Severity($0) } ?? .info,
                    target: text("target", "propertyref"),
                    longTextURL: text("longtext_url", "longtextUrl", "@Common.longtextUrl"))
            ]
        }
        return result + (json["details"].map(messages) ?? [])
    }

    private static func messages(_ element: XMLElement) -> [ServiceMessage] {
        let text = { (names: String...) in
            names.lazy.compactMap { element.child($0)?.text.trimmed }.first { !$0.isEmpty }
        }
        var result: [ServiceMessage] = []
        if let message = text("message") {
            result = [
                ServiceMessage(
                    code: text("code") ?? "", message: message,
                    severity: text("severity").flatMap { Severity($0) } ?? .info,
                    target: text("target", "propertyref"), longTextURL: text("longtext_url"))
            ]
        }
        return result + (element.child("details")?.children.flatMap(messages) ?? [])
    }
}
