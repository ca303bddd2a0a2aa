import Foundation
import ODataPostgres
import ODataQuery
import ODataServer
import ODataServerPostgres
import ODataSQL
import PostgreSQLFixture
import Testing

/// What of changes is PostgreSQL's alone: its types, the keys that it makes, its constraints, triggers and rights.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresChangeTests {
    @Test func keysThatTheDatabaseMakesAreTold() throws {
        let place = try ChangingService(
            """
            CREATE TABLE always (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n text);
            CREATE TABLE serials (id bigserial PRIMARY KEY, n text);
            CREATE TABLE drawn (id uuid DEFAULT '00000000-0000-0000-0000-00000000000a'::uuid
                PRIMARY KEY, n text);
            CREATE TABLE given (id uuid PRIMARY KEY, n text);
            CREATE TABLE named (code text DEFAULT 'k' || 1 PRIMARY KEY, n text);
            ALTER SEQUENCE always_id_seq RESTART 41
            """)
        let made = place.send("POST", "always", #"{"n":"x"}"#)
        #expect(made.status == 201)
        #expect(made.json["id"] as? Int == 41)
        #expect(made.headers["Location"] == "http://localhost/always(41)")
        let ignored = place.send("POST", "always", #"{"id":7,"n":"y"}"#)
        #expect(ignored.json["id"] as? Int == 42)
        let minimal = place.send("POST", "serials", "{}", ["Prefer": "return=minimal"])
        #expect(minimal.status == 204)
        #expect(minimal.headers["OData-EntityId"] == "http://localhost/serials(1)")
        #expect(minimal.headers["ETag"] != nil)
        #expect(place.send("POST", "serials", #"{"id":9}"#).json["id"] as? Int == 9)
        let token = "00000000-0000-0000-0000-00000000000a"
        #expect(place.send("POST", "drawn", "{}").json["id"] as? String == token)
        let own = place.send("POST", "given", #"{"n":"ours"}"#)
        #expect(own.status == 201)
        #expect(place.send("POST", "named", "{}").headers["Location"]?.hasSuffix("('k1')") == true)
        #expect(
            try place.rows("SELECT id, n FROM always ORDER BY id") == [["41", "x"], ["42", "y"]])
        #expect(try place.rows("SELECT id FROM serials ORDER BY id") == [["1"], ["9"]])
        #expect(
            try place.rows("SELECT id FROM given") == [[try #require(own.json["id"] as? String)]])
        let metadata = place.send("GET", "$metadata").text
        #expect(metadata.contains("ComputedDefaultValue"))
    }

    @Test func everyTypeIsWritten() throws {
        let place = try ChangingService(
            """
            CREATE TYPE mood AS ENUM ('glad', 'sad');
            CREATE DOMAIN price AS numeric(8,3) CHECK (VALUE > 0);
            CREATE DOMAIN short AS varchar(3);
            CREATE TABLE things (id int PRIMARY KEY, m mood, p price, j jsonb, f real, d float8,
                n numeric, c char(4), w interval, at timestamptz, plain timestamp, b bytea,
                tags text[], yes boolean, small smallint, day date, clock time, v varchar(5),
                s short, twice int GENERATED ALWAYS AS (id * 2) STORED)
            """)
        let body = """
            {"id":1,"m":"sad","p":1.5,"j":"{\\"a\\": [1]}","f":0.1,"d":-1e300,
            "n":123456789012345678901234567890.5,"c":"ab","w":"-P1DT2H0.5S",
            "at":"2026-01-02T03:04:05.123456+01:00","plain":"2026-01-02T03:04:05Z","b":"AP8=",
            "tags":"{x,y}","yes":true,"small":-32768,"day":"1999-12-31","clock":"23:59:59.999999",
            "v":"abcde","s":"abc","twice":5}
            """
        let answer = place.send(
            "POST", "things", body,
            [
                "Accept": "application/json;IEEE754Compatible=true",
                "Content-Type": "application/json",
            ])
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.json["twice"] as? Int == 2)
        #expect(answer.json["w"] as? String == "-P1DT2H0.5S")
        let stored = try place.rows(
            """
            SELECT m::text, p::text, j::text, f::text, d::text, n::text, c::text, w::text, at::text,
                plain::text, b, tags::text, yes::text, small, day::text, clock::text, v, s, twice
            FROM things
            """)
        #expect(
            stored == [
                [
                    "sad", "1.500", #"{"a": [1]}"#, "0.1", "-1e+300",
                    "123456789012345678901234567890.5", "ab", "P-1DT-2H-0.5S",
                    "2026-01-02 02:04:05.123456+00", "2026-01-02 03:04:05", "0 ff", "{x,y}", "true",
                    "-32768", "1999-12-31", "23:59:59.999999", "abcde", "abc", "2",
                ]
            ])
        let numbers = place.send("PATCH", "things(1)", #"{"d":"NaN","f":"-INF","yes":false}"#)
        #expect(numbers.status == 204, "\(numbers.text)")
        #expect(
            try place.rows("SELECT d::text, f::text, yes::text FROM things") == [
                ["NaN", "-Infinity", "false"]
            ])
        let nulls = place.send("PUT", "things(1)", "{}")
        #expect(nulls.status == 204, "\(nulls.text)")
        #expect(
            try place.rows("SELECT num_nonnulls(m, p, j, f, d, n, c, w, at, b, yes, s) FROM things")
                == [["0"]])
    }

    /// Nothing is cut off or rounded without a word.
    @Test(arguments: [
        (#"{"v":"abcdef"}"#, 400), (#"{"s":"abcd"}"#, 400), (#"{"c":"abcde"}"#, 400),
        (#"{"p":1.2345}"#, 400), (#"{"p":123456.5}"#, 400), (#"{"p":-1}"#, 400),
        (#"{"m":"angry"}"#, 400), (#"{"j":"{"}"#, 400),
        (#"{"at":"2026-01-01T00:00:00.1234567Z"}"#, 400), (#"{"v":"a\u0000"}"#, 400),
        (#"{"small":40000}"#, 400), (#"{"v":"ab"}"#, 204),
    ])
    func valuesThatDoNotFit(_ body: String, _ status: Int) throws {
        let place = try ChangingService(
            """
            CREATE TYPE mood AS ENUM ('glad', 'sad');
            CREATE DOMAIN price AS numeric(8,3) CHECK (VALUE > 0);
            CREATE DOMAIN short AS varchar(3);
            CREATE TABLE things (id int PRIMARY KEY, v varchar(5), s short, c char(4), p price,
                m mood, j json, at timestamptz, small smallint);
            INSERT INTO things VALUES (1)
            """)
        let answer = place.send("PATCH", "things(1)", body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(!answer.text.contains("abcde") && !answer.text.contains("angry"))
        let held = try place.rows("SELECT num_nonnulls(v, s, c, p, m, j, at, small) FROM things")
        #expect(held == [[status == 204 ? "1" : "0"]])
    }

    @Test func violatedConstraintsAreNamed() throws {
        let place = try ChangingService(
            """
            CREATE TABLE parents (id int PRIMARY KEY, code text NOT NULL UNIQUE, a int, b int,
                CONSTRAINT pair UNIQUE (a, b), CONSTRAINT positive CHECK (a > 0));
            CREATE TABLE children (id int PRIMARY KEY,
                parent int CONSTRAINT to_parent REFERENCES parents);
            INSERT INTO parents VALUES (1, 'one', 1, 1);
            INSERT INTO children VALUES (1, 1)
            """)
        let cases: [(String, String, String?, Int, String?, String)] = [
            ("POST", "parents", #"{"id":1,"code":"x"}"#, 409, "id", "parents.id"),
            ("POST", "parents", #"{"id":2,"code":"one"}"#, 409, "code", "parents.code"),
            (
                "POST", "parents", #"{"id":2,"code":"two","a":1,"b":1}"#, 409, nil,
                "parents.a, parents.b"
            ),
            ("POST", "parents", #"{"id":2,"code":"two","a":-1}"#, 400, nil, "positive"),
            ("POST", "children", #"{"id":2,"parent":9}"#, 409, "parent", "FOREIGN KEY"),
            ("DELETE", "parents(1)", nil, 409, nil, "FOREIGN KEY"),
        ]
        for (method, url, body, status, target, word) in cases {
            let answer = place.send(method, url, body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.error["target"] == target, "\(answer.text)")
            #expect(answer.error["message"]?.contains(word) == true, "\(answer.text)")
            #expect(!answer.text.contains("one"), "no value: \(answer.text)")
        }
        #expect(try place.rows("SELECT count(*) FROM parents") == [["1"]])
    }

    @Test func aReplacementGivesDefaults() throws {
        let place = try ChangingService(
            """
            CREATE TABLE t (id int PRIMARY KEY, state text NOT NULL DEFAULT 'new',
                at timestamptz NOT NULL DEFAULT '2020-01-01Z'::timestamptz + interval '1 day', n int);
            INSERT INTO t VALUES (1, 'old', now(), 5)
            """)
        #expect(place.send("PUT", "t(1)", #"{"n":6}"#).status == 204)
        #expect(
            try place.rows("SELECT state, at::text, n FROM t") == [
                ["new", "2020-01-02 00:00:00+00", "6"]
            ])
    }

    /// Triggers of the owner name tables without a schema, as their path lets them.
    @Test func triggersOfTheOwnerRun() throws {
        let place = try ChangingService(
            """
            CREATE TABLE audit (what text);
            CREATE TABLE t (id int PRIMARY KEY, n text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO audit VALUES (TG_OP);
                IF TG_OP = 'DELETE' THEN
                    IF OLD.id = 3 THEN RETURN NULL; END IF;
                    RETURN OLD;
                END IF;
                IF NEW.n = 'secret' THEN RAISE EXCEPTION 'not %', NEW.n; END IF;
                IF NEW.n = 'none' THEN RETURN NULL; END IF;
                IF TG_OP = 'UPDATE' AND NEW = OLD THEN RETURN NULL; END IF;
                IF NEW.n = 'moved' THEN NEW.id = NEW.id + 100; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH ROW
                EXECUTE FUNCTION note();
            """)
        #expect(place.send("POST", "t", #"{"id":1,"n":"a"}"#).status == 201)
        let moved = place.send("POST", "t", #"{"id":2,"n":"moved"}"#)
        #expect(moved.headers["Location"]?.hasSuffix("/t(102)") == true)
        let refused = place.send("PATCH", "t(1)", #"{"n":"secret"}"#)
        #expect(refused.status == 400)
        #expect(!refused.text.contains("secret"))
        #expect(place.send("POST", "t", #"{"id":4,"n":"none"}"#).status == 400)
        #expect(place.send("PATCH", "t(1)", #"{"n":"none"}"#).status == 400)
        // Left out by the trigger, because nothing would change.
        #expect(place.send("PATCH", "t(1)", #"{"n":"a"}"#).status == 204)
        #expect(place.send("POST", "t", #"{"id":3}"#).status == 201)
        #expect(place.send("DELETE", "t(3)").status == 400)
        #expect(place.send("DELETE", "t(1)").status == 204)
        #expect(
            try place.rows("SELECT id, n FROM t ORDER BY id") == [
                ["3", "null"], ["102", "moved"],
            ])
        #expect(
            try place.rows("SELECT what, count(*) FROM audit GROUP BY 1 ORDER BY 1") == [
                ["DELETE", "1"], ["INSERT", "3"], ["UPDATE", "1"],
            ])
    }

    @Test func rightsOfTheUserAreKept() throws {
        let place = try ChangingService(
            """
            CREATE TABLE open (id int PRIMARY KEY, owner text DEFAULT 'clerk');
            CREATE TABLE closed (id int PRIMARY KEY);
            ALTER TABLE open ENABLE ROW LEVEL SECURITY;
            CREATE POLICY read ON open FOR SELECT USING (true);
            CREATE POLICY own ON open USING (owner = 'clerk');
            INSERT INTO open VALUES (1, 'boss');
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'clerk') THEN
                    CREATE ROLE clerk LOGIN;
                END IF;
            END $$;
            GRANT SELECT, INSERT, UPDATE, DELETE ON open TO clerk;
            GRANT SELECT, INSERT ON closed TO clerk
            """, user: "clerk")
        #expect(place.service.notes.contains { $0.contains("closed is read-only") })
        #expect(place.send("POST", "closed", #"{"id":1}"#).status == 405)
        #expect(place.send("POST", "open", #"{"id":2}"#).status == 201)
        #expect(place.send("POST", "open", #"{"id":3,"owner":"boss"}"#).status == 403)
        #expect(place.send("PATCH", "open(1)", #"{"owner":"clerk"}"#).status == 400)
        #expect(place.send("DELETE", "open(1)").status == 400)
        #expect(
            try place.rows("SELECT id, owner FROM open ORDER BY id") == [
                ["1", "boss"], ["2", "clerk"],
            ])
        try place.connection.run("REVOKE UPDATE ON open FROM clerk")
        let answer = place.send("PATCH", "open(2)", #"{"owner":"clerk"}"#)
        #expect(answer.status == 403)
    }

    @Test func partitionsAndOtherTablesThatHaveNoTag() throws {
        let place = try ChangingService(
            """
            CREATE TABLE log (id int, day date, n text, PRIMARY KEY (id, day))
                PARTITION BY RANGE (day);
            CREATE TABLE log_2026 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
            CREATE MATERIALIZED VIEW seen AS SELECT 1 AS id;
            CREATE UNIQUE INDEX ON seen (id);
            """)
        let made = place.send("POST", "log", #"{"id":1,"day":"2026-05-01"}"#)
        #expect(made.status == 201, "\(made.text)")
        let tag = try #require(made.headers["ETag"])
        let key = "log(id=1,day=2026-05-01)"
        let changed = place.send("PATCH", key, #"{"n":"x"}"#, ["If-Match": tag])
        #expect(changed.status == 204)
        #expect(changed.headers["ETag"] != tag)
        #expect(place.send("DELETE", key, nil, ["If-Match": tag]).status == 412)
        // No partition for it.
        #expect(place.send("POST", "log", #"{"id":1,"day":"2030-05-01"}"#).status == 400)
        #expect(try place.rows("SELECT n FROM log") == [["x"]])
    }

    @Test func metadataSaysWhatTablesOffer() throws {
        let place = try ChangingService(
            "CREATE TABLE t (id int PRIMARY KEY); CREATE UNLOGGED TABLE u (id int PRIMARY KEY)")
        let metadata = place.send("GET", "$metadata").text
        #expect(metadata.contains("OptimisticConcurrency"))
        let sets = metadata.components(separatedBy: "<EntitySet ").dropFirst()
        #expect(sets.count == 2)
        for set in sets {
            let tracking = set.components(separatedBy: "ChangeTracking").dropFirst().first ?? ""
            let isTracked = tracking.components(separatedBy: "</Annotation>")[0].contains("true")
            #expect(isTracked == set.hasPrefix(#"Name="t""#), "\(set)")
        }
        let tracked = place.send("GET", "t", nil, ["Prefer": "odata.track-changes"])
        #expect(tracked.headers["Preference-Applied"] == "odata.track-changes")
        #expect(tracked.text.contains("deltaLink"))
        let untracked = place.send("GET", "u", nil, ["Prefer": "odata.track-changes"])
        #expect(untracked.status == 200)
        #expect(untracked.headers["Preference-Applied"] == nil)
        #expect(!untracked.text.contains("deltaLink"))
        // Nobody is held: an empty delta comes at once, and says so by what it leaves out.
        let link = tracked.json["@odata.deltaLink"] as? String ?? ""
        let waiting = place.service.respond(
            to: RequestMessage(method: "GET", url: link, headers: ["Prefer": "wait=60"], body: []))
        #expect(waiting.status == 200)
        #expect(waiting.headers["Preference-Applied"] == "odata.track-changes")
    }

    @Test func namesOfEveryKindAndOtherSchemas() throws {
        let address = try PostgreSQLServer.makeAddress()
        let connection = try PostgreSQLServer.connection(to: address)
        try connection.run(
            """
            CREATE SCHEMA "s 1";
            CREATE TYPE "s 1"."kind of" AS ENUM ('a', 'b');
            CREATE TABLE "s 1"."Order ""x" ("I d" serial PRIMARY KEY, "na""me" text UNIQUE,
                kind "s 1"."kind of")
            """)
        let service = try ODataService(
            ChangingService.configuration,
            reading: PostgresDatabase(
                PostgresConnection.Settings(PostgresAddress(address)), schema: "s 1"))
        defer { try? service.close() }
        let table = try #require(service.mapping.tables.first)
        let name = table.columns[1].path
        for status in [201, 409] {
            let answer = ChangingService.send(
                "POST", table.path, "{\"\(name)\":\"x\",\"kind\":\"b\"}", to: service)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.error["target"] == (status == 201 ? nil : name))
        }
        let changed = ChangingService.send(
            "PATCH", "\(table.path)(1)", "{\"\(name)\":\"y\"}", ["If-Match": "*"], to: service)
        #expect(changed.status == 204, "\(changed.text)")
        #expect(
            try ChangingService.rows(
                #"SELECT "I d", "na""me", kind::text FROM "s 1"."Order ""x""#, connection)
                == [["1", "y", "b"]])
    }

    @Test func preconditionsMayBeAskedFor() throws {
        let place = try ChangingService(
            "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1)")
        var configuration = ChangingService.configuration
        configuration.requiresPreconditions = true
        let service = try TwinServices.serve(place.address, configuration)
        defer { try? service.close() }
        let blind = ChangingService.send("PATCH", "t(1)", #"{"n":1}"#, to: service)
        #expect(blind.status == 428)
        let tag = try #require(place.send("GET", "t(1)").headers["ETag"])
        let seeing = ChangingService.send(
            "PATCH", "t(1)", #"{"n":2}"#, ["If-Match": tag], to: service)
        #expect(seeing.status == 204)
        #expect(try place.rows("SELECT n FROM t") == [["2"]])
    }
}
