import ChildFixture
import Foundation
import ODataQuery
import ODataServer
import ODataTesting
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

    #if os(Linux)
        @Test func aServiceHasRoomForThousandsOfConnections() async throws {
            try await onOwnThread {
                let process = try ChildProcess(
                    "/bin/sh",
                    [
                        "-c", "ulimit -Sn 200; exec \"$0\" serve --sample fieldservice --port 0",
                        Child.command,
                    ], output: .pipe)
                _ = try process.line()
                let limits = try String(
                    contentsOfFile: "/proc/\(process.identifier)/limits", encoding: .utf8)
                process.send(signal: SIGTERM)
                #expect(try process.wait(atMost: .seconds(60)) == .exit(0))
                let files = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
                let number = files?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
                #expect(try #require(number) > 200, "\(limits)")
            }
        }
    #endif

    @Test func anIntervalNeedsTheFlag() throws {
        let result = try Child.odata("download", "--store", "/nowhere", "--every", "5")
        #expect(result.status == 2 && result.errors.contains("--every"))
    }
}
