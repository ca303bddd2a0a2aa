import ChildFixture
import Foundation
import GRDB
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// `odata serve` with users, tokens and certificates, as curl and our own client meet it.
@Suite(.serialized) struct CommandSecureServiceTests {
    /// A folder with an access file for the sample, and certificates for this machine.
    private final class Place {
        let folder: TemporaryFolder
        var access: String { folder.file("access.json") }
        var certificate: String { folder.file("cert.pem") }
        var key: String { folder.file("key.pem") }
        var store: String { folder.file("store.sqlite") }

        init() throws {
            folder = try TemporaryFolder("odata-secure")
            let made = try Child.run(Child.command, ["service", "password"], input: "s3cret\n")
            #expect(made.status == 0, "\(made.errors)")
            let hash = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(hash.hasPrefix("$scrypt$ln=15,"))
            try write(
                """
                {"users": {"mia": {"password": "\(hash)", "roles": ["north"], "claims": {"country": "DE"}},
                           "kim": {"password": "\(hash)", "roles": ["all"]}},
                 "tokens": {"keys": "keys.json", "issuer": "me", "audience": "tools"},
                 "roles": {"north": {"sets": {"Sites": ["read"]}, "rows": {"Sites": "Country eq @claim.country"}},
                           "all": {"sets": {"*": ["read", "create", "update", "delete"]}}}}
                """, to: access)
            try write(
                #"{"keys": [{"kty": "oct", "k": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"}]}"#,
                to: folder.file("keys.json"))
        }

        func write(_ text: String, to file: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }

        /// Puts a certificate of this machine, and its key, where they are looked for.
        func certify(_ name: String) throws {
            let made = try Child.run(
                "/usr/bin/env",
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
                    certificate,
                ])
            #expect(made.status == 0, "\(made.errors)")
        }

        func curl(_ arguments: String...) throws -> Child.Result {
            try Child.run("/usr/bin/env", ["curl", "-s", "-m", "30"] + arguments)
        }

        func status(_ arguments: String...) throws -> String {
            try Child.run(
                "/usr/bin/env",
                ["curl", "-s", "-m", "30", "-o", "/dev/null", "-w", "%{http_code}"] + arguments
            ).output
        }

