import ODataQuery
import ODataText

/// What makes a resent request recognisable to a service (Repeatable Requests 1.0).
///
/// Made once per request or change set, stored with it, and sent unchanged on every try.
package struct RepeatabilityHeaders: Sendable, Hashable {
    /// `Repeatability-Request-ID`: a UUID with dashes.
    package var requestID: String
    /// `Repeatability-First-Sent`, in seconds.
    package var firstSentSeconds: Int64
    /// `Repeatability-Client-ID`; nil when not sent.
    package var clientID: String?

    package init(requestID: String, firstSentSeconds: Int64, clientID: String? = nil) {
        self.requestID = requestID
        self.firstSentSeconds = firstSentSeconds
        self.clientID = clientID
    }

    /// The spelling of the headers.
    package enum Style: Sendable, Hashable {
        case oasis
        /// `RequestID` (32 hexadecimal digits) and `RepeatabilityCreation`.
        case sap
    }

    /// The header fields to send.
    package func headers(_ style: Style = .oasis) -> HeaderFields {
        var fields = HeaderFields()
        switch style {
        case .oasis:
            fields["Repeatability-Request-ID"] = requestID
            fields["Repeatability-First-Sent"] = HTTPDate.text(secondsSince1970: firstSentSeconds)
            if let clientID { fields["Repeatability-Client-ID"] = clientID }
        case .sap:
            fields["RequestID"] = requestID.replacing("-", with: "").uppercased()
            fields["RepeatabilityCreation"] = Self.isoText(firstSentSeconds)
        }
        return fields
    }

    /// The identity that a request carries in the OASIS headers; nil when it carries none.
    ///
    /// - Throws: `invalidPayload` (400, rejected) when one header lacks the other or the date is not an IMF-fixdate.
    package static func read(_ headers: HeaderFields) throws -> RepeatabilityHeaders? {
        let id = headers["Repeatability-Request-ID"]
        let date = headers["Repeatability-First-Sent"]
        guard id != nil || date != nil else { return nil }
        guard let id, !id.isEmpty, let date else {
            throw ODataError(
                .invalidPayload,
                "Expected Repeatability-Request-ID and Repeatability-First-Sent together, "
                    + "found one of them.",
                at: .path(
                    date == nil ? "Repeatability-First-Sent" : "Repeatability-Request-ID"),
                status: 400)
        }
        guard let seconds = HTTPDate.secondsSince1970(date) else {
            throw ODataError(
                .invalidPayload, "Expected an IMF-fixdate in Repeatability-First-Sent.",
                at: .path("Repeatability-First-Sent"), status: 400)
        }
        return RepeatabilityHeaders(
            requestID: id, firstSentSeconds: seconds,
            clientID: headers["Repeatability-Client-ID"])
    }

    private static func isoText(_ seconds: Int64) -> String {
        let parts = HTTPDate.text(secondsSince1970: seconds).split(separator: " ")
        guard parts.count == 6 else { return "" }
        let months = [
            "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06",
            "Jul": "07", "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
        ]
        return "\(parts[3])-\(months[String(parts[2])] ?? "01")-\(parts[1])T\(parts[4])"
    }
}

/// What a service says about the identity of a request.
package enum RepeatabilityResult: String, Sendable, Hashable {
    case accepted
    case rejected

    package static let headerName = "Repeatability-Result"

    /// From the OASIS or the SAP header; nil when the service does not say, which means it has no support.
    package init?(_ headers: HeaderFields) {
        let text = headers[Self.headerName] ?? headers["RepeatabilityResult"]
        guard let text, let result = Self(rawValue: HeaderText.trimmed(text[...]).lowercased())
        else { return nil }
        self = result
    }
}
