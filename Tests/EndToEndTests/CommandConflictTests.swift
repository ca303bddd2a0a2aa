import Foundation
import GRDB
import ODataCommand
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Testing

/// Conflicts, refused requests and requests of unknown fate, as the command settles them.
@Suite struct CommandConflictTests {
    /// A change here and one there of the same row.
    private static func collide(_ place: CommandPlace) throws {
        #expect(try place.odata("update", "WorkOrders(1)", #"{"Title":"mine"}"#).status == 0)
        try place.execute("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
    }

    private static func served(_ place: CommandPlace) throws -> String {
        try place.execute("SELECT Title FROM WorkOrders WHERE Id = 1")
    }

    private static func ids(_ place: CommandPlace, _ list: String) throws -> [String] {
        let result = try place.odata(list, "list")
        return (try JSONValue(parsing: Array(result.output.utf8)).array ?? []).compactMap {
            $0["id"]?.number
        }
    }

    private static func expectEmpty(_ place: CommandPlace) throws {
        #expect(try ids(place, "errors").isEmpty && ids(place, "queue").isEmpty)
    }

    // MARK: Policies

    @Test func aPolicyDecidesAndTheOutputTellsWhatWasThere() async throws {
        try await CommandPlace.synchronised { place in
            try Self.collide(place)
            let upload = try place.odata("upload", "--on-conflict", "WorkOrders=clientWins")
            #expect(upload.status == 0, "\(upload.errors)")
            #expect(try Self.served(place) == "mine")
            #expect(
                upload.output.contains(
                    #""overwritten":[{"entity":"WorkOrders(1)","policy":"clientWins","#
                        + #""overwritten":"service","before":{"Title":"theirs"},"after":{"Title":"mine"}}]"#
                ), "\(upload.output)")
            let events = try place.odata("events").output
            #expect(events.contains("overwrite") && events.contains("theirs"))
            try Self.expectEmpty(place)
        }
    }

    @Test func theServerWinsInASync() async throws {
        try await CommandPlace.synchronised { place in
            try Self.collide(place)
            let sync = try Child.odata(
                "sync", place.url, "--store", place.store, "--on-conflict", "WorkOrders=serverWins")
            #expect(sync.status == 0, "\(sync.errors)")
            #expect(sync.output.contains("serverWins: the local WorkOrders(1) was overwritten"))
            #expect(try Self.served(place) == "theirs")
            #expect(try place.odata("query", "WorkOrders(1)/Title").output.contains("theirs"))
            try Self.expectEmpty(place)
        }
    }

    /// As the last upload of the store's app has left it.
    @Test func theCommandKeepsToWhatTheAppHasSetAndNamesWhatOnlyTheAppDecides() async throws {
        try await CommandPlace.synchronised { place in
            try DatabaseQueue(path: place.store).write { database in
                try database.execute(
                    sql: "INSERT INTO _odata_meta (name, value) VALUES ('writeRules', ?)",
                    arguments: [
                        #"{"Sites":{"conflicts":"resolver"},"#
                            + #""WorkOrders":{"conflicts":"serverWins"}}"#
                    ])
            }
            try Self.collide(place)
            let upload = try place.odata("upload")
            #expect(upload.status == 0, "\(upload.errors)")
            #expect(upload.output.contains(#""policy":"serverWins","overwritten":"local""#))
            #expect(upload.output.contains(#""undecidedSets":["Sites"]"#), "\(upload.output)")
            #expect(try Self.served(place) == "theirs")
            try Self.expectEmpty(place)
        }
    }

    @Test func whatTheServiceDoesNotHaveIsBadInput() async throws {
        try await CommandPlace.synchronised { place in
            let wrong = [
                ["--on-conflict", "WorkOrders=somebody"], ["--on-conflict", "Nothing=clientWins"],
                ["--on-conflict", "WorkOrders"], ["--probe", "WorkOrders=Nothing"],
                ["--probe", "Nothing=Title"], ["--compare-before-write", "Nothing"],
            ]
            for arguments in wrong {
                let result = try place.odata(["upload"] + arguments)
                #expect(result.status == 2, "\(arguments) \(result.errors)")
            }
        }
    }

