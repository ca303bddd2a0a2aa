import ODataQuery

/// What is known of a service beyond its metadata, met on the way and kept with the store: one value for online calls,
/// downloads and uploads. What is pinned counts more than what was met.
package struct ServiceProfile: Sendable, Hashable {
    /// How its rows are read.
    package var reads = ReadProfile()
    /// Entries that the app or a person has fixed.
    package var pins = ProfilePins()
    /// How keys stand in its paths, as a read by key has shown; nil before one has.
    private var metKeys: KeyStyle?
    /// The method by which an update went through, where it is not that of the version.
    private var metUpdates: UpdateMethod?
    /// What is so, of the entries that are yes or no.
    private var met: Set<ProfileEntry> = []

    package init() {}

    init(
        reads: ReadProfile, pins: ProfilePins, keys: KeyStyle?, updates: UpdateMethod?,
        met: Set<ProfileEntry>
    ) {
        self.reads = reads
        self.pins = pins
        metKeys = keys
        metUpdates = updates
        self.met = met
    }

    // MARK: What counts

    /// How keys are written; nil while nobody knows.
    package var keys: KeyStyle? { pins.keys ?? metKeys }

    /// The method of updates; nil for that of the version.
    package var updates: UpdateMethod? { pins.update ?? metUpdates }

    /// False where batches are not taken; nil while nobody knows.
    package var takesBatches: Bool? {
        pins.flag(.batch) ?? (reads.refusedBatch == nil ? nil : false)
    }

    /// Of `tunnel`, `repeatable` and `version`; nil while nobody knows.
    package func flag(_ entry: ProfileEntry) -> Bool? {
        pins.flag(entry) ?? (met.contains(entry) ? true : nil)
    }

    /// How a source is asked for first.
    ///
    /// - Parameter wish: what the settings and the metadata allow.
    package func form(of source: String, wish: ReadForm) -> ReadForm {
        var form = reads.form(of: source, wish: wish)
        if let format = pins.format { form.format = format }
        if let tracks = pins.flag(.tracking, of: source) { form.tracksChanges = tracks }
        if let expands = pins.flag(.expand, of: source) { form.expands = expands && wish.expands }
        return form
    }

    // MARK: Learning

    /// As ``ReadProfile/learn(of:from:finally:)``, but for what is pinned.
    package mutating func learn(
        of source: DownloadSource, from refusals: [ReadMachine.Refusal], finally form: ReadForm
    ) -> [String] {
        let lessons = reads.lessons(of: source, from: refusals, finally: form).filter { lesson in
            switch lesson.entry {
            case .format: pins.format == nil
            default: pins.flag(lesson.entry, of: source.key) == nil
            }
        }
        for lesson in lessons { reads.take(lesson, of: source, form) }
        return lessons.map(\.sentence)
    }

    /// Batches that were refused in a way that speaks of all of them.
    ///
    /// - Returns: what is new.
    package mutating func learnBatch(refusedWith status: Int) -> String? {
        pins.flag(.batch) == nil ? reads.learnBatch(refusedWith: status) : nil
    }

    /// Takes over how keys stand in paths.
    ///
    /// - Returns: what is new and worth telling.
    package mutating func learn(keys style: KeyStyle) -> String? {
        guard pins.keys == nil, metKeys != style else { return nil }
        let isTold = style == .segments || metKeys != nil
        metKeys = style
        return isTold ? Self.sentence(style) : nil
    }

    /// Takes over by which method updates go through.
    ///
    /// - Returns: what is new and worth telling.
    package mutating func learn(updates method: UpdateMethod) -> String? {
        guard pins.update == nil, metUpdates != method else { return nil }
        metUpdates = method
        return Self.sentence(method)
    }

    /// Takes over that an entry is so.
    ///
    /// - Returns: what is new and worth telling.
    package mutating func learn(_ entry: ProfileEntry) -> String? {
        guard pins.flag(entry) == nil, met.insert(entry).inserted else { return nil }
        // Marks and identities change nothing in how the service is asked.
        return entry == .version || entry == .repeatable ? nil : Self.sentence(entry)
    }

    // MARK: Words

    /// Everything that was learned, one sentence each.
    package var sentences: [String] {
        reads.sentences + (metKeys.map { [Self.sentence($0)] } ?? [])
            + (metUpdates.map { [Self.sentence($0)] } ?? [])
            + ProfileEntry.allCases.filter { met.contains($0) }.compactMap { Self.sentence($0) }
    }

    /// What is pinned, as `NAME=VALUE`.
    package var pinned: [String] {
        pins.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    var json: (keys: KeyStyle?, updates: UpdateMethod?, met: Set<ProfileEntry>) {
        (metKeys, metUpdates, met)
    }

    private static func sentence(_ style: KeyStyle) -> String {
        switch style {
        case .parentheses: "takes keys in parentheses"
        case .segments: "takes keys as segments of their own"
        }
    }

    private static func sentence(_ method: UpdateMethod) -> String {
        method == .put ? "takes updates as whole rows (PUT)" : "takes updates by \(method.verb)"
    }

    private static func sentence(_ entry: ProfileEntry) -> String? {
        switch entry {
        case .tunnel: "takes changes as POST with their method in a header"
        case .repeatable: "recognises repeated requests"
        case .version: "sends version headers"
        case .format, .batch, .tracking, .expand, .keys, .update: nil
        }
    }
}

/// How a service wants to be asked for rows: what it refused, so that it is not asked again.
package struct ReadProfile: Sendable, Hashable {
    /// The richest format that it takes; nil while none was refused.
    package var format: ReadForm.Format?
    /// Sets and queries whose changes it would not track, by the key of the source, with the status of its refusal.
    package var untracked: [String: Int] = [:]
    /// Sets that it would not read with expansions, with the status of its refusal.
    package var unexpanded: [String: Int] = [:]
    /// The status with which it refused batches of reads; nil while it did not.
    package var refusedBatch: Int?

    package init() {}

    /// How a source is asked for first.
    ///
    /// - Parameter wish: what the settings and the metadata allow.
    package func form(of source: String, wish: ReadForm) -> ReadForm {
        var form = wish
        if let format, format.isPlainer(than: form.format) { form.format = format }
        if untracked[source] != nil { form.tracksChanges = false }
        if unexpanded[source] != nil { form.expands = false }
        return form
    }

    /// One thing that a read has found out.
    struct Lesson {
        var entry: ProfileEntry
        var status: Int
        var sentence: String
    }

    /// Takes over what a read that came to its end has found out.
    ///
    /// - Returns: what is new, one sentence each.
    package mutating func learn(
        of source: DownloadSource, from refusals: [ReadMachine.Refusal], finally form: ReadForm
    ) -> [String] {
        let lessons = lessons(of: source, from: refusals, finally: form)
        for lesson in lessons { take(lesson, of: source, form) }
        return lessons.map(\.sentence)
    }

    /// What a read that came to its end has found out.
    ///
    /// A status of 500 may have passed by itself, so nothing is concluded from it.
    func lessons(
        of source: DownloadSource, from refusals: [ReadMachine.Refusal], finally form: ReadForm
    ) -> [Lesson] {
        guard let top = refusals.first?.form, let last = refusals.last, last.status != 500 else {
            return []
        }
        var lessons: [Lesson] = []
        let isAboutOptions =
            top.tracksChanges != form.tracksChanges || top.expands != form.expands
        let isAboutFormat = !isAboutOptions || refusals.contains { $0.status == 406 }
        if isAboutFormat, form.format.isPlainer(than: format ?? .compact) {
            let status = refusals[0].status
            lessons.append(
                Lesson(
                    entry: .format, status: status,
                    sentence: form.format == .atom
                        ? "refuses JSON (\(status))" : "refuses format parameters (\(status))"))
        }
        if top.tracksChanges, !form.tracksChanges {
            lessons.append(
                Lesson(
                    entry: .tracking, status: last.status,
                    sentence: "does not track changes of \(source.key) (\(last.status))"))
        }
        if top.expands, !form.expands {
            lessons.append(
                Lesson(
                    entry: .expand, status: last.status,
                    sentence: "does not expand \(source.key) (\(last.status))"))
        }
        return lessons
    }

    mutating func take(_ lesson: Lesson, of source: DownloadSource, _ form: ReadForm) {
        switch lesson.entry {
        case .format: format = form.format
        case .tracking: untracked[source.key] = lesson.status
        case .expand: unexpanded[source.key] = lesson.status
        default: break
        }
    }

    /// Everything that was learned, one sentence each.
    package var sentences: [String] {
        var sentences: [String] = []
        if let format {
            sentences.append(
                format == .atom
                    ? "takes Atom and no JSON" : "takes \(format.rawValue) JSON and nothing richer")
        }
        if let refusedBatch { sentences.append("takes no batches (\(refusedBatch))") }
        for (source, status) in untracked.sorted(by: { $0.key < $1.key }) {
            sentences.append("does not track changes of \(source) (\(status))")
        }
        for (source, status) in unexpanded.sorted(by: { $0.key < $1.key }) {
            sentences.append("does not expand \(source) (\(status))")
        }
        return sentences
    }

    /// Batches that were refused in a way that speaks of all of them.
    ///
    /// - Returns: what is new.
    package mutating func learnBatch(refusedWith status: Int) -> String? {
        guard Self.refusesBatches(status), refusedBatch == nil else { return nil }
        refusedBatch = status
        return "takes no batches (\(status))"
    }

    /// Statuses of `$batch` that speak of all batches: no part of one was looked at.
    package static func refusesBatches(_ status: Int) -> Bool {
        [404, 405, 415, 501].contains(status)
    }
}

extension ReadForm.Format {
    fileprivate func isPlainer(than other: Self) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) > (order.firstIndex(of: other) ?? 0)
    }
}
