import ODataModel
import ODataSQL

/// Which sources hold a row, as `_odata_sources` keeps it: a row stays while one does (docs/design.md, decision 10).
///
/// A source has a place in each table that it brings rows of. The first ones are bits of the column; rows of others are
/// listed in a table beside it, which one bit says. 0 is a row that nobody is noted for: that of the default download where
/// it has brought rows, so that a set with one source needs no bits, or else one that was made here.
package enum RowHolds {
    /// Places with a bit of their own.
    package static let places = 62
    /// Sources whose places have no bit are listed elsewhere.
    package static let aside: Int64 = 1 << 62
    /// The last source has gone; the row waits for its own changes to be settled, and goes with them.
    package static let nobody = Int64.min
    /// What bounds the sources of one table.
    package static let maximum = 4_096

    /// Why a source lets rows go.
    package enum Reason: Sendable, Hashable {
        /// The service says that they have left its result, or a whole read of it did not meet them.
        case left
        /// The service says that they are no more, whoever held them.
        case deleted
        /// The source itself goes.
        case released
    }

    /// What becomes of a row that a source lets go.
    package enum Departure: Sendable, Hashable {
        /// Nothing: it is none that the source could know.
        case none
        /// Others hold it.
        case stay
        /// It was made here and belongs to whoever is left of its set.
        case inherit
        /// It goes.
        case remove
        /// Changes wait over what the service no longer has; it goes when they are settled.
        case bury
        /// Changes wait; it goes when they are settled.
        case wait
    }

    /// - Parameters:
    ///   - isHeldAside: another source holds it that has no bit.
    ///   - hasHeirs: other sources read the same set.
    ///   - isUnsent: it was made here, and the service has not accepted it yet.
    ///   - hasChanges: the queue may have requests for it.
    ///   - hasChangesBelow: it may have some for rows that it contains.
    package static func departure(
        from hold: RowHold?, sources: Int64, isHeldAside: Bool = false, state: EntityState,
        isUnsent: Bool, hasChanges: Bool, hasChangesBelow: Bool = false,
        because reason: Reason, hasHeirs: Bool = false
    ) -> Departure {
        let isLeft =
            hold.map { $0.left(sources, isHeldAside: isHeldAside) != 0 } ?? false
        switch reason {
        case .deleted: return hasChanges ? .bury : .remove
        case .left:
            if isLeft { return .stay }
            guard hasChanges else { return hasChangesBelow ? .wait : .remove }
            // The service never had it, so it cannot have left.
            return isUnsent ? .none : .bury
        case .released:
            if sources == 0, state.contains(.created), hasHeirs { return .inherit }
            if isLeft { return .stay }
            return hasChanges || hasChangesBelow ? .wait : .remove
        }
    }

    /// Of two rows that turn out to be one.
    ///
    /// - Parameters:
    ///   - made: of the row that was made here.
    ///   - brought: of the one that a download has brought.
    ///   - implicit: what 0 stands for.
    package static func joined(_ made: Int64, _ brought: Int64, implicit: Int64) -> Int64 {
        guard made != 0 || brought != 0 else { return 0 }
        let union = (made == 0 ? 0 : made) | (brought == 0 ? implicit : brought)
        let held = union & ~nobody
        return held == 0 ? union : held
    }
}

/// How one source holds rows of one table.
package struct RowHold: Sendable, Hashable {
    /// 0 is the default download of a set.
    package var place: Int
    /// Who holds rows that have no bit: 1 where the default download of the table has brought rows, else 0.
    package var implicit: Int64

    package init(place: Int, implicit: Int64 = 0) {
        self.place = place
        self.implicit = implicit
    }

    /// Its rows are listed beside the table.
    package var isAside: Bool { place >= RowHolds.places }
    package var mask: Int64 { isAside ? RowHolds.aside : 1 << Int64(place) }
    /// Rows without a bit are its own.
    package var isImplicit: Bool { !isAside && implicit & mask != 0 }

    /// The sources of a row that it brings.
    package func taken(_ sources: Int64) -> Int64 {
        if sources == 0, isImplicit { return 0 }
        return ((sources == 0 ? implicit : sources) | mask) & ~RowHolds.nobody
    }

    /// The sources of a row that it lets go; 0 where nobody else holds it.
    package func left(_ sources: Int64, isHeldAside: Bool = false) -> Int64 {
        let others = (sources == 0 ? implicit : sources) & ~RowHolds.nobody
        return isAside && isHeldAside ? others : others & ~mask
    }
}

/// When a source that has no right to its rows any more gives them up: never before whoever takes its place has them.
package enum SourceRelease {
    /// What the source waits for.
    package enum Condition: Sendable, Hashable {
        /// Nothing.
        case none
        /// The end of a download.
        case download
        /// The first read of another source to its end.
        case successor(isComplete: Bool)
    }

    /// Another source of the same table.
    package struct Other: Sendable, Hashable {
        /// It was read to its end at any time.
        package var isComplete: Bool
        /// The service would not give it just now.
        package var isRefused: Bool

        package init(isComplete: Bool, isRefused: Bool = false) {
            self.isComplete = isComplete
            self.isRefused = isRefused
        }
    }

    /// - Parameters:
    ///   - areNoted: which rows the others hold is known of each.
    ///   - others: the other sources of the table; nil outside a download.
    package static func isDue(
        _ condition: Condition, areNoted: Bool, others: [Other]?
    ) -> Bool {
        guard areNoted else { return false }
        switch condition {
        case .none: return true
        case .successor(let isComplete): return isComplete
        case .download: return others?.allSatisfy { $0.isComplete || $0.isRefused } ?? false
        }
    }
}
