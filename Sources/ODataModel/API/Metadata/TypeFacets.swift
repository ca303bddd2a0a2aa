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

/// The protocol versions as numbers.
public enum DataVersion {
    /// OData 1.0.
    public static let odataV1 = 100
    /// OData 2.0.
    public static let odataV2 = 200
    /// OData 3.0.
    public static let odataV3 = 300
    /// OData 4.0.
    public static let odataV4 = 400
    /// OData 4.01.
    public static let odataV401 = 401
    /// OData 2.0 in the spelling of older programs.
    public static let ODATA_V2 = 200  // swift-format-ignore
    /// OData 4.0 in the spelling of older programs.
    public static let ODATA_V4 = 400  // swift-format-ignore
}
