import GRDB
import ODataSyncPlan

/// How often requests were sent and what came of it, in `_odata_sending`: for people, never for decisions.
struct SendingRows {
    let database: Database

    static let table = """
        CREATE TABLE _odata_sending (
            request INTEGER PRIMARY KEY,
            count INTEGER NOT NULL,
            last_sent INTEGER NOT NULL,
            status INTEGER,
            answer TEXT
        )
        """

    func noteSending(of requests: [Int64], at time: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO _odata_sending (request, count, last_sent) VALUES (?, 1, ?)"
                + " ON CONFLICT (request) DO UPDATE SET count = count + 1,"
                + " last_sent = excluded.last_sent, status = NULL, answer = NULL")
        for request in requests { try statement.execute(arguments: [request, time]) }
    }

    func note(_ answers: [Int64: SendingRecord.Answer]) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE _odata_sending SET status = ?, answer = ? WHERE request = ?")
        for (request, answer) in answers {
            try statement.execute(
                arguments: [answer.status, String(answer.message.prefix(2_000)), request])
        }
    }

    func all() throws -> [Int64: SendingRecord] {
        var records: [Int64: SendingRecord] = [:]
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM _odata_sending"))
        for row in rows {
            var record = SendingRecord(count: row["count"], lastSent: row["last_sent"])
            if let message: String = row["answer"] {
                record.answer = SendingRecord.Answer(status: row["status"], message: message)
            }
            records[row["request"]] = record
        }
        return records
    }
}

extension LocalStore {
    /// How often the requests of the queue were sent, and what came of the last time.
    package func sendings() throws -> [Int64: SendingRecord] {
        try read { try SendingRows(database: $0).all() }
    }

    /// Remembers what came of a sending; nothing depends on it, so that a power loss may take it.
    package func noteAnswers(_ answers: [Int64: SendingRecord.Answer]) throws {
        guard !answers.isEmpty else { return }
        try write(.normal) { try SendingRows(database: $0).note(answers) }
    }
}
