import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

/// Random and mangled requests: whatever comes, the answer is a 4xx or a 501, and the data stays as it was.
@Suite struct ServiceRobustnessTests {
    private static let urls = [
        "/Tools?$filter=Price%20gt%207%20and%20contains(Title,'a')&$select=Title&$expand=Loans($top=1)",
        "/Tools(1)/Owner/$ref", "/Loans(ToolId=1,Day=2031-05-02)/Note/$value",
        "/Members(1)/Tools?$orderby=Title%20desc,Id&$skip=1&$top=2&$count=true",
        "/Tags('a%2Fb')", "/$metadata?$format=xml", "/Tools/$count",
    ]
    private static let body =
        #"{"Title":"x","Price":1.5,"Bought":"2031-05-01T08:30:00Z","Owner@odata.bind":"Members(1)"}"#
    private static let batchBody =
        "--b\r\nContent-Type: application/http\r\n\r\nGET Tools(1) HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n--b--"

    private func mangled(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { break }
            let position = random.below(bytes.count)
            switch random.below(5) {
            case 0: bytes.remove(at: position)
            case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: position)
            case 2: bytes[position] = UInt8(truncatingIfNeeded: random.next())
            case 3: bytes.removeLast(bytes.count - position)
            default:
                let junk = ["(", ")", "'", "%", "$", "&", "=", "\"", "{", "[", ",", "\u{0}", "--b"]
                bytes.insert(contentsOf: Array(random.pick(junk).utf8), at: position)
            }
        }
        return bytes
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func mangledURLsNeverCrash(seed: UInt64) throws {
        let fixture = try ServiceFixture()
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            let bytes = mangled(random.pick(Self.urls), &random)
            let url = String(decoding: bytes, as: UTF8.self)
            let answer = fixture.service.respond(
                to: RequestMessage(method: "GET", url: url, headers: ["Host": "h"]))
            #expect(
                answer.status < 500 || answer.status == 501,
                "seed \(seed) round \(round): \(answer.status) for \(url) \(answer.text)")
        }
    }

    @Test(arguments: [4, 5] as [UInt64]) func mangledBodiesChangeAllOrNothing(seed: UInt64) throws {
        let fixture = try ServiceFixture()
        var random = SeededGenerator(seed: seed)
        for round in 0..<150 {
            let isBatch = random.chance(40)
            let bytes = mangled(isBatch ? Self.batchBody : Self.body, &random)
            let before = try fixture.value("SELECT count(*) FROM Tools")
            let answer = fixture.service.respond(
                to: RequestMessage(
                    method: "POST", url: isBatch ? "/$batch" : "/Tools",
                    headers: [
                        "Host": "h",
                        "Content-Type": isBatch
                            ? "multipart/mixed;boundary=b" : "application/json",
                    ], body: bytes))
            #expect(
                answer.status < 500 || answer.status == 501,
                "seed \(seed) round \(round): \(answer.status) \(answer.text)")
            if answer.status >= 400 {
                #expect(try fixture.value("SELECT count(*) FROM Tools") == before)
            }
        }
    }

    @Test(arguments: [6, 7] as [UInt64]) func mangledTokensAreRefused(seed: UInt64) throws {
        let fixture = try ServiceFixture { $0.defaultPageSize = 2 }
        let page = fixture.send("GET /Tools?$orderby=Title", ["Prefer: odata.track-changes"])
        let next = try #require(page.nextLink)
        let last = fixture.send(follow(next), ["Prefer: odata.track-changes"])
        let delta = try #require(last.deltaLink)
        #expect(fixture.send(follow(delta)).status == 200)
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            let link = random.chance(50) ? next : delta
            let start = link.range(of: "token=")?.upperBound ?? link.endIndex
            let token = mangled(String(link[start...]), &random)
            let url = link[..<start] + String(decoding: token, as: UTF8.self)
            let answer = fixture.send("GET \(url)")
            #expect(
                answer.status < 500 || answer.status == 501,
                "seed \(seed) round \(round): \(answer.status) for \(url)")
        }
    }

    @Test func limitsAreKept() throws {
        let fixture = try ServiceFixture { $0.maximumBodyBytes = 100 }
        let big = fixture.send(
            "POST /Tags", body: #"{"Name":"\#(String(repeating: "x", count: 200))"}"#)
        #expect(big.status == 413)
        let deep = String(repeating: "(", count: 20_000)
        #expect(fixture.send("GET /Tools?$filter=\(deep)").status == 400)
        let long = String(repeating: "Id%20eq%201%20or%20", count: 3_000) + "Id%20eq%202"
        let answer = fixture.send("GET /Tools?$filter=\(long)")
        #expect(answer.status == 200 || answer.status == 400, "\(answer.status)")
    }
}
