import GRDB
import ODataSyncPlan
import ODataText
import ODataWorld

/// What a store remembers of the habits of its service.
extension LocalStore {
    /// What was met of the service so far.
    package func serviceProfile() throws -> ServiceProfile {
        let text = try read { try StoreSettings(database: $0).text(.serviceProfile) }
        return text.flatMap { ServiceProfile(text: $0) } ?? ServiceProfile()
    }

    /// Keeps what a download has found out of how the service is read, each lesson as an event.
    package func note(_ lessons: [String], leadingTo reads: ReadProfile) throws {
        guard !lessons.isEmpty else { return }
        try write(.full) { database in
            let settings = StoreSettings(database: database)
            var profile =
                try settings.text(.serviceProfile).flatMap { ServiceProfile(text: $0) }
                ?? ServiceProfile()
            profile.reads = reads
            try settings.set(.serviceProfile, profile.text)
            for lesson in lessons {
                try addEvent("profile", details: "learned: " + lesson, to: database)
            }
        }
    }

    /// A download came to its end without what the service refused: an event names it, and nothing else counts as done.
    package func noteRefused(_ refused: [SourceRefusal], details: String?) throws {
        let names = refused.map { "\($0.source.name ?? $0.source.entitySet): \($0.reason)" }
        let text = "refused " + names.joined(separator: "; ")
        try write(.full) {
            try addEvent(
                "download", details: [details, text].compactMap { $0 }.joined(separator: ", "),
                to: $0)
        }
    }

    private func addEvent(_ type: String, details: String?, to database: Database) throws {
        let now = world.now()
        try database.execute(
            sql: "INSERT INTO _odata_event (type, time, details) VALUES (?, ?, ?)",
            arguments: [
                type, now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000), details,
            ])
    }
}
