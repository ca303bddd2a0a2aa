import ErrorFixture
import ODataQuery
import ODataText
import ODataWorld
import Synchronization
import Testing

@testable import ODataTransport

/// A peer that answers from a function and remembers what it was asked.
private final class Peer: Sendable {
    let seen = Mutex<[RequestMessage]>([])
    private let answer: @Sendable (RequestMessage, Int) throws -> ResponseMessage

    init(_ answer: @escaping @Sendable (RequestMessage, Int) throws -> ResponseMessage) {
        self.answer = answer
    }

    var transport: LoopbackTransport {
        LoopbackTransport { [self] request in
            let count = seen.withLock {
                $0.append(request)
                return $0.count
            }
            return try answer(request, count)
        }
    }

    var requests: [RequestMessage] { seen.withLock { $0 } }
}

@Suite struct ServiceConnectionTests {
    @Test(arguments: [
        ("Tools(7)", "http://h/svc/Tools(7)"),
        ("/svc/Tools?$skiptoken=8", "http://h/svc/Tools?$skiptoken=8"),
        ("https://other/x", "https://other/x"),
        ("Tools?$filter=At eq 10:30:00", "http://h/svc/Tools?$filter=At eq 10:30:00"),
        ("", "http://h/svc/"),
    ])
    func urlsResolveAgainstTheRoot(reference: String, absolute: String) {
        #expect(ServiceURL.absolute(reference, root: "http://h/svc/") == absolute)
    }

    /// A read that goes as POST is repeated as reads are, and needs no token.
    @Test(arguments: ["X-HTTP-Method", "X-Odd-Method"]) func aTunnelledReadIsARead(
        header: String
    ) throws {
        let peer = Peer { request, count in
            if request.method == "GET" {
                return ResponseMessage(status: 200, headers: ["X-CSRF-Token": "t"])
            }
            guard count > 2 else { throw ODataError(.network, "Gone.") }
            return ResponseMessage(status: 200)
        }
        let connection = ServiceConnection(root: "http://h/svc", transport: peer.transport)
        connection.configuration.tunnellingHeader = header
        try connection.acquireToken()
        let read = RequestMessage(
            method: "POST", url: "Tools", headers: HeaderFields([.init(name: header, value: "GET")])
        )
        #expect(try connection.exchange(read).status == 200)
        #expect(peer.requests.map(\.method) == ["GET", "POST", "POST"])
        #expect(peer.requests[1].headers["X-CSRF-Token"] == nil)
        // What changes something is sent once, under whatever name.
        for method in ["MERGE", "DELETE"] {
            let write = RequestMessage(
                method: "POST", url: "Tools",
                headers: HeaderFields([.init(name: header, value: method)]))
            _ = try connection.exchange(write)
            #expect(peer.requests.last?.headers["X-CSRF-Token"] == "t")
        }
    }

    @Test func aTunnelledWriteIsNotRepeatedAfterALostAnswer() throws {
        let peer = Peer { _, _ in throw ODataError(.network, "Gone.") }
        let connection = ServiceConnection(root: "http://h/svc", transport: peer.transport)
        #expect(throws: ODataError.self) {
            try connection.exchange(
                RequestMessage(
                    method: "POST", url: "Tools(1)", headers: ["X-HTTP-Method": "MERGE"]))
        }
        #expect(peer.requests.count == 1)
    }

    @Test func aRefusedWriteFetchesATokenOnceAndIsRepeated() throws {
        let peer = Peer { request, count in
            switch count {
            case 1: ResponseMessage(status: 403, headers: ["x-csrf-token": "Required"])
            case 2:
                ResponseMessage(
                    status: 200, headers: ["X-CSRF-Token": "abc==", "Set-Cookie": "sid=1; Path=/"])
            default: ResponseMessage(status: 204)
            }
        }
        let connection = ServiceConnection(root: "http://h/svc", transport: peer.transport)
        let answer = try connection.exchange(RequestMessage(method: "DELETE", url: "Tools(7)"))
        #expect(answer.status == 204)
        #expect(peer.requests.map(\.method) == ["DELETE", "GET", "DELETE"])
        #expect(peer.requests[1].headers["X-CSRF-Token"] == "Fetch")
        #expect(peer.requests[2].headers["X-CSRF-Token"] == "abc==")
        #expect(peer.requests[2].headers["Cookie"] == "sid=1")
    }

    @Test func aForbiddenWriteIsNotRepeated() throws {
        let peer = Peer { _, _ in ResponseMessage(status: 403) }
        let connection = ServiceConnection(root: "http://h/svc/", transport: peer.transport)
        #expect(try connection.exchange(RequestMessage(method: "POST", url: "Tools")).status == 403)
        #expect(peer.requests.count == 1)
    }

    @Test func aReadSurvivesTwoNetworkFailuresAndAWriteNone() throws {
        let peer = Peer { request, count in
            guard count == 3, request.method == "GET" else { throw ODataError(.network, "cut") }
            return ResponseMessage(status: 200)
        }
        let connection = ServiceConnection(root: "http://h/svc/", transport: peer.transport)
        #expect(try connection.exchange(RequestMessage(method: "GET", url: "Tools")).status == 200)
        #expect(
            failure {
                try connection.exchange(RequestMessage(method: "POST", url: "Tools"))
            } == Failure(.network, at: .resource(host: "h", path: "/svc/Tools")))
        #expect(peer.requests.count == 4)
    }

    /// Without the trait nothing here compresses: that is the program's to mend, and nothing is sent (decision 0012).
    @Test func bodiesAreCompressedOrRefusedBeforeAnythingIsSent() throws {
        let peer = Peer { _, _ in ResponseMessage(status: 204) }
        let connection = ServiceConnection(root: "http://h/svc", transport: peer.transport)
        connection.configuration.compressesRequests = true
        var write = RequestMessage(method: "POST", url: "Tools")
        write.body = Array(repeating: 0x61, count: 4_000)
        #if AsyncHTTPClient
            #expect(try connection.exchange(write).status == 204)
            let sent = try #require(peer.requests.last)
            #expect(sent.headers["Content-Encoding"] == "gzip" && sent.body.count < 400)
        #else
            #expect(failure { _ = try connection.exchange(write) }?.code == "usage")
            #expect(peer.requests.isEmpty)
        #endif
    }

    @Test func credentialsAndHeadersGoWithEveryRequest() throws {
        let peer = Peer { _, _ in ResponseMessage(status: 200) }
        var configuration = ServiceConnection.Configuration()
        configuration.credentials = .basic(user: "mia", password: "saw!")
        configuration.headers = ["Client-Instance-ID": "g-1"]
        configuration.urlSuffix = "/v1"
        let connection = ServiceConnection(
            root: "http://h/svc/", transport: peer.transport, configuration: configuration)
        _ = try connection.exchange(RequestMessage(method: "GET", url: "Tools?$top=1"))
        #expect(peer.requests[0].headers["Authorization"] == "Basic bWlhOnNhdyE=")
        #expect(peer.requests[0].headers["Client-Instance-ID"] == "g-1")
        #expect(peer.requests[0].url == "http://h/svc/Tools/v1?$top=1")
    }
}
