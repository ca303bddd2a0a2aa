/// The special values of length, precision, scale and reference system facets.
public enum TypeFacets {
    /// Any length: no maximum is stated.
    public static let anyLength = Int.max
    /// Any precision: none is stated.
    public static let anyPrecision = Int.max
    /// The scale is that of each value.
    public static let variableScale = -1
    /// The decimal point floats.
    public static let floatingScale = -2
    /// The reference system is that of each value.
    public static let variableSrid = TypeFacetValues.variableSRID
}

extension TypeFacetValues {
    var maximumLength: Int { maxLength ?? TypeFacets.anyLength }
    var statedPrecision: Int { precision ?? TypeFacets.anyPrecision }
    var statedSRID: Int { srid ?? 0 }

    var statedScale: Int {
        switch scale {
        case .fixed(let digits): digits
        case .variable: TypeFacets.variableScale
        case .floating: TypeFacets.floatingScale
        case nil: 0
        }
    }
}
