import ODataSQL
import ODataText

/// Where a page of `$all` begins: behind an entity of one of its sets (Protocol 4.01, section 11.2.6.7).
struct AllPosition: Hashable {
    /// The set or singleton of the last entity before it.
    var source: String
    /// The place among the entities of that one, and what `$top` leaves of all.
    var page: PagePosition

    init(source: String, page: PagePosition) {
        self.source = source
        self.page = page
    }

    /// Reads a `$skiptoken`; nil without one.
    ///
    /// - Throws: 400 for a token that was not given out for this query.
    init?(token: String?, link: PageLink) throws {
        guard let token else { return nil }
        let fields = try ServiceToken(parsing: token, expecting: .all).fields
        guard fields.count == 2, let page = try PagePosition(token: fields[1], link: link) else {
            throw ODataError(
                .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
        }
        self.init(source: fields[0], page: page)
    }

    func token(fingerprint: String) -> String {
        ServiceToken(.all, [source, page.token(fingerprint: fingerprint)]).text
    }
}
