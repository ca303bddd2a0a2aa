import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataQuery
import Testing

/// Where the file of a store lies.
@Suite struct DatabaseURLTests {
    @Test(arguments: ["sqlite:", "sqlite://", ""]) func aPathIsTakenWithAndWithoutScheme(
        scheme: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("url-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/a folder/x.db"
        let provider = SQLDatabaseProvider(serviceName: "Local", databaseURL: scheme + file)
        try provider.open()
        #expect(FileManager.default.fileExists(atPath: file))
        try provider.clear()
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(arguments: [
        ("", ""), ("sqlite:", "sqlite:"), ("postgres://host/db", "host/db"),
        ("https://host/x.db", "host/x.db"), ("file:///tmp/x.db", "/tmp/x.db"),
    ])
    func whatIsNoPathIsRefused(url: String, place: String) {
        let provider = SQLDatabaseProvider(serviceName: "Local", databaseURL: url)
        #expect(failure { try provider.open() } == Failure(UsageError.self, .usage, at: place))
    }
}
