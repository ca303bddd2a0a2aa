import Foundation
import GRDB
import ODataSQL
import ODataSQLite
import ODataText

/// What a check of a store's file has found.
package struct StoreCheck: Sendable, Hashable {
    /// A sentence for each problem, at most ``limit``; none when the file is whole.
    package var problems: [String]

    package var isIntact: Bool { problems.isEmpty }

    package static let limit = 100

    package init(problems: [String] = []) { self.problems = problems }

    /// Checks every page and every index of a store that need not be open, and may not be openable.
    ///
    /// - Throws: `storage` for a file that is not there, for a wrong or missing key, and for a key on a store in clear.
    package init(path: String, key: StoreKey?) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ODataError(.storage, "Expected a store, found no file.", at: .path(path))
        }
        let file = try StoreFile(path: path, key: key)
        var cutOff: [String] = []
        do {
            try file.checkLength()
        } catch {
            cutOff = try Self.sentences(of: error)
            if file.hasNoPages {
                problems = cutOff
                return
            }
        }
        do {
            let queue = try file.queue()
            defer { try? queue.close() }
            problems = try queue.read(Self.problems)
        } catch {
            let failure = file.takeFailure()
            if let failure, failure.underlying is StoreKeyError { throw failure }
            problems = try Self.sentences(of: failure ?? error)
            if cutOff.isEmpty, let error = file.cutOff() { cutOff = [error.message] }
        }
        problems = cutOff + problems
        // Damage that SQLite reports in its own text is named better by the cipher.
        if let failure = file.takeFailure() { problems.append(failure.message) }
    }

    static func problems(_ database: Database) throws -> [String] {
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        guard application == BookkeepingSchema.applicationID else {
            return ["Expected a store of this library, found another database."]
        }
        let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(limit))")
        return found == ["ok"] ? [] : found
    }

    /// Damage becomes a sentence; anything else is thrown.
    static func sentences(of error: any Error) throws -> [String] {
        if let error = error as? DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_ERROR:
                return ["SQLite cannot read the store: \(error.message ?? "no message")."]
            default: throw error
            }
        }
        if let error = error as? ODataError, error.code == .storage { return [error.message] }
        throw error
    }
}

extension LocalStore {
    /// Checks every page and every index of the open store. Readers and writers go on meanwhile.
    package func check() throws -> StoreCheck {
        let pool = try pool()
        do {
            return StoreCheck(problems: try pool.read(StoreCheck.problems))
        } catch {
            return StoreCheck(problems: try StoreCheck.sentences(of: file.takeFailure() ?? error))
        }
    }
}
