import Foundation
import ODataPostgres
import ODataQuery
import ODataServer
import PostgreSQLFixture
import Synchronization
import Testing

/// Repeatable requests over PostgreSQL: the answers are in the database, for every process.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresRepeatabilityTests {
    private let place: ChangingService

    init() throws {
        place = try ChangingService(
            """
            CREATE TABLE t (id serial PRIMARY KEY, n text);
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'guest') THEN
                    CREATE ROLE guest LOGIN;
                END IF;
            END $$;
            GRANT ALL ON t, t_id_seq TO guest
            """)
    }

    private static func identity(_ id: UUID = UUID(), age: TimeInterval = 0) -> HeaderFields {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return [
            "Repeatability-Request-ID": id.uuidString.lowercased(),
            "Repeatability-First-Sent": format.string(from: Date() - age),
        ]
    }

    @Test func aRepeatedRequestIsAnsweredAsBefore() throws {
        let headers = Self.identity()
        let first = place.send("POST", "t", #"{"n":"once"}"#, headers)
        #expect(first.status == 201, "\(first.text)")
        #expect(first.headers["Repeatability-Result"] == "accepted")
        // Another process knows it, too.
        let other = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? other.close() }
        let again = ChangingService.send("POST", "t", #"{"n":"once"}"#, headers, to: other)
        #expect(again.status == 201)
        #expect(again.text == first.text)
        #expect(again.headers["Location"] == first.headers["Location"])
        #expect(again.headers["Repeatability-Result"] == "accepted")
        let another = place.send("POST", "t", #"{"n":"other"}"#, headers)
        #expect(another.status == 400)
        #expect(another.headers["Repeatability-Result"] == "rejected")
        #expect(try place.rows("SELECT n FROM t") == [["once"]])
        let metadata = place.send("GET", "$metadata").text
        #expect(metadata.contains(#"Repeatability.V1.Supported" Bool="true""#))
    }

    /// The same request at the same time, as after an answer that did not come.
    @Test func ofRequestsThatComeTogetherOneIsCarriedOut() throws {
        let other = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? other.close() }
        let services = [place.service, other]
        for round in 1...15 {
            let headers = Self.identity()
            let texts = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                let answer = ChangingService.send(
                    "POST", "t", "{\"n\":\"\(round)\"}", headers, to: services[number % 2])
                texts.withLock { $0.append("\(answer.status) \(answer.text)") }
            }
            let found = texts.withLock { $0 }
            #expect(Set(found).count == 1 && found[0].hasPrefix("201"), "\(found)")
            #expect(try place.rows("SELECT count(*) FROM t WHERE n = '\(round)'") == [["1"]])
        }
    }

    @Test func whatWasRefusedIsTriedAgain() throws {
        let headers = Self.identity()
        try place.connection.run("ALTER TABLE t ADD CONSTRAINT short CHECK (length(n) < 3)")
        let refused = place.send("POST", "t", #"{"n":"long"}"#, headers)
        #expect(refused.status == 400)
        try place.connection.run("ALTER TABLE t DROP CONSTRAINT short")
        #expect(place.send("POST", "t", #"{"n":"long"}"#, headers).status == 201)
        #expect(try place.rows("SELECT n FROM t") == [["long"]])
    }

    @Test func whatIsOlderThanTheMemoryIsNotCarriedOut() throws {
        let old = place.send("POST", "t", "{}", Self.identity(age: 40 * 86_400))
        #expect(old.status == 412)
        #expect(old.error["code"] == "repeatabilityForgotten")
        #expect(try place.rows("SELECT count(*) FROM t") == [["0"]])
        #expect(try place.rows("SELECT count(*) FROM _odata.repeatability") == [["0"]])
        // Answers that nobody may ask for any more go with the changes of others.
        try place.connection.run(
            "INSERT INTO _odata.repeatability SELECT '', 'x' || n, n, '', '' FROM generate_series(1, 30) n"
        )
        for _ in 0..<256 { _ = place.send("POST", "t", "{}") }
        #expect(try place.rows("SELECT count(*) FROM _odata.repeatability") == [["0"]])
    }

    /// Answers hold rows: another user than the owner of our schema is granted them, or none are remembered.
    @Test func aUserWithoutTheMemoryIsToldSo() throws {
        let address = place.address.replacing("user=odata", with: "user=guest")
        let guest = try TwinServices.serve(address, ChangingService.configuration)
        defer { try? guest.close() }
        #expect(guest.notes.contains { $0.contains("not repeatable") })
        let headers = Self.identity()
        let refused = ChangingService.send("POST", "t", "{}", headers, to: guest)
        #expect(refused.status == 501)
        #expect(refused.text.contains("Repeatability-Request-ID"))
        #expect(ChangingService.send("POST", "t", "{}", to: guest).status == 201)
        #expect(
            ChangingService.send("GET", "$metadata", to: guest).text
                .contains(#"Repeatability.V1.Supported" Bool="false""#))
        try place.connection.run("GRANT ALL ON _odata.repeatability TO guest")
        let granted = try TwinServices.serve(address, ChangingService.configuration)
        defer { try? granted.close() }
        #expect(ChangingService.send("POST", "t", "{}", headers, to: granted).status == 201)
        #expect(ChangingService.send("POST", "t", "{}", headers, to: granted).status == 201)
        #expect(try place.rows("SELECT count(*) FROM t") == [["2"]])
    }
}
