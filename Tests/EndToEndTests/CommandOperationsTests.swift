import ChildFixture
import Foundation
import ODataCommand
import ODataTesting
import Testing

/// What whoever watches over `odata serve` sees of it.
@Suite(.serialized) struct CommandOperationsTests {
    private static func curl(_ arguments: String...) throws -> String {
        try Child.run("/usr/bin/env", ["curl", "-s", "-m", "60"] + arguments).output
    }

    @Test func healthCountsAndLogAreTold() async throws {
        try await onOwnThread {
            let service = try ServeProcess([
                "--sample", "fieldservice", "--scale", "100", "--management-port", "0",
                "--access-log",
            ])
            defer { service.end() }
            let start = Date()
            while !service.said.contains("managed on "), Date().timeIntervalSince(start) < 30 {
                usleep(10_000)
            }
            let line = service.said.split(separator: "\n").first { $0.hasPrefix("managed on ") }
            let management = String(try #require(line).dropFirst("managed on ".count))
            #expect(try Self.curl(management + "health") == "ready\n")
            #expect(try Self.curl(management + "health/live") == "live\n")
            #expect(try Self.curl(management + "health/ready") == "ready\n")
            #expect(
                try Self.curl("-o", "/dev/null", "-w", "%{http_code}", management + "x") == "404")
            #expect(
                try Self.curl(
                    "-o", "/dev/null", "-w", "%{http_code}", "-d", "x", management + "health")
                    == "405")
            _ = try Self.curl(service.url + "Sites?$filter=Name%20eq%20'secret'")
            _ = try Self.curl(service.url + "Nowhere")
            let metrics = try Self.curl(management + "metrics")
            #expect(
                metrics.contains(#"odata_requests_total{method="GET",status="200"} 1"#),
                "\(metrics)")
            #expect(metrics.contains(#"odata_requests_total{method="GET",status="404"} 1"#))
            #expect(metrics.contains("odata_requests_held 0"))
            // Nothing of it is in the way of the service's own names.
            #expect(
                try Self.curl("-o", "/dev/null", "-w", "%{http_code}", service.url + "health")
                    == "404")
            let log = service.said
            #expect(log.contains("GET /Sites") && log.contains("status=404"), "\(log)")
            #expect(!log.contains("secret"))
            #expect(try service.end(by: SIGTERM).number == 0)
        }
    }

    @Test func aRequestThatWaitsIsAnsweredWhenTheServiceEnds() async throws {
        try await onOwnThread {
            let service = try ServeProcess(["--sample", "fieldservice", "--scale", "100"])
            defer { service.end() }
            let page = try Self.curl("-H", "Prefer: odata.track-changes", service.url + "Sites")
            let link = try #require(
                page.components(separatedBy: "@odata.deltaLink\":\"").last?.prefix { $0 != "\"" })
            let answered = DispatchSemaphore(value: 0)
            let box = Box()
            Thread.detachNewThread {
                box.text = (try? Self.curl("-D", "-", "-H", "Prefer: wait=50", String(link))) ?? ""
                answered.signal()
            }
            usleep(1_500_000)
            let start = Date()
            #expect(try service.end(by: SIGTERM).number == 0)
            answered.wait()
            #expect(Date().timeIntervalSince(start) < 9)
            #expect(
                box.text.hasPrefix("HTTP/1.1 200 ") && box.text.contains("deltatoken"),
                "\(box.text)")
        }
    }

    private final class Box: @unchecked Sendable {  // handed over by the semaphore
        var text = ""
    }

    @Test func wrongSettingsAreBadInput() async throws {
        try await onOwnThread {
            for arguments in [
                ["--management-port", "70000"], ["--requests-per-second", "0"],
                ["--drain-time", "-1"], ["--requests-per-second", "many"],
            ] {
                let result = try Child.run(
                    Child.command, ["serve", "--sample", "fieldservice"] + arguments)
                #expect(result.status == 2, "\(arguments): \(result)")
            }
        }
    }
}
