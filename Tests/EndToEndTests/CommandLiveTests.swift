import ChildFixture
import Foundation
import ODataQuery
import ODataServer
import Testing

/// `odata download --live`.
@Suite struct CommandLiveTests {
    @Test func aChangeIsALineWhenItHappensAndTermEndsItWell() async throws {
        try await CommandPlace.synchronised { place in
            let process = try ChildProcess(
                Child.command, ["download", "--live", "--every", "86400", "--store", place.store],
                output: .pipe)
            #expect(try process.line().hasPrefix("downloaded=0 "))
            for _ in 0..<60_000 where place.service.heldRequests == 0 { usleep(1_000) }
            #expect(place.service.heldRequests > 0)
            let answer = place.service.respond(
                to: RequestMessage(
                    method: "PATCH", url: "/WorkOrders(1)",
                    headers: ["Host": "localhost", "Content-Type": "application/json"],
                    body: Array(#"{"Title":"Told"}"#.utf8)))
            #expect(answer.status == 204)
            #expect(try process.line() == "WorkOrders: 1 written, 0 removed")
            process.send(signal: SIGTERM)
            #expect(try process.wait(atMost: .seconds(60)) == .exit(0))
            let found = try place.odata("query", "WorkOrders(1)?$select=Title")
            #expect(found.output.contains("Told"), "\(found)")
        }
    }

    @Test func anIntervalNeedsTheFlag() throws {
        let result = try Child.odata("download", "--store", "/nowhere", "--every", "5")
        #expect(result.status == 2 && result.errors.contains("--every"))
    }
}
