import ODataModel
import ODataSQL

/// A row as it stands in a table: its values and our own columns.
package struct StoredRow: Sendable, Hashable {
    package var id: Int64
    /// The type, slots, ETag (in `control`) and dynamic properties.
    package var values: StructureValue
    package var state: EntityState
    package var sources: Int64
    /// The containing row of a contained entity.
    package var parent: Int64?
    /// The text of `_odata_control`.
    package var control: String?

    package init(
        id: Int64, values: StructureValue, state: EntityState = [], sources: Int64 = 0,
        parent: Int64? = nil, control: String? = nil
    ) {
        self.id = id
        self.values = values
        self.state = state
        self.sources = sources
        self.parent = parent
        self.control = control
    }

    /// Of a row without a base image: it only exists here, and its creation was not accepted.
    package var isUnsentCreation: Bool { state.isUnsentCreation }
}

/// What the service last said about a row that is changed here.
package struct StoredImage: Sendable, Hashable {
    package enum Kind: Int64, Sendable, Hashable {
        case present = 0
        /// Removed by the service under a local change.
        case tombstone = 1
    }

    package var row: StoredRow
    package var kind: Kind

    package init(row: StoredRow, kind: Kind) {
        self.row = row
        self.kind = kind
    }
}

extension EntityState {
    /// Of a row without a base image: it only exists here, and its creation was not accepted. With one it is a row that the
    /// service has, which no download has brought yet, and a change of it waits.
    package var isUnsentCreation: Bool { isSuperset(of: [.created, .pending]) }
}
