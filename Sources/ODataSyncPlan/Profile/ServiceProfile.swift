/// What is known of a service beyond its metadata, met on the way and kept with the store.
package struct ServiceProfile: Sendable, Hashable {
    /// How its rows are read.
    package var reads = ReadProfile()

    package init() {}
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

    /// Takes over what a read that came to its end has found out.
    ///
    /// A status of 500 may have passed by itself, so nothing is concluded from it.
    ///
    /// - Returns: what is new, one sentence each.
    package mutating func learn(
        of source: DownloadSource, from refusals: [ReadMachine.Refusal], finally form: ReadForm
    ) -> [String] {
        guard let top = refusals.first?.form, let last = refusals.last, last.status != 500 else {
            return []
        }
        var lessons: [String] = []
        let isAboutOptions =
            top.tracksChanges != form.tracksChanges || top.expands != form.expands
        let isAboutFormat = !isAboutOptions || refusals.contains { $0.status == 406 }
        if isAboutFormat, form.format.isPlainer(than: format ?? .compact) {
            format = form.format
            lessons.append("refuses format parameters (\(refusals[0].status))")
        }
        if top.tracksChanges, !form.tracksChanges {
            untracked[source.key] = last.status
            lessons.append("does not track changes of \(source.key) (\(last.status))")
        }
        if top.expands, !form.expands {
            unexpanded[source.key] = last.status
            lessons.append("does not expand \(source.key) (\(last.status))")
        }
        return lessons
    }

    /// Everything that was learned, one sentence each.
    package var sentences: [String] {
        var sentences: [String] = []
        if let format { sentences.append("takes \(format.rawValue) JSON and nothing richer") }
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
        guard [404, 405, 415, 501].contains(status), refusedBatch == nil else { return nil }
        refusedBatch = status
        return "takes no batches (\(status))"
    }
}

extension ReadForm.Format {
    fileprivate func isPlainer(than other: Self) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) > (order.firstIndex(of: other) ?? 0)
    }
}
