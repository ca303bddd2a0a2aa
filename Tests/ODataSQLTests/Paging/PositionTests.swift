import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import Testing

/// Where pages begin, as opaque texts that come back unread or not at all.
@Suite struct PositionTests {
    private static let link = PageLink("Customers?$orderby=Name&$top=7")
    private static let foreign = Failure(
        .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
    private static let unknown = Failure(
        .invalidQuery, "Expected a token that this service gave out, found another text.",
        status: 400)

    private static let rows: [[SQLArgument]] = [
        [.null], [.integer(.min), .integer(.max)], [.real(-0.0), .real(.infinity)],
        [.text("")], [.text("\u{301}a"), .text("a\u{1F}b\u{1E}c"), .text("'; DROP")],
        [.blob([]), .blob([0, 0x1F, 255])],
    ]

    @Test(arguments: rows)
    func theValuesOfARowComeBackAsTheyStood(_ values: [SQLArgument]) throws {
        let position = RowPosition(remaining: 3, pageSize: 2, values: values)
        let token = position.token(fingerprint: "f")
        #expect(
            token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        #expect(try RowPosition(token: token, fingerprint: "f") == position)
    }

    @Test func notANumberComesBackBitForBit() throws {
        let position = RowPosition(remaining: nil, pageSize: 1, values: [.real(.nan)])
        let token = position.token(fingerprint: "f")
        let read = try #require(try RowPosition(token: token, fingerprint: "f"))
        guard case .real(let number)? = read.values.first else {
            Issue.record("Expected a number, found \(read.values).")
            return
        }
        #expect(number.isNaN && read.remaining == nil && read.values.count == 1)
    }

    @Test func aTokenServesItsQueryAlone() throws {
        let token = RowPosition(remaining: nil, pageSize: 1, values: [.integer(1)])
            .token(fingerprint: "f")
        #expect(failure { try RowPosition(token: token, fingerprint: "g") } == Self.foreign)
        #expect(failure { try PagePosition(token: token, link: Self.link) } == Self.unknown)
        #expect(try RowPosition(token: nil, fingerprint: "f") == nil)
        let none = ServiceToken(.rows, ["f", "", "0", "n"]).text
        #expect(failure { try RowPosition(token: none, fingerprint: "f") } == Self.foreign)
    }

    @Test func everyEditOfATokenIsRefused() {
        let token = Array(
            RowPosition(remaining: nil, pageSize: 1, values: [.text("Ann")])
                .token(fingerprint: "f"))
        var refused = 0
        for index in token.indices {
            var edited = token
            edited[index] = edited[index] == "A" ? "B" : "A"
            for text in [String(edited), String(token.prefix(index))] {
                #expect(
                    failure { try RowPosition(token: text, fingerprint: "f") } == Self.unknown,
                    "\(text)")
                refused += 1
            }
        }
        #expect(refused == 2 * token.count && refused > 20)
    }

    @Test func theValuesOfAServicesPageKeepTheirTypes() throws {
        var position = PagePosition(remaining: 5, mark: "12")
        position.values = [.string("a/b"), .null, .integer(-7)]
        position.types = [.string, .date, .int32]
        position.pageSize = 3
        let token = position.token(fingerprint: Self.link.fingerprint)
        #expect(try PagePosition(token: token, link: Self.link) == position)
        let other = PageLink("Customers?$orderby=Name&$top=8")
        #expect(failure { try PagePosition(token: token, link: other) } == Self.foreign)
    }

    @Test(arguments: [nil, 4]) func aCountedPageKeepsItsOffset(pageSize: Int?) throws {
        var position = PagePosition(remaining: nil, mark: nil)
        position.offset = 20
        position.pageSize = pageSize
        let token = position.token(fingerprint: Self.link.fingerprint)
        #expect(try PagePosition(token: token, link: Self.link) == position)
    }

    @Test func tokensAreNoPartOfWhatTellsQueriesApart() {
        let plain = PageLink("Orders?$filter=Id gt 1&$select=Id&$top=2")
        let paged = PageLink(
            "Orders?$filter=Id gt 1&%24skiptoken=x&$select=Id&deltatoken=y&$top=2")
        #expect(plain.fingerprint == paged.fingerprint)
        #expect(plain.fingerprint != PageLink("Orders?$filter=Id gt 2&$select=Id").fingerprint)
        #expect(paged.definingQuery == "Orders?$filter=Id gt 1&$select=Id")
        #expect(paged.delta("z") == "Orders?$deltatoken=z")
    }
}
