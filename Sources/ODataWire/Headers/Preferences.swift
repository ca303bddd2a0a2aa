import ODataQuery

/// The preferences of a request, or those that were applied to it (Protocol 4.01, section 8.2.8; RFC 7240).
///
/// Names are read with and without the `odata.` prefix; of a preference that is given twice the first counts.
package struct Preferences: Sendable, Hashable {
    /// What a data modification answers with.
    package enum Return: String, Sendable, Hashable {
        case minimal
        case representation
    }

    /// `return`
    package var returns: Return?
    /// `maxpagesize`
    package var maximumPageSize: Int?
    /// `track-changes`
    package var tracksChanges = false
    /// `continue-on-error`; nil when not given, which means false for multipart and true for JSON batches.
    package var continuesOnError: Bool?
    /// `allow-entityreferences`
    package var allowsEntityReferences = false
    /// `respond-async`
    package var respondsAsynchronously = false
    /// `wait`, in seconds.
    package var waitSeconds: Int?
    /// `include-annotations`, as written.
    package var includedAnnotations: String?
    /// `omit-values`: `nulls` or `defaults` (V4.01).
    package var omittedValues: String?
    /// Other preferences in order, their values unquoted; an empty value means none was given.
    package var others: [MediaType.Parameter] = []

    package init() {}

    /// The preferences that a request asks for.
    package init(requestedBy headers: HeaderFields) {
        self.init(values: headers.values("Prefer"))
    }

    /// The preferences that a response says were applied.
    package init(appliedBy headers: HeaderFields) {
        self.init(values: headers.values("Preference-Applied"))
    }

    package init(parsing text: String) { self.init(values: [text]) }

    private init(values: [String]) {
        var seen: Set<String> = []
        for value in values {
            for item in HeaderText.split(value, separator: UInt8(ascii: ",")) {
                let preference = HeaderText.split(item, separator: UInt8(ascii: ";")).first ?? ""
                let equals = preference.firstIndex(of: "=") ?? preference.endIndex
                var name = HeaderText.trimmed(preference[..<equals]).lowercased()
                while name.hasPrefix(Self.prefix) {
                    name = String(name.dropFirst(Self.prefix.count))
                }
                guard !name.isEmpty, name.utf8.allSatisfy(HeaderText.isTokenByte),
                    seen.insert(name).inserted
                else { continue }
                let rest = preference[equals...].dropFirst()
                set(name, HeaderText.unquoted(HeaderText.trimmed(rest)))
            }
        }
    }

    private static let prefix = "odata."

    private mutating func set(_ name: String, _ value: String) {
        switch name {
        case "return": returns = Return(rawValue: value.lowercased())
        case "maxpagesize": maximumPageSize = Int(value).flatMap { $0 > 0 ? $0 : nil }
        case "track-changes": tracksChanges = value.lowercased() != "false"
        case "continue-on-error": continuesOnError = value.lowercased() != "false"
        case "allow-entityreferences": allowsEntityReferences = value.lowercased() != "false"
        case "respond-async": respondsAsynchronously = true
        case "wait": waitSeconds = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "include-annotations": includedAnnotations = value
        case "omit-values": omittedValues = value.lowercased()
        default: others.append(MediaType.Parameter(name: name, value: value))
        }
    }

    package var isEmpty: Bool { self == Preferences() }

    /// The header value; nil when there is nothing to say.
    ///
    /// - Parameter isPrefixed: true writes `odata.` in front of OData's own preferences, which every version reads.
    package func text(isPrefixed: Bool = true) -> String? {
        let prefix = isPrefixed ? Self.prefix : ""
        var items: [String] = []
        if let returns { items.append("return=\(returns.rawValue)") }
        if let maximumPageSize { items.append("\(prefix)maxpagesize=\(maximumPageSize)") }
        if tracksChanges { items.append("\(prefix)track-changes") }
        if let continuesOnError {
            items.append("\(prefix)continue-on-error" + (continuesOnError ? "" : "=false"))
        }
        if allowsEntityReferences { items.append("\(prefix)allow-entityreferences") }
        if respondsAsynchronously { items.append("respond-async") }
        if let waitSeconds { items.append("wait=\(waitSeconds)") }
        if let includedAnnotations {
            items.append("\(prefix)include-annotations=\(Self.quoted(includedAnnotations))")
        }
        if let omittedValues {
            items.append("omit-values=\(HeaderText.quotedIfNeeded(omittedValues))")
        }
        for other in others {
            let value = other.value.isEmpty ? "" : "=" + HeaderText.quotedIfNeeded(other.value)
            items.append(other.name + value)
        }
        return items.isEmpty ? nil : items.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        let quoted = HeaderText.quotedIfNeeded(text)
        return quoted.hasPrefix("\"") ? quoted : "\"\(quoted)\""
    }
}
