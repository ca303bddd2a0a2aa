import ODataModel
import ODataText

/// Where a page begins: behind a row (by the values that order it) or, where those are not columns, at an offset.
struct PagePosition {
    /// What `$top` leaves for this page and later ones; nil without `$top`.
    var remaining: Int?
    /// The sequence that a delta link on the last page starts from; nil when changes are not tracked.
    var sequence: Int64?
    var values: [Scalar]?
    /// The types of ``values``.
    var types: [PrimitiveType] = []
    var offset: Int?

    init(remaining: Int?, sequence: Int64?) {
        self.remaining = remaining
        self.sequence = sequence
    }

    /// Reads a `$skiptoken`; nil without one.
    ///
    /// - Throws: 400 for a token that this service did not give out for this query.
    init?(token: String?, link: PageLink) throws {
        guard let token else { return nil }
        let fields = try ServiceToken(parsing: token, expecting: .page).fields
        let foreign = ODataError(
            .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
        guard fields.count >= 4, fields[0] == link.fingerprint else { throw foreign }
        remaining = Int(fields[1])
        sequence = Int64(fields[2])
        guard fields[3] == "v" else {
            offset = Int(fields[3])
            guard offset != nil else { throw foreign }
            return
        }
        var scalars: [Scalar] = []
        for field in fields.dropFirst(4) {
            guard let code = UInt8(field.prefix { $0 != ":" }),
                let type = PrimitiveType(rawValue: code),
                let colon = field.firstIndex(of: ":")
            else { throw foreign }
            let text = field[field.index(after: colon)...]
            scalars.append(
                text == "n" ? .null : try Lexical.parse(String(text.dropFirst()), as: type))
            types.append(type)
        }
        values = scalars
    }

    func token(fingerprint: String) -> String {
        var fields = [
            fingerprint, remaining.map(String.init) ?? "", sequence.map { String($0) } ?? "",
        ]
        if let values {
            fields.append("v")
            for (value, type) in zip(values, types) {
                fields.append(
                    "\(type.rawValue):" + (value == .null ? "n" : "=" + Lexical.text(value)))
            }
        } else {
            fields.append(String(offset ?? 0))
        }
        return ServiceToken(.page, fields).text
    }
}

/// The URL of a collection read, from which next and delta links are made.
struct PageLink {
    private let path: Substring
    private let options: [Substring]

    init(_ relativeURL: String) {
        let parts = relativeURL.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        options = (parts.dropFirst().first ?? "").split(separator: "&").filter {
            let name = Self.name($0)
            return name != "$skiptoken" && name != "$deltatoken"
        }
    }

    /// Tells queries apart; the token itself is not part of it.
    var fingerprint: String { Fingerprint.text(of: text(options)) }

    /// The URL of the page that begins at `position`.
    func with(_ position: PagePosition) -> String {
        text(options + ["$skiptoken=\(position.token(fingerprint: fingerprint))"[...]])
    }

    /// The URL of what the query defines, without paging and format.
    var definingQuery: String {
        text(options.filter { ["$filter", "$select"].contains(Self.name($0)) })
    }

    /// The path with a delta token.
    func delta(_ token: String) -> String { text(["$deltatoken=\(token)"]) }

    private func text(_ options: [Substring]) -> String {
        options.isEmpty ? String(path) : path + "?" + options.joined(separator: "&")
    }

    private static func name(_ option: Substring) -> String {
        let name = option.prefix { $0 != "=" }.lowercased()
        let decoded = name.hasPrefix("%24") ? "$" + name.dropFirst(3) : name
        return decoded.hasPrefix("$") ? decoded : "$" + decoded
    }
}

/// A short text that tells texts apart (FNV-1a, 64 bits): not for secrets.
enum Fingerprint {
    static func text(of string: String) -> String { text(of: Array(string.utf8)) }

    static func text(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 36)
    }
}
