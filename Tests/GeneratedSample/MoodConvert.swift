// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Between `Mood` and values of the library.
public enum MoodConvert {
    /// Nil for nil, and for a value that no member has.
    public static func fromOptionalEnumValue(_ value: DataValue?) -> Mood? {
        value.flatMap { Mood(rawValue: EnumValue.castRequired($0).intValue()) }
    }

    /// Traps for nil, and for a value that no member has.
    public static func fromRequiredEnumValue(_ value: DataValue?) -> Mood {
        guard let result = fromOptionalEnumValue(value) else {
            preconditionFailure("Expected a value of Mood.")
        }
        return result
    }

    /// Nil for nil.
    public static func toOptionalEnumValue(_ value: Mood?) -> EnumValue? {
        value?.enumValue
    }

    /// The value of the library.
    public static func toRequiredEnumValue(_ value: Mood) -> EnumValue {
        value.enumValue
    }
}
