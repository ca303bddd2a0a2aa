// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The enumeration type `Own.Mood`.
public enum Mood: Int, Sendable, CaseIterable {
    /// `Fine`.
    case fine = 0
    /// `Urgent`.
    case urgent = 1

    /// The value as the library has it.
    public var enumValue: EnumValue { FieldServiceMetadata.EnumTypes.mood.withInt(rawValue) }
}
