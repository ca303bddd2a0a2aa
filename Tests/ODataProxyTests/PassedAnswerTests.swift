import Foundation
import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import StrictService
import Synchronization
import Testing

/// What a client of a proxy hears when the service behind it does not answer as one does.
@Suite struct PassedAnswerTests {
    @Test(arguments: [
        (200, "text/html", "<html><title>Welcome</title></html>", 502),
        (302, "text/html", "", 502), (401, "application/json", "{}", 502),
        (200, "application/json", "", 502), (503, "text/html", "", 503),
        (502, "text/html", "", 502), (504, "text/plain", "", 504), (500, "text/plain", "", 502),
    ])
    func whoeverElseAnswersIsNoSuccess(
        _ status: Int, _ type: String, _ body: String, _ wanted: Int
    ) async throws {
        try await PassPlace.run { place in
            var answer = ResponseMessage(
                status: status, headers: ["Content-Type": type], body: Array(body.utf8))
            if status == 302 { answer.headers["Location"] = "https://login.example/" }
            if status == 503 { answer.headers["Retry-After"] = "17" }
            place.front.failNextChange(.answer(answer))
            let heard = place.ask("POST", "/Tools", #"{"Title":"x"}"#)
            #expect(heard.status == wanted, "\(heard.json)")
            #expect(heard.json["error"]?["code"]?.string?.hasPrefix("origin") == true)
            #expect(heard.headers["Retry-After"] == (status == 503 ? "17" : nil))
            #expect(place.effects.isEmpty)
            #expect(place.get("/Tools/$count").body == Array("3".utf8))
        }
    }

    @Test func tokensOfTheOriginAreFetchedByItself() async throws {
        try await PassPlace.run { place in
            place.front.setFault { request in
                let token = request.headers["X-CSRF-Token"]
                if request.method == "GET", token == "Fetch" {
                    return .answer(
                        ResponseMessage(
                            status: 200,
                            headers: [
                                "X-CSRF-Token": "t1", "OData-Version": "4.0",
                                "Content-Type": "application/json", "Set-Cookie": "session=s1",
                            ], body: Array("{}".utf8)))
                }
                guard request.method != "GET",
                    token != "t1" || request.headers["Cookie"]?.contains("session=s1") != true
                else { return nil }
                return .answer(
                    ResponseMessage(status: 403, headers: ["X-CSRF-Token": "Required"], body: []))
            }
            #expect(place.ask("POST", "/Tools", #"{"Title":"x"}"#).status == 201)
            #expect(place.ask("POST", "/Tools", #"{"Title":"y"}"#).status == 201)
            #expect(place.effects == ["create Tools(101)", "create Tools(102)"])
        }
    }

    /// A reading that began before a change brings the state from before it.
    @Test func aReadingOnItsWayTakesNothingBack() async throws {
        try await PassPlace.run { place in
            let proxy = place.proxy
            let tag = place.ifMatch("/Tools(1)")
            let removal = place.ifMatch("/Tools(2)")
            let isDone = Flag()
            place.front.setFault { request in
                guard request.method == "GET", request.url.contains("Tools"),
                    !request.url.contains("Tools("), isDone.value.withLock({ !$0 })
                else { return nil }
                isDone.value.withLock { $0 = true }
                return .after {
                    for (method, url, body, header) in [
                        ("PATCH", "/Tools(1)", #"{"Title":"new"}"#, [tag]),
                        ("DELETE", "/Tools(2)", "", [removal]),
                        ("POST", "/Tools", #"{"Title":"made"}"#, []),
                    ] {
                        let request = PassPlace.request(method, url, body, header)
                        let answer = proxy.service.respond(to: request)
                        #expect(answer.isSuccess, "\(answer.json)")
                    }
                }
            }
            proxy.sweep()
            #expect(isDone.value.withLock { $0 })
            func expectNew() {
                #expect(place.get("/Tools(1)").json["Title"]?.string == "new")
                #expect(place.get("/Tools(2)").status == 404)
                #expect(place.get("/Tools(101)").json["Title"]?.string == "made")
            }
            expectNew()
            proxy.sweep()
            expectNew()
            // What others do to the same rows is seen again.
            place.strict.rename(1, "theirs")
            place.strict.remove(101)
            proxy.sweep()
            #expect(place.get("/Tools(1)").json["Title"]?.string == "theirs")
            #expect(place.get("/Tools(101)").status == 404)
        }
    }

    private final class Flag: Sendable { let value = Mutex(false) }

    /// Those who read are not kept waiting by those who write to a service that does not answer.
    @Test func onlySoManyChangesAreOnTheirWay() async throws {
        try await PassPlace.run(adjusting: { $0.service.workerThreads = 2 }) { place in
            let (arrived, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            place.front.failNextChange(
                .before {
                    arrived.signal()
                    goOn.wait()
                })
            let service = place.proxy.service
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let request = PassPlace.request("POST", "/Tools", #"{"Title":"slow"}"#, [])
                #expect(service.respond(to: request).status == 201)
                done.signal()
            }
            arrived.wait()
            let refused = place.ask("POST", "/Tools", #"{"Title":"second"}"#)
            #expect(refused.status == 503)
            #expect(refused.headers["Retry-After"] != nil)
            #expect(place.get("/Tools/$count").status == 200)
            goOn.signal()
            done.wait()
            #expect(place.effects == ["create Tools(101)"])
        }
    }
}
