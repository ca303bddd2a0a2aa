import CLibPQ
import Foundation

/// Where a database is: a URL (`postgres://user@host/database`) or libpq's keywords (`host=/run/postgresql dbname=shop`).
///
/// It holds no password: that would stand in the list of processes and in the history of a shell.
package struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
    /// What libpq is told, by keyword.
    package let options: [String: String]

    /// - Throws: `address` for a text that libpq does not read, and for one with a password in it.
    package init(_ text: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        let parsed = PQconninfoParse(text, &message)
        // What libpq says repeats a part of the text, which may be a password.
        PQfreemem(message)
        guard let parsed else {
            throw PostgresError(
                .address,
                "Expected an address as postgres://user@host:5432/database or host=… dbname=….")
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var next = parsed
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                options[String(cString: keyword)] = String(cString: value)
            }
            next += 1
        }
        guard Self.secrets.allSatisfy({ options[$0] == nil }) else {
            throw PostgresError(
                .address,
                "Expected an address without a password; a file, PGPASSWORD or ~/.pgpass tells it.")
        }
        self.options = options
    }

    /// True for a text that names a PostgreSQL database, and no file.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Where it is, for people.
    package var description: String {
        let host = options["host"] ?? options["hostaddr"] ?? "localhost"
        let port = options["port"].map { ":" + $0 } ?? ""
        return "PostgreSQL at \(host)\(port), database \(options["dbname"] ?? "of the user's name")"
    }

    private static let secrets = ["password", "sslpassword"]
}

/// Where the password comes from.
package enum PostgresPassword: Sendable, Hashable {
    /// PGPASSWORD, PGPASSFILE and ~/.pgpass, as libpq looks for them; none where the server wants none.
    case standard
    /// The first line of a file that nobody else may read.
    case file(path: String)
    /// A variable of the environment.
    case variable(name: String)

    /// - Throws: `address` where it cannot be read, or others could, too.
    func read(_ environment: [String: String]) throws(PostgresError) -> String? {
        switch self {
        case .standard: return nil
        case .variable(let name):
            guard let value = environment[name], !value.isEmpty else {
                throw PostgresError(
                    .address, "Expected a password in the variable \(name), found none.")
            }
            return value
        case .file(let path):
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw PostgresError(
                    .address, "Expected a file with a password at \(path), could not read it.")
            }
            if let mode = attributes?[.posixPermissions] as? NSNumber,
                mode.intValue & 0o077 != 0
            {
                throw PostgresError(
                    .address, "Expected a file that is for its owner alone (mode 0600): \(path).")
            }
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            guard !line.isEmpty else {
                throw PostgresError(.address, "Expected a password in \(path), found none.")
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
