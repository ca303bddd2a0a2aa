import Foundation
import ODataPostgres
import PostgreSQLFixture
import Testing

/// A server that asks for a password.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PasswordTests {
    private let password = "s3cr3t-p4ss"

    private func settings() throws -> PostgresConnection.Settings {
        let address = try PostgreSQLServer.makeAddress(user: "guarded")
        let owner = try PostgreSQLServer.connection(
            to: address.replacing("user=guarded", with: "user=odata"))
        try owner.run(
            """
            DO $$ BEGIN
                CREATE ROLE guarded LOGIN PASSWORD '\(password)';
            -- Another test may make it at the same time, from another database.
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END $$
            """)
        return PostgresConnection.Settings(try PostgresAddress(address))
    }

    private func temporary(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    @Test func aPasswordComesFromAFileAVariableOrPassFile() throws {
        var settings = try settings()
        let file = try temporary(password + "\n")
        let passFile = try temporary("*:*:*:guarded:\(password)\n")
        defer {
            for path in [file, passFile] { try? FileManager.default.removeItem(atPath: path) }
        }
        settings.password = .file(path: file)
        #expect(try PostgresConnection(settings).isOpen)
        settings.password = .variable(name: "SHOP_PASSWORD")
        settings.environment = ["SHOP_PASSWORD": password]
        #expect(try PostgresConnection(settings).isOpen)
        let address = try PostgresAddress(
            settings.address.options.map { "\($0)='\($1)'" }.joined(separator: " ")
                + " passfile='\(passFile)'")
        #expect(try PostgresConnection(PostgresConnection.Settings(address)).isOpen)
    }

    @Test func noMessageHoldsThePassword() throws {
        var settings = try settings()
        settings.password = .variable(name: "SHOP_PASSWORD")
        // What a message of the server repeats is taken out of it: here it is the name of a table.
        settings.environment = ["SHOP_PASSWORD": password]
        let connection = try PostgresConnection(settings)
        let missing = #expect(throws: PostgresError.self) {
            try connection.run("SELECT * FROM \"\(password)\"")
        }
        #expect(missing?.sqlState == "42P01")
        #expect(missing.map { "\($0)" }?.contains("***") == true)
        #expect(missing.map { String(reflecting: $0) }?.contains(password) == false)
        settings.environment = ["SHOP_PASSWORD": "wr0ng"]
        let wrong = #expect(throws: PostgresError.self) { try PostgresConnection(settings) }
        #expect(wrong?.kind == .unreachable)
        #expect(wrong.map { "\($0)" }?.contains("authentication failed") == true)
        #expect(wrong.map { String(reflecting: $0) }?.contains("wr0ng") == false)
    }
}
