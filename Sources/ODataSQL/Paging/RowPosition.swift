import ODataText

/// Where a page of a local read begins: behind the row that these values order, as they stand in the store.
package struct RowPosition: Sendable, Hashable {
    /// What `$top` leaves for this page and later ones; nil without `$top`.
    package var remaining: Int?
    /// How many rows the pages have that a client asked for once.
    package var pageSize: Int
    package var values: [SQLArgument]

    package init(remaining: Int?, pageSize: Int, values: [SQLArgument]) {
        self.remaining = remaining
        self.pageSize = pageSize
        self.values = values
    }

    /// Reads a `$skiptoken`; nil without one.
    ///
    /// - Throws: 400 for a token that was not given out for this query.
    package init?(token: String?, fingerprint: String) throws {
        guard let token else { return nil }
        let fields = try ServiceToken(parsing: token, expecting: .rows).fields
        let foreign = ODataError(
            .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
        guard fields.count > 3, fields[0] == fingerprint, let size = Int(fields[2]), size > 0
        else { throw foreign }
        remaining = Int(fields[1])
        pageSize = size
        values = try fields.dropFirst(3).map { field in
            guard let value = Self.value(field) else { throw foreign }
            return value
        }
    }

    package func token(fingerprint: String) -> String {
        let head = [fingerprint, remaining.map(String.init) ?? "", String(pageSize)]
        return ServiceToken(.rows, head + values.map(Self.field)).text
    }

    private static func field(_ value: SQLArgument) -> String {
        switch value {
        case .null, .parentRows: "n"
        case .integer(let value): "i\(value)"
        case .real(let value): "r\(value.bitPattern)"
        case .text(let text): "t" + text
        case .blob(let bytes): "b" + Base64.text(bytes, isPadded: false)
        }
    }

    private static func value(_ field: String) -> SQLArgument? {
        // By scalars: a text may begin with a mark that combines with the letter before it.
        let rest = String(String.UnicodeScalarView(field.unicodeScalars.dropFirst()))
        switch field.unicodeScalars.first {
        case "n": return rest.isEmpty ? .null : nil
        case "i": return Int64(rest).map { .integer($0) }
        case "r": return UInt64(rest).map { .real(Double(bitPattern: $0)) }
        case "t": return .text(rest)
        case "b": return Base64.bytes(rest).map { .blob($0) }
        default: return nil
        }
    }
}
