// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The enumeration type `D.Rights`.
public nonisolated struct Rights: OpenEnum, OptionSet {
    /// The number of the value.
    public let rawValue: Int
    /// The value with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `None`.
    public static var none: Rights { Rights(rawValue: 0) }
    /// `Lend`.
    public static var lend: Rights { Rights(rawValue: 1) }
    /// `Scrap`.
    public static var scrap: Rights { Rights(rawValue: 2) }
}
