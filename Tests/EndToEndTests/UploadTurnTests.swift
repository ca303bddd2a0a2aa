import ChildFixture
import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// Two processes upload one store at the same time.
@Suite struct UploadTurnTests {
    private struct Uploader {
        let process: ChildProcess

        init(_ place: CommandPlace) throws {
            process = try ChildProcess(
                Child.killChild, ["upload", place.store, place.url], input: .pipe, output: .pipe,
                errors: .pipe)
            #expect(try process.line() == "ready")
        }

        func go() throws { try process.send(line: "go") }

        func end() throws -> (end: ChildProcess.End, errors: String) {
            let text = try process.errors()
            return (try process.wait(), text)
        }
    }

    @Test func uploadsOfTwoProcessesTakeTurns() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let customer = try place.execute("SELECT CustomerId FROM Sites WHERE Id = 1")
            let rest = #""CustomerId":"\#(customer)","City":"B","Country":"DE","HasParking":true"#
            for number in 1...20 {
                let made = try place.odata(
                    "create", "Sites", #"{"Name":"turn \#(number)",\#(rest)}"#)
                #expect(made.status == 0, "\(made.errors)")
            }
            let uploaders = try (1...2).map { _ in try Uploader(place) }
            for uploader in uploaders { try uploader.go() }
            for uploader in uploaders {
                let end = try uploader.end()
                #expect(end.end == .exit(0), "\(end.errors)")
            }
            #expect(
                try place.execute(
                    "SELECT count(*), count(DISTINCT Name) FROM Sites WHERE Name LIKE 'turn %'")
                    == "20|20")
            let left = try Child.run(
                "/usr/bin/env", ["sqlite3", place.store, "SELECT state FROM _odata_request"])
            #expect(left.output.isEmpty, "\(left.output)")
        }
    }

    /// The lock goes with its process.
    @Test func anUploadThatWasKilledHoldsNobodyUp() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let arrived = DispatchSemaphore(value: 0)
            let goOn = DispatchSemaphore(value: 0)
            place.service.observer.setFaults { request, _ in
                guard request.method == "PATCH" else { return nil }
                arrived.signal()
                goOn.wait()
                return .loseAnswer
            }
            #expect(try place.odata("update", "Sites(1)", #"{"Name":"held"}"#).status == 0)
            let first = try Uploader(place)
            try first.go()
            #expect(arrived.wait(timeout: .now() + 300) == .success)
            first.process.send(signal: SIGKILL)
            place.service.observer.setFaults { _, _ in nil }
            goOn.signal()
            #expect(try first.process.wait() == .signal(SIGKILL))
            let second = try Uploader(place)
            try second.go()
            let end = try second.end()
            #expect(end.end == .exit(0), "\(end.errors)")
            #expect(try place.execute("SELECT Name FROM Sites WHERE Id = 1") == "held")
        }
    }
}
