import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// What the lists say of the sendings of a request.
@Suite struct CommandQueueTests {
    private static func first(_ result: Child.Result) throws -> [String: Any] {
        let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require((list as? [[String: Any]])?.first, "\(result)")
    }

    @Test func listsTellAttemptsTimeAndLastAnswer() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try place.odata("sync", place.url).status == 0)
            #expect(try place.odata("update", "Sites(1)", #"{"Name":"x"}"#).status == 0)
            let before = try Self.first(place.odata("queue"))
            #expect(before["attempts"] as? Int == 0 && before["lastAnswer"] == nil)
            try place.execute("UPDATE Sites SET Name = 'theirs' WHERE Id = 1")
            place.service.stop()
            for count in 1...2 {
                let upload = try place.odata("upload")
                #expect(upload.status == 1, "\(upload)")
                let waiting = try Self.first(place.odata("queue"))
                #expect(waiting["attempts"] as? Int == count)
                #expect((waiting["lastSent"] as? String)?.hasPrefix("20") == true)
                let answer = try #require(waiting["lastAnswer"] as? [String: Any])
                #expect(answer["status"] == nil)
                let message = try #require(answer["message"] as? String)
                #expect(
                    message.hasPrefix("not sent: ")
                        && message.contains("no connection to 127.0.0.1"))
            }
            let table = try Child.odata("queue", "--store", place.store)
            #expect(table.output.contains("attempts") && table.output.contains("not sent: "))
            // What is piped is never cut.
            let answer = try Self.first(place.odata("queue"))["lastAnswer"] as? [String: Any]
            let message = try #require(answer?["message"] as? String)
            #expect(table.output.contains(message) && message.count > 72, "\(table.output)")
        }
    }

    @Test func aRefusalIsTheLastAnswerOfARequest() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try place.odata("sync", place.url).status == 0)
            let change = #"{"Title":"mine"}"#
            #expect(try place.odata("update", "WorkOrders(1)", change).status == 0)
            try place.execute("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            #expect(try place.odata("upload").status == 1)
            let failed = try Self.first(place.odata("errors"))
            #expect(failed["attempts"] as? Int == 1, "\(failed)")
            let answer = try #require(failed["lastAnswer"] as? [String: Any])
            #expect(answer["status"] as? Int == 412)
            #expect(answer["message"] as? String == failed["message"] as? String)
            // Sent again as it was: the count goes on, and the answer is the later one.
            #expect(try place.odata("upload").status == 1)
            #expect(try Self.first(place.odata("errors"))["attempts"] as? Int == 2)
            // The tag of the row as it is there now.
            #expect(try place.odata("download").status == 0)
            #expect(try place.odata("errors", "retry", "\(failed["id"] ?? 0)").status == 0)
            #expect(try place.odata("upload").status == 0)
            let rows = try Child.run(
                "/usr/bin/env",
                ["sqlite3", place.store, "SELECT count(*) FROM _odata_sending"])
            #expect(rows.output == "0\n", "\(rows)")
        }
    }
}
