import ODataModel
import ODataSQL
import ODataSyncPlan

/// Keys for rows that the service will number: values that cannot be mistaken for its own, so that foreign keys and
/// navigation work before the first upload. They are never sent, and give way to the real key.
enum LocalKeys {
    /// Values for the key properties that `value` leaves out; nil when none is needed.
    static func missing(
        in value: StructureValue, table: TableMapping, row: RowReference,
        transaction: StoreTransaction
    ) -> StructureValue? {
        var keys = StructureValue(type: value.type, in: transaction.graph)
        var found = false
        for column in table.keys {
            let given = value.value(at: column.slots)
            guard given == nil || given == .null else { continue }
            guard let scalar = provisional(column.type, row: row, transaction) else { continue }
            keys.set(.scalar(scalar), at: column.slots, in: transaction.graph)
            found = true
        }
        return found ? keys : nil
    }

    private static func provisional(
        _ type: TypeReference, row: RowReference, _ transaction: StoreTransaction
    ) -> Scalar? {
        switch type.primitive {
        case .int64, .int32: return .integer(row.id)
        case .int16: return row.id >= Int64(Int16.min) ? .integer(row.id) : nil
        case .sbyte: return row.id >= Int64(Int8.min) ? .integer(row.id) : nil
        case .decimal: return .decimal(DecimalNumber(row.id))
        case .guid: return Guid(transaction.makeIdentifier()).map { .guid($0) }
        case .string:
            let text = "~local-\(row.id.magnitude)"
            guard text.utf8.count <= type.facets.maxLength ?? Int.max else { return nil }
            return .string(text)
        default: return nil
        }
    }
}