    // MARK: Refused requests

    /// A change that met 412, a deletion that did, a creation that the service refuses, and a change of what it made.
    @Test func everyKindOfRefusedRequestCanBeRetried() async throws {
        try await CommandPlace.synchronised { place in
            try Self.collide(place)
            #expect(try place.odata("delete", "TimeEntries(WorkOrderId=2,Position=1)").status == 0)
            try place.execute(
                "UPDATE TimeEntries SET Hours = 9 WHERE WorkOrderId = 2 AND Position = 1")
            let number = try place.execute("SELECT Number FROM WorkOrders WHERE Id = 3")
            let body = try place.odata("query", "WorkOrders(3)").output
            var values = try #require(try JSONValue(parsing: Array(body.utf8)).object)
            values["Id"] = nil
            values["Number"] = .string(number)
            let create = try place.odata("create", "WorkOrders", JSONValue.object(values).text)
            #expect(create.status == 0, "\(create.errors)")
            #expect(try place.odata("upload").status == 1)
            let failed = try Self.ids(place, "errors")
            #expect(failed.count == 3)
            // What stood in the way of the creation goes; the store learns the new tags.
            try place.execute("UPDATE WorkOrders SET Number = 'MOVED-3' WHERE Id = 3")
            #expect(try place.odata("download").status == 0)
            for id in failed {
                let retry = try place.odata("errors", "retry", id)
                #expect(retry.status == 0, "\(retry.errors)")
            }
            #expect(try Self.ids(place, "queue").count == 3)
            let upload = try place.odata("upload")
            #expect(upload.status == 0, "\(upload.errors)")
            #expect(try Self.served(place) == "mine")
            #expect(
                try place.execute(
                    "SELECT count(*) FROM TimeEntries WHERE WorkOrderId = 2 AND Position = 1")
                    == "0")
            #expect(
                try place.execute("SELECT count(*) FROM WorkOrders WHERE Number = '\(number)'")
                    == "1")
            try Self.expectEmpty(place)
        }
    }

    // MARK: Requests of unknown fate

    /// A creation that was sent and of which nobody knows what became; the store's file says so as its format has it.
    private static func loseCreation(_ place: CommandPlace) throws -> String {
        let site = try place.odata("query", "Sites(1)").output
        var values = try #require(try JSONValue(parsing: Array(site.utf8)).object)
        values["Id"] = nil
        values["Name"] = .string("unknown site")
        let create = try place.odata("create", "Sites", JSONValue.object(values).text)
        #expect(create.status == 0, "\(create.errors)")
        try DatabaseQueue(path: place.store).write {
            try $0.execute(
                sql: "UPDATE _odata_request SET state = 'unknown',"
                    + " first_sent = CAST(strftime('%s', 'now') AS INTEGER) * 1000,"
                    + " error_message = 'No answer came.'")
        }
        return try #require(try ids(place, "errors").first)
    }

    private static let makeSite =
        "INSERT INTO Sites SELECT 9001, CustomerId, 'unknown site', Street, City, PostalCode, Country,"
        + " Latitude, Longitude, OpensAt, HasParking FROM Sites WHERE Id = 1"

    @Test func aCreationOfUnknownFateIsConfirmed() async throws {
        try await CommandPlace.synchronised { place in
            let id = try Self.loseCreation(place)
            // Uploading does not send it.
            #expect(try place.odata("upload").status == 1)
            try place.execute(Self.makeSite)
            #expect(try place.odata("download").status == 0)
            #expect(try place.odata("errors", "confirm", id).status == 1)
            let confirm = try place.odata("errors", "confirm", id, "Sites(9001)")
            #expect(confirm.status == 0, "\(confirm.errors)")
            try Self.expectEmpty(place)
            let rows = try place.odata("query", "Sites?$filter=Name eq 'unknown site'&$select=Id")
            #expect(rows.output.contains(#"[{"Id":9001}]"#), "\(rows.output)")
            #expect(
                try place.execute("SELECT count(*) FROM Sites WHERE Name = 'unknown site'") == "1")
        }
    }

    /// What the app knows from elsewhere settles it before any download; the service is asked whether it is so.
    @Test func aCreationOfUnknownFateIsConfirmedWithoutADownload() async throws {
        try await CommandPlace.synchronised { place in
            let id = try Self.loseCreation(place)
            let wrong = try place.odata("errors", "confirm", id, "Sites(9001)")
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("404"), "\(wrong.errors)")
            #expect(try Self.ids(place, "errors") == [id])
            try place.execute(Self.makeSite)
            let confirm = try place.odata("errors", "confirm", id, "Sites(9001)")
            #expect(confirm.status == 0, "\(confirm.errors)")
            try Self.expectEmpty(place)
            #expect(try place.odata("download").status == 0)
            let rows = try place.odata("query", "Sites?$filter=Name eq 'unknown site'&$select=Id")
            #expect(rows.output.contains(#"[{"Id":9001}]"#), "\(rows.output)")
            #expect(
                try place.execute("SELECT count(*) FROM Sites WHERE Name = 'unknown site'") == "1")
        }
    }

    /// A page of a portal confirms nothing, whatever its status; the request stays as it was.
    @Test func aPortalConfirmsNothing() async throws {
        try await CommandPlace.synchronised { place in
            let id = try Self.loseCreation(place)
            for status in [200, 302, 404, 511] {
                place.service.observer.setFaults { _, _ in
                    .answer(
                        ResponseMessage(
                            status: status,
                            headers: ["Content-Type": "text/html", "Location": "http://h/login"],
                            body: Array("<html><title>Welcome to the hotel</title></html>".utf8)))
                }
                let confirm = try place.odata("errors", "confirm", id, "Sites(9001)")
                #expect(confirm.status == 1, "\(status) \(confirm.output)")
                #expect(!confirm.output.contains("confirmed"), "\(status) \(confirm.output)")
            }
            place.service.observer.setFaults(nil)
            #expect(try Self.ids(place, "errors") == [id])
            try place.execute(Self.makeSite)
            let confirm = try place.odata("errors", "confirm", id, "Sites(9001)")
            #expect(confirm.status == 0, "\(confirm.errors)")
            try Self.expectEmpty(place)
        }
    }

    @Test func aCreationOfUnknownFateIsRetriedOrCancelled() async throws {
        try await CommandPlace.synchronised { place in
            let id = try Self.loseCreation(place)
            #expect(try place.odata("errors", "retry", id).status == 0)
            #expect(try place.odata("upload").status == 0)
            #expect(
                try place.execute("SELECT count(*) FROM Sites WHERE Name = 'unknown site'") == "1")
            let other = try Self.loseCreation(place)
            #expect(try place.odata("errors", "cancel", other).status == 0)
            try Self.expectEmpty(place)
            #expect(try place.odata("upload").status == 0)
            #expect(
                try place.execute("SELECT count(*) FROM Sites WHERE Name = 'unknown site'") == "1")
        }
    }

    // MARK: The queue

    @Test func theQueueCancelsOrSaysWhyNot() async throws {
        try await CommandPlace.synchronised { place in
            #expect(try place.odata("update", "WorkOrders(1)", #"{"Title":"mine"}"#).status == 0)
            let first = try #require(try Self.ids(place, "queue").first)
            #expect(try place.odata("queue", "cancel", first).status == 0)
            try Self.expectEmpty(place)
            #expect(try place.odata("update", "WorkOrders(1)", #"{"Title":"sent"}"#).status == 0)
            let second = try #require(try Self.ids(place, "queue").first)
            place.service.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseAnswer
            }
            #expect(try place.odata("upload").status == 1)
            place.service.observer.setFaults(nil)
            let refused = try place.odata("queue", "cancel", second)
            #expect(refused.status == 1 && refused.errors.contains("no answer yet"))
            #expect(try Self.ids(place, "queue") == [second])
            #expect(try place.odata("queue", "cancel", "9999").status == 1)
            #expect(try place.odata("upload").status == 0)
            #expect(try Self.served(place) == "sent")
            try Self.expectEmpty(place)
        }
    }
}