        deinit { folder.remove() }
    }

    private static let sample = ["--sample", "fieldservice", "--scale", "300"]

    @Test func usersAndTokensAreAskedFor() async throws {
        try await onOwnThread {
            let place = try Place()
            let service = try ServeProcess(Self.sample + ["--access", place.access])
            defer { service.end() }
            let sites = service.url + "Sites"
            #expect(try place.status(sites) == "401")
            let challenge = try place.curl("-D", "-", "-o", "/dev/null", sites).output.lowercased()
            #expect(challenge.contains("www-authenticate: basic realm=\"odata\""))
            #expect(challenge.contains("www-authenticate: bearer realm=\"odata\""))
            #expect(try place.status("-u", "mia:wrong", sites) == "401")
            #expect(try place.status("-u", "mia:s3cret", sites) == "200")
            #expect(try place.status("-u", "mia:s3cret", service.url + "WorkOrders") == "403")
            let all = try place.curl("-u", "kim:s3cret", sites + "/$count").output
            let own = try place.curl("-u", "mia:s3cret", sites + "/$count").output
            #expect(Int(own) ?? 0 > 0 && Int(own) ?? 0 < Int(all) ?? 0, "\(own) of \(all)")
            // The body of somebody unknown, short or long, is answered and not taken.
            for count in [10, 5_000_000] {
                try place.write(String(repeating: "x", count: count), to: place.folder.file("body"))
                #expect(
                    try place.status("--data-binary", "@" + place.folder.file("body"), sites)
                        == "401")
            }
        }
    }

    @Test func ourClientSynchronisesWhatItsUserMaySee() async throws {
        try await onOwnThread {
            let place = try Place()
            let service = try ServeProcess(Self.sample + ["--access", place.access])
            defer { service.end() }
            let url = service.url.replacing("://", with: "://mia:s3cret@")
            let refused = try Child.odata("sync", service.url, "--store", place.store)
            #expect(refused.status == 1 && refused.errors.contains("401"), "\(refused)")
            let sync = try Child.odata("sync", url, "--store", place.store)
            #expect(sync.status == 0, "\(sync)")
            let rows = try Child.odata(
                "query", "--store", place.store, "Sites?$select=Country", "--json")
            #expect(rows.status == 0 && rows.output.contains("DE"), "\(rows)")
            #expect(!rows.output.contains("\"AT\"") && !rows.output.contains("\"CH\""))
            let own = try place.curl("-u", "mia:s3cret", service.url + "Sites/$count").output
            let count = try Child.odata("query", "--store", place.store, "Sites/$count")
            #expect(count.output.contains(own), "\(count) for \(own)")
        }
    }

    /// An app has what the command has.
    @Test func anEmbeddedServiceIsEncryptedAndAsksWhoComes() async throws {
        try await onOwnThread {
            let place = try Place()
            try place.certify("app")
            let database = place.folder.file("shop.db")
            try DatabaseQueue(path: database).write {
                try $0.execute(sql: "CREATE TABLE Sites (Id INTEGER PRIMARY KEY, Country TEXT)")
            }
            var settings = CompanionService.Settings()
            settings.accessFile = place.access
            settings.certificateFile = place.certificate
            settings.keyFile = place.key
            let service = try CompanionService(database: database, settings: settings)
            defer { try? service.close() }
            let sites = try service.start().absoluteString + "Sites"
            #expect(sites.hasPrefix("https://"))
            #expect(try place.status("--cacert", place.certificate, sites) == "401")
            #expect(
                try place.status("--cacert", place.certificate, "-u", "kim:s3cret", sites) == "200")
        }
    }

    @Test func connectionsAreEncryptedAndCertificatesChange() async throws {
        try await onOwnThread {
            let place = try Place()
            try place.certify("first")
            let service = try ServeProcess(
                Self.sample + [
                    "--access", place.access, "--tls-certificate", place.certificate,
                    "--tls-key", place.key,
                ])
            defer { service.end() }
            #expect(service.url.hasPrefix("https://127.0.0.1:"))
            let sites = service.url + "Sites"
            // Nobody vouches for it.
            #expect(try place.curl("-u", "kim:s3cret", sites).status == 60)
            let clear = try place.curl(sites.replacing("https", with: "http"))
            #expect(clear.status != 0)
            let first = place.folder.file("first.pem")
            try FileManager.default.copyItem(atPath: place.certificate, toPath: first)
            let page = try place.curl(
                "--cacert", first, "-u", "kim:s3cret", "-H", "Prefer: odata.maxpagesize=2", sites)
            #expect(page.output.contains("\"@odata.nextLink\":\"https://127.0.0.1:"), "\(page)")
            #expect(try place.status("--cacert", first, "--tls-max", "1.1", sites) == "000")
            // Compressed, large, and with a body.
            let pack = try place.curl(
                "--cacert", first, "-u", "kim:s3cret", "--compressed", service.url + "WorkOrders")
            #expect(pack.status == 0 && pack.output.hasSuffix("]}"), "\(pack.output.suffix(80))")
            let url = service.url.replacing("://", with: "://kim:s3cret@")
            let refused = try Child.odata("sync", url, "--store", place.store)
            #expect(
                refused.status == 1 && refused.errors.contains("no secure connection"), "\(refused)"
            )
            let sync = try Child.run(
                "/usr/bin/env",
                ["SSL_CERT_FILE=\(first)", Child.command, "sync", url, "--store", place.store])
            #expect(sync.status == 0, "\(sync)")
            try place.certify("second")
            service.send(signal: SIGHUP)
            let renewed = Date()
            while try place.status("--cacert", place.certificate, sites) != "401",
                Date().timeIntervalSince(renewed) < 30
            {
                usleep(50_000)
            }
            #expect(try place.status("--cacert", place.certificate, sites) == "401")
            #expect(try place.status("--cacert", first, sites) == "000")
        }
    }

    @Test func aFileThatIsReadAgainHoldsFromThenOn() async throws {
        try await onOwnThread {
            let place = try Place()
            let service = try ServeProcess(Self.sample + ["--access", place.access])
            defer { service.end() }
            let sites = service.url + "Sites"
            #expect(try place.status("-u", "kim:s3cret", sites) == "200")
            let text = try String(contentsOfFile: place.access, encoding: .utf8)
            try place.write("{", to: place.access)
            service.send(signal: SIGHUP)
            let wrong = Date()
            while !service.said.contains("access file:"), Date().timeIntervalSince(wrong) < 30 {
                usleep(20_000)
            }
            #expect(service.said.contains("access file:"), "\(service.said)")
            #expect(try place.status("-u", "kim:s3cret", sites) == "200")
            try place.write(text.replacing("\"kim\"", with: "\"jim\""), to: place.access)
            service.send(signal: SIGHUP)
            let right = Date()
            while try place.status("-u", "kim:s3cret", sites) != "401",
                Date().timeIntervalSince(right) < 30
            {
                usleep(50_000)
            }
            #expect(try place.status("-u", "kim:s3cret", sites) == "401")
            #expect(try place.status("-u", "jim:s3cret", sites) == "200")
        }
    }

    @Test func whatIsWrongIsToldAtTheStart() async throws {
        try await onOwnThread {
            let place = try Place()
            try place.certify("name")
            let key = try String(contentsOfFile: place.key, encoding: .utf8)
            let other = place.folder.file("other.pem")
            let made = try Child.run(
                "/usr/bin/env", ["openssl", "genrsa", "-out", other, "2048"])
            #expect(made.status == 0)
            try place.write("no key", to: place.folder.file("bad.pem"))
            let files = ["--tls-certificate", place.certificate, "--tls-key"]
            for (arguments, sentence) in [
                (["--host", "0.0.0.0"], "--insecure"),
                (["--host", "0.0.0.0", "--access", place.access], "--tls-certificate"),
                (["--host", "0.0.0.0"] + files + [place.key], "--access"),
                (["--tls-certificate", place.certificate], "--tls-key with it"),
                (files + [other], "the key of the certificate"),
                (files + [place.folder.file("bad.pem")], "a key in PEM"),
                (files + [place.folder.file("none.pem")], "no such file"),
                (
                    ["--tls-certificate", place.access, "--tls-key", place.key],
                    "certificates in PEM"
                ),
                (["--access", place.folder.file("none.json")], "no such file"),
                (["--access", place.key], "JSON in the access file"),
            ] {
                let result = try Child.run(
                    Child.command, ["serve", "--port", "0"] + Self.sample + arguments)
                #expect(result.status == 2, "\(arguments): \(result)")
                #expect(result.errors.contains(sentence), "\(arguments): \(result.errors)")
                #expect(!result.errors.contains(key.prefix(200).suffix(40)))
            }
            let access = try String(contentsOfFile: place.access, encoding: .utf8)
            try place.write(access.replacing("Country eq", with: "Land eq"), to: place.access)
            let result = try Child.run(
                Child.command, ["serve", "--port", "0", "--access", place.access] + Self.sample)
            #expect(
                result.status == 2 && result.errors.contains("roles.north.rows.Sites"), "\(result)")
            let empty = try Child.run(Child.command, ["service", "password"], input: "\n")
            #expect(empty.status == 2)
        }
    }
}
