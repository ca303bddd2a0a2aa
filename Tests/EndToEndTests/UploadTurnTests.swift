import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// Two processes upload one store at the same time.
@Suite struct UploadTurnTests {
    private struct Uploader {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()

        init(_ place: CommandPlace) throws {
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("KillChild")
            process.arguments = ["upload", place.store, place.url]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            _ = output.fileHandleForReading.availableData
        }

        func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

        func end() throws -> (status: Int32, errors: String) {
            let text = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: text, as: UTF8.self))
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
                #expect(end.status == 0, "\(end.errors)")
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
            arrived.wait()
            kill(first.process.processIdentifier, SIGKILL)
            place.service.observer.setFaults { _, _ in nil }
            goOn.signal()
            first.process.waitUntilExit()
            let second = try Uploader(place)
            try second.go()
            let end = try second.end()
            #expect(end.status == 0, "\(end.errors)")
            #expect(try place.execute("SELECT Name FROM Sites WHERE Id = 1") == "held")
        }
    }
}
