import GRDB
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWorld

/// What a store remembers of the habits of its service.
extension LocalStore {
    /// What was met of the service so far, and what is pinned.
    package func serviceProfile() throws -> ServiceProfile {
        try read { try StoreSettings(database: $0).profile() }
    }

    /// Changes the profile; what `body` has learned becomes events.
    ///
    /// - Parameter body: returns what is new, one sentence each.
    /// - Returns: the profile as it is now.
    @discardableResult
    package func learn(
        _ body: (inout ServiceProfile) throws -> [String]
    ) throws -> ServiceProfile {
        var known = try serviceProfile()
        let before = known
        guard try !body(&known).isEmpty || known != before else { return known }
        let profile = try write(.full) { database in
            let settings = StoreSettings(database: database)
            var profile = try settings.profile()
            let lessons = try body(&profile)
            try settings.set(.serviceProfile, profile.text)
            for lesson in lessons {
                try addEvent("profile", details: "learned: " + lesson, to: database)
            }
            return profile
        }
        use(profile.keys ?? .parentheses)
        return profile
    }

    /// Keeps that an entry was met.
    ///
    /// - Returns: the profile as it is now.
    package func learn(_ entry: ProfileEntry) throws -> ServiceProfile {
        let known = try serviceProfile()
        guard known.flag(entry) != true else { return known }
        return try learn { $0.learn(entry).map { [$0] } ?? [] }
    }

    /// Keeps what a download has found out of how the service is read, each lesson as an event.
    package func note(_ lessons: [String], leadingTo reads: ReadProfile) throws {
        try learn { profile in
            profile.reads = reads
            return lessons
        }
    }

    /// Fixes an entry of the profile, or lets it be learned again.
    ///
    /// - Parameter value: nil for an entry that is to be learned again.
    /// - Throws: `usage` for a name or value that there is not.
    @discardableResult
    package func pin(_ name: String, to value: String?) throws -> ServiceProfile {
        // What a person says is no option's any more.
        if name == ProfileEntry.keys.rawValue, try flag(.keysByOption) {
            try setFlag(false, for: .keysByOption)
        }
        return try learn { profile in
            if let value { try profile.pins.pin(name, value) } else { try profile.pins.unpin(name) }
            return []
        }
    }

    /// Pins the style of keys for as long as the app's option says one; nil ends a pin that the option has made, and leaves
    /// any other.
    ///
    /// - Returns: the profile as it is now.
    @discardableResult
    package func takeOption(keys: KeyStyle?) throws -> ServiceProfile {
        let profile = try serviceProfile()
        let pinned = profile.pins.values[ProfileEntry.keys.rawValue]
        guard let keys else {
            guard pinned != nil, try flag(.keysByOption) else { return profile }
            return try pin(ProfileEntry.keys.rawValue, to: nil)
        }
        guard pinned != keys.rawValue else { return profile }
        let changed = try pin(ProfileEntry.keys.rawValue, to: keys.rawValue)
        try setFlag(true, for: .keysByOption)
        return changed
    }

    /// A download came to its end without what the service refused: an event names it, and nothing else counts as done.
    package func noteRefused(_ refused: [SourceRefusal], details: String?) throws {
        let names = refused.map { "\($0.source.name ?? $0.source.entitySet): \($0.reason)" }
        let text = "refused " + names.joined(separator: "; ")
        try note(
            "download", details: [details, text].compactMap { $0 }.joined(separator: ", "))
    }

    /// Adds an event of a kind to the log.
    package func note(_ type: String, details: String?) throws {
        try write(.full) { try addEvent(type, details: details, to: $0) }
    }

    private func addEvent(_ type: String, details: String?, to database: Database) throws {
        let now = world.now()
        try database.addEvent(
            type, at: now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000), details: details)
    }
}

extension StoreSettings {
    /// The profile of the service, with what stores of earlier versions kept beside it.
    func profile() throws -> ServiceProfile {
        let flags = [
            (Name.repeatability, ProfileEntry.repeatable), (.sendsVersion, .version),
            (.tunnelsMethods, .tunnel),
        ]
        // Each operation begins with it.
        let kept = try values(of: [.serviceProfile] + flags.map(\.0))
        var profile =
            kept[.serviceProfile].flatMap(String.fromDatabaseValue)
            .flatMap { ServiceProfile(text: $0) } ?? ServiceProfile()
        for (name, entry) in flags where kept[name].flatMap(Int64.fromDatabaseValue) == 1 {
            _ = profile.learn(entry)
        }
        return profile
    }
}
