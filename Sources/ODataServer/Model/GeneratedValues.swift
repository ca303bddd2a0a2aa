import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWorld

/// Values that the service makes with each change, where the document says so by `OfflineOData.V1.Generated`.
struct GeneratedValues {
    let exchange: Exchange
    let rules: WriteRules

    /// What is made, and when.
    enum Kind: String {
        /// 1, and one more with each change.
        case version = "Version"
        /// The time at which the entity was made.
        case created = "Created"
        /// The time of its last change.
        case changed = "Changed"

        /// What the document says of a property; nil for one whose values come from elsewhere.
        init?(_ property: PropertyDefinition) {
            guard
                case .string(let text)? = property.annotations.first(term: Terms.generated)?.value
            else { return nil }
            self.init(rawValue: text)
        }
    }

    /// The columns that get new values.
    ///
    /// - Parameter row: the row that changes; nil for a new one.
    func assignments(
        _ table: TableMapping, of type: StructureID, changing row: RowTarget?
    ) throws -> [EntityChanges.Assignment] {
        try table.columns.compactMap { column in
            guard column.slots.count == 1,
                let kind = rules[column.owner, column.slots[0]].generated,
                row == nil || kind != .created, exchange.graph.isA(type, column.owner)
            else { return nil }
            return (column, try value(kind, column, row))
        }
    }

    private func value(
        _ kind: Kind, _ column: ODataSQL.ColumnMapping, _ row: RowTarget?
    ) throws -> Scalar {
        guard kind == .version else {
            let now = exchange.model.configuration.world.now()
            return OffsetDateTime(seconds: now.seconds).map { .dateTimeOffset($0) } ?? .null
        }
        guard let row,
            case .integer(let old)? = try TargetRows(exchange).values(
                [column.name], of: row)?.first
        else { return .integer(1) }
        return .integer(old &+ 1)
    }
}
