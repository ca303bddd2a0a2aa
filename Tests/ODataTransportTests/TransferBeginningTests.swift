import Foundation
import ODataQuery
import ODataTesting
import ODataText
import Testing

@testable import ODataTransport

/// What the system tells of transfers in the background, as rules that need no such system.
@Suite struct TransferBeginningTests {
    @Test("CSP-065 a beginning is told from others under its name")
    func aBeginningIsCurrentUntilItEndsOrAnotherIsBegun() throws {
        let place = try TestFolder.makeFast("beginnings")
        defer { try? FileManager.default.removeItem(at: place) }
        let folder = try TransferFolder(path: place.path)
        let first = TransferBeginning(name: "a-r-#1", nonce: "x")
        #expect(TransferBeginning(first.text) == first)
        #expect(TransferBeginning("nobody's") == nil)
        #expect(!first.isCurrent(in: folder))
        try folder.noteBeginning(of: first.name, nonce: first.nonce)
        #expect(first.isCurrent(in: folder))
        #expect(!TransferBeginning(name: first.name, nonce: "y").isCurrent(in: folder))
        try folder.keep(status: 200, headers: [:], of: first.name)
        #expect(!first.isCurrent(in: folder))
    }

    @Test("CSP-066 of a write that failed it is not known whether it came in")
    func onlyAReadEndsWhereTheLastTryDid() {
        #expect(TransferEnd.phase(ofMethod: "GET", proven: .connect) == .connect)
        #expect(TransferEnd.phase(ofMethod: "GET", proven: nil) == .wait)
        for method in ["POST", "PATCH", nil] {
            #expect(TransferEnd.phase(ofMethod: method, proven: .connect) == .wait)
        }
    }

    @Test(
        "CSP-065 what somebody else answers to a redirected request is no answer",
        arguments: [
            ("GET", "https://h/s/A", "GET", "https://h/s/B", true),
            ("GET", "https://h/s/A", "GET", "https://login/s/A", false),
            ("POST", "https://h/s/A", "GET", "https://h/s/A", false),
            ("POST", "https://h/s/A", nil, "https://h/s/A", true),
            ("POST", "https://h/s/A", "POST", nil, true),
        ] as [(String, String, String?, String?, Bool)])
    func anAnswerIsOfTheSameOriginAndMethod(
        method: String, url: String, last: String?, answered: String?, isTaken: Bool
    ) {
        #expect(TransferEnd.isAnswer(to: (method, url), (last, answered)) == isTaken)
    }

    @Test("CSP-065 a body that is shorter than its head says is no answer")
    func aBodyHasTheLengthOfItsHead() {
        let head: HeaderFields = ["Content-Length": "5"]
        #expect(TransferEnd.isWhole(bytes: 5, status: 200, headers: head))
        #expect(!TransferEnd.isWhole(bytes: 4, status: 200, headers: head))
        #expect(!TransferEnd.isWhole(bytes: nil, status: 200, headers: head))
        #expect(TransferEnd.isWhole(bytes: 0, status: 204, headers: head))
        #expect(TransferEnd.isWhole(bytes: 9, status: 200, headers: [:]))
        var packed = head
        packed["Content-Encoding"] = "gzip"
        #expect(TransferEnd.isWhole(bytes: 9, status: 200, headers: packed))
    }
}
