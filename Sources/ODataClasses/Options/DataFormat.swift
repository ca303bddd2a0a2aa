import ODataQuery

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
