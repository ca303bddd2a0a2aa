import ODataModel

extension DataValue {
    static func areEqual(_ left: DataValue, _ right: DataValue) -> Bool {
        guard let first = left.scalarValue(), let second = right.scalarValue() else { return false }
        return ComparableScalar(first) == ComparableScalar(second)
    }

    static func isOrdered(_ left: DataValue, _ right: DataValue) -> Bool {
        if let first = left as? YearMonthDuration, let second = right as? YearMonthDuration {
            return first.totalMonths < second.totalMonths
        }
        guard let first = left.scalarValue(), let second = right.scalarValue() else {
            return left.toString() < right.toString()
        }
        return ComparableScalar(first) < ComparableScalar(second)
    }
}
