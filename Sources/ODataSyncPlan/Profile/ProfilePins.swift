import ODataQuery
import ODataText

/// One entry of a ``ServiceProfile``, by the name under which it is shown and pinned.
package enum ProfileEntry: String, Sendable, Hashable, CaseIterable {
    /// The richest format of rows: `compact`, `parameters`, `plain` or `atom`.
    case format
    /// Whether `$batch` is used.
    case batch
    /// Whether changes are tracked; `tracking:Orders` for one set.
    case tracking
    /// Whether expansions are asked for; `expand:Orders` for one set.
    case expand
    /// How keys stand in paths: `parentheses` or `segments`.
    case keys
    /// The method of updates: `patch`, `merge` or `put`.
    case update
    /// Whether methods other than GET and POST are tunnelled.
    case tunnel
    /// Whether the service recognises repeated requests.
    case repeatable
    /// Whether answers bring a version header.
    case version

    /// What a pin of it may say.
    package var values: [String] {
        switch self {
        case .format: ReadForm.Format.allCases.map(\.rawValue)
        case .keys: KeyStyle.allCases.map(\.rawValue)
        case .update: UpdateMethod.allCases.map(\.rawValue)
        default: ["yes", "no"]
        }
    }

    fileprivate var takesSet: Bool { self == .tracking || self == .expand }
}

/// Entries of a profile that the app or a person has fixed: they count more than what is met, and nothing is learned over
/// them.
package struct ProfilePins: Sendable, Hashable {
    /// By name: that of an entry, with `:SET` behind it where it is of one set.
    package private(set) var values: [String: String] = [:]

    package init() {}

    /// Fixes an entry.
    ///
    /// - Throws: `usage` for a name or value that there is not.
    package mutating func pin(_ name: String, _ value: String) throws {
        let entry = try Self.entry(name)
        guard entry.values.contains(value) else {
            throw ODataError(
                .usage,
                "Expected \(entry.values.joined(separator: " or ")) for \(name), found \(value).",
                at: .path(name))
        }
        values[name] = value
    }

    /// Lets an entry be learned again.
    ///
    /// - Throws: `usage` for a name that there is not.
    package mutating func unpin(_ name: String) throws {
        _ = try Self.entry(name)
        values[name] = nil
    }

    private static func entry(_ name: String) throws -> ProfileEntry {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let entry = parts.first.flatMap({ ProfileEntry(rawValue: String($0)) }),
            parts.count == 1 || entry.takesSet && !parts[1].isEmpty
        else {
            let names = ProfileEntry.allCases.map { $0.takesSet ? "\($0)[:SET]" : "\($0)" }
            throw ODataError(
                .usage,
                "Expected one of \(names.joined(separator: ", ")), found \(name).", at: .path(name))
        }
        return entry
    }

    var format: ReadForm.Format? {
        values[ProfileEntry.format.rawValue].flatMap { ReadForm.Format(rawValue: $0) }
    }

    var keys: KeyStyle? {
        values[ProfileEntry.keys.rawValue].flatMap { KeyStyle(rawValue: $0) }
    }

    package var update: UpdateMethod? {
        values[ProfileEntry.update.rawValue].flatMap { UpdateMethod(rawValue: $0) }
    }

    /// What is fixed about an entry of yes or no.
    ///
    /// - Parameter source: the key of a download source, for entries that may be of one set.
    package func flag(_ entry: ProfileEntry, of source: String? = nil) -> Bool? {
        let own = source.flatMap { source -> String? in
            let name = source.drop { $0 != ":" }.dropFirst()
            return values["\(entry.rawValue):\(name)"]
        }
        return (own ?? values[entry.rawValue]).map { $0 == "yes" }
    }
}
