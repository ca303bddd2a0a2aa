/// How the rows of a source are asked for: one rung of the ladder that a read goes down while the service refuses.
package struct ReadForm: Sendable, Hashable {
    /// What is accepted as an answer, the richest first.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// Rows as arrays, where the service knows how.
        case compact
        /// JSON with parameters that say how it is to be written.
        case parameters
        /// `application/json` and nothing else.
        case plain
        /// Atom, which every V2 service has; JSON came later.
        case atom
    }

    package var format: Format
    /// Asks the service to track changes, so that a delta link comes with the last page.
    package var tracksChanges: Bool
    /// Asks for what a source expands beyond its own rows.
    package var expands: Bool
    /// Atom is the last rung: the service speaks V2.
    package var mayBeAtom: Bool

    package init(
        _ format: Format = .compact, tracksChanges: Bool = true, expands: Bool = true,
        mayBeAtom: Bool = false
    ) {
        self.format = format
        self.tracksChanges = tracksChanges
        self.expands = expands
        self.mayBeAtom = mayBeAtom
    }

    /// The next rung after a query was refused with `status`; nil when nothing else can be tried.
    ///
    /// A status that speaks of formats changes nothing but the format while there is a plainer one; any other that may
    /// come from what was asked leads to the plainest format at once. What comes then is what else can be done without:
    /// tracking, expansions, both.
    ///
    /// - Parameter top: the rung on which the read began.
    package func next(afterRefusal status: Int, top: ReadForm) -> ReadForm? {
        if let plainer = plainer(afterRefusal: status) { return plainer }
        if mayBeAtom, format == .plain, status == 406 || status == 415 {
            var form = self
            form.format = .atom
            return form
        }
        guard Self.mayBeAboutOptions(status) else { return nil }
        let rungs = [(true, true), (false, true), (true, false), (false, false)].filter {
            ($0.0 == false || top.tracksChanges) && ($0.1 == false || top.expands)
        }
        guard let here = rungs.firstIndex(where: { $0 == (tracksChanges, expands) }),
            here + 1 < rungs.count
        else { return nil }
        var form = self
        (form.tracksChanges, form.expands) = rungs[here + 1]
        return form
    }

    /// The same in plainer JSON; nil when the status is not about formats or there is none.
    package func plainer(afterRefusal status: Int) -> ReadForm? {
        guard format == .compact || format == .parameters else { return nil }
        var form = self
        switch status {
        case 406, 415: form.format = format == .compact ? .parameters : .plain
        case 400, 500, 501: form.format = .plain
        default: return nil
        }
        return form
    }

    private static func mayBeAboutOptions(_ status: Int) -> Bool {
        status == 400 || status == 406 || status == 500 || status == 501
    }
}
