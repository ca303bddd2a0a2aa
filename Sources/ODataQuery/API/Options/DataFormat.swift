/// The formats of payloads.
public enum DataFormat {
    /// Atom (V2).
    public static let atom = 1
    /// JSON.
    public static let json = 2
    /// HTML.
    public static let html = 3
    /// Plain text.
    public static let text = 4
    /// XML.
    public static let xml = 5
}

/// The versions of the protocol.
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
    /// OData 2.0.
    public static let ODATA_V2 = odataV2
    /// OData 3.0.
    public static let ODATA_V3 = odataV3
    /// OData 4.0.
    public static let ODATA_V4 = odataV4
}
