import ODataModel

/// The method of an update that says what changed: `PATCH` in V4 (Protocol 4.01, section 11.4.3), `MERGE` in V2 (Operations
/// V2, section 2.6), and `PUT` of the whole row where a service takes neither.
package enum UpdateMethod: String, Sendable, Hashable, CaseIterable {
    case patch, merge, put

    /// As it stands in a request.
    package var verb: String { rawValue.uppercased() }

    package static func standard(_ dialect: Dialect) -> Self {
        dialect.updatesWithPatch ? .patch : .merge
    }

    /// What to try after a refusal that speaks of the method and not of the change.
    ///
    /// `Allow` names what the resource takes (RFC 9110, section 15.5.6). Without it a service of V2 may be one that came to
    /// know `PATCH` alone; a whole row is sent on its word only.
    ///
    /// - Parameter allow: the header of that name.
    /// - Returns: nil where nothing else is promising.
    package func next(afterStatus status: Int, allow: String?) -> Self? {
        guard Self.mayBeRefused(with: status) else { return nil }
        guard let allow else { return self == .merge ? .patch : nil }
        let verbs = Set(
            allow.split(separator: ",").map { $0.filter { !$0.isWhitespace }.uppercased() })
        guard !verbs.contains(verb) else { return nil }
        return Self.allCases.first { $0 != self && verbs.contains($0.verb) }
    }

    /// Whether a refusal may speak of the method and not of the change.
    package static func mayBeRefused(with status: Int) -> Bool { [405, 501].contains(status) }
}
