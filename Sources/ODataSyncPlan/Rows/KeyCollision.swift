import ODataModel
import ODataSQL

/// What becomes of a row that comes into view under a key which another row of its table has: state → edit (pure).
package enum KeyCollision: Sendable, Hashable {
    /// Whether the change may be refused.
    package enum Cause: Sendable, Hashable {
        /// The app asks for it, and can be told.
        case app
        /// It is said already, by an answer or by what an upload found: the rest of it counts all the same.
        case service
    }

    /// The other row is out of view and gives the key up.
    case takeKey
    /// The row stays out of view as long as the other one has the key; its requests stay listed.
    case stayOut(StoredRow)
    case refuse

    /// - Parameter holder: the row that has the key; nil when the rule that was broken is another one.
    package init(of row: StoredRow, with holder: StoredRow?, because cause: Cause) {
        guard let holder, holder.id != row.id else {
            self = .refuse
            return
        }
        if holder.state.contains(.deleted) {
            self = .takeKey
        } else if cause == .service {
            var hidden = row
            hidden.state.insert(.deleted)
            self = .stayOut(hidden)
        } else {
            self = .refuse
        }
    }
}
