import Foundation
import ODataServer
import ODataTesting
import Testing

/// What the command does with the address of a service that is none, or that has a password in it.
@Suite struct CommandAddressTests {
    @Test func whereThereIsNoServiceItSaysSo() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let result = try Child.run(
                Child.command, ["sync", place.url + "wrong/", "--store", place.store])
            #expect(result.status == 1)
            #expect(
                result.errors.contains("No OData service at \(place.url)wrong/"),
                "\(result.errors)")
            #expect(result.errors.contains("status 404"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: place.store))
        }
    }

    @Test func everyCommandSaysThatThereIsNoService() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let root = place.url + "wrong/"
            for arguments in [
                ["metadata", root], ["metadata", root + "$metadata"],
                ["query", "--online", root, "Sites"],
            ] {
                let result = try Child.run(Child.command, arguments)
                #expect(result.status == 1 && result.output.isEmpty, "\(arguments): \(result)")
                #expect(result.errors.contains("No OData service at \(root)"), "\(result.errors)")
                #expect(result.errors.contains("status 404"), "\(result.errors)")
            }
            let there = try Child.odata("metadata", place.url)
            #expect(there.status == 0 && there.output.contains("Sites"), "\(there)")
        }
    }

    @Test func aPasswordInTheAddressIsNeitherStoredNorPrinted() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let url = place.url.replacing("://", with: "://someuser:s3cretword@")
            // The second time the store is there, and belongs to the same service.
            for _ in 1...2 {
                let result = try place.odata("sync", url)
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains(place.url.dropFirst("http://".count)))
                #expect(Self.hides(result.output) && Self.hides(result.errors))
            }
            let other = try place.odata("sync", url + "other/")
            #expect(other.status == 2 && Self.hides(other.errors), "\(other.errors)")
            let odd = try place.odata("sync", url + "?x=1")
            #expect(odd.status == 2 && Self.hides(odd.errors), "\(odd.errors)")
            for suffix in ["", "-wal"] {
                let bytes = FileManager.default.contents(atPath: place.store + suffix) ?? Data()
                #expect(!suffix.isEmpty || !bytes.isEmpty)
                #expect(bytes.range(of: Data("s3cretword".utf8)) == nil)
                #expect(bytes.range(of: Data("someuser".utf8)) == nil)
            }
        }
    }

    private static func hides(_ text: String) -> Bool {
        !text.contains("s3cretword") && !text.contains("someuser")
    }
}
