import ODataModel
import ODataText

/// Where a page begins: behind a row (by the values that order it) or, where those are not columns, at an offset.
package struct PagePosition: Sendable, Hashable {
    /// What `$top` leaves for this page and later ones; nil without `$top`.
    package var remaining: Int?
    /// The place in the log that a delta link on the last page starts from; nil when changes are not tracked.
    package var mark: String?
    package var values: [Scalar]?
    /// The types of ``values``.
    package var types: [PrimitiveType] = []
    package var offset: Int?
    /// How many rows the pages have that a client asked for once; nil where it says so each time.
    package var pageSize: Int?

    package init(remaining: Int?, mark: String?) {
        self.remaining = remaining
        self.mark = mark
    }

    /// Reads a `$skiptoken`; nil without one.
    ///
    /// - Throws: 400 for a token that this service did not give out for this query.
    package init?(token: String?, link: PageLink) throws {
        guard let token else { return nil }
        let fields = try ServiceToken(parsing: token, expecting: .page).fields
        let foreign = ODataError(
            .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
        guard fields.count >= 4, fields[0] == link.fingerprint else { throw foreign }
        remaining = Int(fields[1])
        mark = fields[2].isEmpty ? nil : fields[2]
        let start = fields[3].split(separator: "/", maxSplits: 1)
        pageSize = start.count > 1 ? Int(start[1]) : nil
        guard start.first == "v" else {
            offset = start.first.flatMap { Int($0) }
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

    package func token(fingerprint: String) -> String {
        var fields = [
            fingerprint, remaining.map(String.init) ?? "", mark ?? "",
        ]
        let size = pageSize.map { "/\($0)" } ?? ""
        if let values {
            fields.append("v" + size)
            for (value, type) in zip(values, types) {
                fields.append(
                    "\(type.rawValue):" + (value == .null ? "n" : "=" + Lexical.text(value)))
            }
        } else {
            fields.append(String(offset ?? 0) + size)
        }
        return ServiceToken(.page, fields).text
    }
}

/// The URL of a collection read, from which next and delta links are made.
package struct PageLink: Sendable {
    private let path: Substring
    private let options: [Substring]

    package init(_ relativeURL: String) {
        let parts = relativeURL.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        options = (parts.dropFirst().first ?? "").split(separator: "&").filter {
            let name = Self.name($0)
            return name != "$skiptoken" && name != "$deltatoken"
        }
    }

    /// Tells queries apart; the token itself is not part of it.
    package var fingerprint: String { Fingerprint.text(of: text(options)) }

    /// The URL of the page that begins at `position`.
    package func with(_ position: PagePosition) -> String {
        with(skipToken: position.token(fingerprint: fingerprint))
    }

    /// The URL of the page that begins at `position`.
    package func with(_ position: RowPosition) -> String {
        with(skipToken: position.token(fingerprint: fingerprint))
    }

    /// The URL of the page that a token names.
    package func with(skipToken: String) -> String {
        text(options + ["$skiptoken=\(skipToken)"[...]])
    }

    /// The URL of what the query defines, without paging and format.
    package var definingQuery: String {
        text(options.filter { ["$filter", "$select", "$expand"].contains(Self.name($0)) })
    }

    /// The path with a delta token.
    package func delta(_ token: String) -> String { text(["$deltatoken=\(token)"]) }

    private func text(_ options: [Substring]) -> String {
        options.isEmpty ? String(path) : path + "?" + options.joined(separator: "&")
    }

    private static func name(_ option: Substring) -> String {
        let name = option.prefix { $0 != "=" }.lowercased()
        let decoded = name.hasPrefix("%24") ? "$" + name.dropFirst(3) : name
        return decoded.hasPrefix("$") ? decoded : "$" + decoded
    }
}
