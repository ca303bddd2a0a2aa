import Foundation
import ODataPostgres
import Testing

@Suite struct AddressTests {
    @Test func bothFormsAreRead() throws {
        let url = try PostgresAddress("postgres://anna@db.example:5433/shop?sslmode=require")
        #expect(url.options["host"] == "db.example")
        #expect(url.options["port"] == "5433")
        #expect(url.options["user"] == "anna")
        #expect(url.options["dbname"] == "shop")
        #expect(url.options["sslmode"] == "require")
        #expect(url.description == "PostgreSQL at db.example:5433, database shop")
        let words = try PostgresAddress("host=/run/postgresql dbname='my shop'")
        #expect(words.options == ["host": "/run/postgresql", "dbname": "my shop"])
        #expect(PostgresAddress.isAddress("postgresql://localhost/shop"))
        #expect(!PostgresAddress.isAddress("postgres.db"))
    }

    @Test(arguments: [
        "postgres://anna:s3cr3t@db.example/shop", "host=db password=s3cr3t",
        "postgres://db/shop?password=s3cr3t", "host=db sslpassword=s3cr3t",
        // What libpq cannot read, and repeats in what it says.
        "postgres://anna:s3cr3t@db.example/shop?nothing=1", "s3cr3t", "password='s3cr3t",
    ])
    func aPasswordInAnAddressIsRefusedAndNotSaid(_ text: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
        #expect(error?.kind == .address)
        #expect(error.map { "\($0)" }?.contains("s3cr3t") == false)
        #expect(error.map { String(reflecting: $0) }?.contains("s3cr3t") == false)
    }

    @Test func aFileThatOthersMayReadIsRefused() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("s3cr3t\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: file.path)
        var settings = PostgresConnection.Settings(try PostgresAddress("host=/nowhere"))
        settings.password = .file(path: file.path)
        let open = #expect(throws: PostgresError.self) { try PostgresConnection(settings) }
        #expect(open?.kind == .address)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path)
        let closed = #expect(throws: PostgresError.self) { try PostgresConnection(settings) }
        #expect(closed?.kind == .unreachable)
    }
}
