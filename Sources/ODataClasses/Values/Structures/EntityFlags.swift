import ODataModel

/// The states of an entity that are either so or not.
package struct EntityFlags: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let new = EntityFlags(rawValue: 1)
    package static let local = EntityFlags(rawValue: 1 << 1)
    package static let created = EntityFlags(rawValue: 1 << 2)
    package static let updated = EntityFlags(rawValue: 1 << 3)
    package static let deleted = EntityFlags(rawValue: 1 << 4)
    package static let pendingChanges = EntityFlags(rawValue: 1 << 5)
    package static let errorState = EntityFlags(rawValue: 1 << 6)
    package static let reference = EntityFlags(rawValue: 1 << 7)
    package static let binding = EntityFlags(rawValue: 1 << 8)
    package static let resolved = EntityFlags(rawValue: 1 << 9)
    package static let resolving = EntityFlags(rawValue: 1 << 10)
    package static let deleteError = EntityFlags(rawValue: 1 << 11)
}
