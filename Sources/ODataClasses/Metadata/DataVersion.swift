import ODataModel

/// The versions of the protocol as numbers (Protocol 4.01, section 8.1.5).
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
    public static let ODATA_V2 = odataV2  // swift-format-ignore
    /// OData 3.0 in the spelling of older programs.
    public static let ODATA_V3 = odataV3  // swift-format-ignore
    /// OData 4.0 in the spelling of older programs.
    public static let ODATA_V4 = odataV4  // swift-format-ignore
}
