import Foundation
import ODataPostgres
import ODataQuery
import ODataSQL
import ODataServer
import PostgreSQLFixture

/// A service that changes a PostgreSQL database of its own, and a connection beside it.
final class ChangingService {
    let service: ODataService
    let connection: PostgresConnection
    let address: String

    init(_ tables: String, user: String? = nil) throws {
        address = try PostgreSQLServer.makeAddress()
        connection = try PostgreSQLServer.connection(to: address)
        try connection.run(tables)
        if let user {
            // Its owner's service makes the functions.
            try TwinServices.serve(address).close()
            service = try TwinServices.serve(
                address.replacing("user=odata", with: "user=\(user)"), Self.configuration)
        } else {
            service = try TwinServices.serve(address, Self.configuration)
        }
    }

    deinit { try? service.close() }

    static var configuration: ServiceConfiguration {
        TwinServices.configuration("", isReadOnly: false)
    }

    struct Answer {
        var status: Int
        var headers: HeaderFields
        var text: String

        init(_ message: ResponseMessage) {
            status = message.status
            headers = message.headers
            text = String(decoding: message.body, as: UTF8.self)
        }

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
        }

        /// The code, message and target of an error.
        var error: [String: String] { json["error"] as? [String: String] ?? [:] }
    }

    func send(
        _ method: String, _ url: String, _ body: String? = nil, _ headers: HeaderFields = [:]
    ) -> Answer {
        Self.send(method, url, body, headers, to: service)
    }

    static func send(
        _ method: String, _ url: String, _ body: String? = nil, _ headers: HeaderFields = [:],
        to service: ODataService
    ) -> Answer {
        var headers = headers
        if body != nil, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/json"
        }
        return Answer(
            service.respond(
                to: RequestMessage(
                    method: method, url: TwinServices.encoded(url), headers: headers,
                    body: Array((body ?? "").utf8))))
    }

    /// What the database holds, as texts in the order of the first column.
    func rows(_ query: String) throws -> [[String]] {
        try Self.rows(query, connection)
    }

    static func rows(_ query: String, _ connection: PostgresConnection) throws -> [[String]] {
        try connection.rows(SQLStatement(text: query)).map { row in
            row.map { value in
                switch value {
                case .null, .parentRows: "null"
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .text(let text): text
                case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: " ")
                }
            }
        }
    }
}
