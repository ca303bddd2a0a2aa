// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The enumeration type `D.Kind`.
public nonisolated struct Kind: OpenEnum {
    /// The name of the member.
    public let rawValue: String
    /// The value with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// `Tool`.
    public static let tool = Kind(rawValue: "Tool")
    /// `Spare`.
    public static let spare = Kind(rawValue: "Spare")
}
