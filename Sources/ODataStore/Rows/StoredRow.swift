import ODataModel
import ODataSQL

/// A row as it stands in a table: its values and our own columns.
struct StoredRow: Sendable, Hashable {
    var id: Int64
    /// The type, slots, ETag (in `control`) and dynamic properties.
    var values: StructureValue
    var state: EntityState
    var sources: Int64
    /// The containing row of a contained entity.
    var parent: Int64?
    /// The text of `_odata_control`.
    var control: String?

    init(
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
}
