import Foundation
import ODataCommand
import ODataTesting
import ODataText
import Testing

/// `odata verify` and `odata service --pin`, from outside.
@Suite struct CommandProfileTests {
    private static func verified(_ result: Child.Result, _ set: String) throws -> JSONValue {
        let line = result.output.split(separator: "\n").first.map(String.init) ?? ""
        let sets = try JSONValue(parsing: Array(line.utf8))["verified"]?.array ?? []
        return try #require(sets.first { $0["set"]?.string == set }, "\(result.output)")
    }

    /// A row that the store lost and one that the service never told to have gone, as after a restored backup.
    @Test func verifyNamesWhatDiffersAndMendsIt() async throws {
        try await CommandPlace.synchronised { place in
            let same = try place.odata("verify")
            #expect(same.status == 0, "\(same.errors)")
            let sites = try Self.verified(same, "Sites")
            #expect(sites["different"]?.boolean == false)
            #expect(sites["here"]?.number == sites["there"]?.number)
            let count = try place.execute("SELECT count(*) FROM Sites")
            try place.execute(
                "INSERT INTO Sites SELECT 9001, CustomerId, 'new', Street, City, PostalCode, Country,"
                    + " Latitude, Longitude, OpensAt, HasParking FROM Sites WHERE Id = 1")
            for options in [[], ["--counts"]] {
                let found = try place.odata(["verify"] + options)
                #expect(found.status == (options.isEmpty ? 1 : 0), "\(found.output)")
                let sites = try Self.verified(found, "Sites")
                #expect(sites["different"]?.boolean == options.isEmpty, "\(found.output)")
                guard options.isEmpty else { continue }
                #expect(sites["missing"]?.number == "1")
                #expect(sites["here"]?.number == count)
                #expect(found.errors.contains("Sites"))
            }
            let rows = try place.odata("query", "Sites(9001)?$select=Name")
            #expect(rows.output.contains(#""Name":"new""#), "\(rows.output)")
        }
    }

    @Test(arguments: [
        "format=compact", "format=parameters", "format=plain", "keys=parentheses", "keys=segments",
        "batch=no", "tracking=no", "expand=no", "tunnel=yes", "repeatable=no", "version=yes",
        "tracking:Sites=no", "expand:Sites=no",
    ])
    func everyEntryIsPinnedAndLearnedAgain(_ pin: String) async throws {
        try await CommandPlace.synchronised { place in
            func shown() throws -> [String] {
                try Child.odata("service", "--store", place.store).output
                    .split(separator: "\n").map(String.init)
                    .filter { $0.hasPrefix("pinned: ") }
            }
            let pinned = try Child.odata("service", "--store", place.store, "--pin", pin)
            #expect(pinned.status == 0, "\(pinned.errors)")
            let lines = try shown()
            #expect(lines.count == 1, "\(lines)")
            let halves = pin.split(separator: "=").map(String.init)
            #expect(lines.first?.contains(halves[0]) == true, "\(lines)")
            #expect(lines.first?.contains(halves[1]) == true, "\(lines)")
            // What is pinned does not keep the store from being synchronised.
            let download = try place.odata("download", "--full")
            #expect(download.status == 0, "\(download.errors)")
            let freed = try Child.odata("service", "--store", place.store, "--unpin", halves[0])
            #expect(freed.status == 0, "\(freed.errors)")
            let after = try shown()
            #expect(after.isEmpty, "\(after)")
        }
    }

    @Test func whatIsNoEntryIsRefused() async throws {
        try await CommandPlace.synchronised { place in
            for pin in ["token=no", "batch=maybe", "format=html", "batch", "tracking:=no"] {
                let result = try Child.odata("service", "--store", place.store, "--pin", pin)
                #expect(result.status == 2, "\(pin) \(result.output)")
                #expect(result.errors.contains("--pin"), "\(result.errors)")
            }
            let result = try Child.odata("service", "--store", place.store, "--unpin", "colour")
            #expect(result.status == 2, "\(result.output)")
        }
    }
}
