package struct DecimalNumber: Sendable, Hashable {}
package struct Guid: Sendable, Hashable {}
package struct CalendarDate: Sendable, Hashable {}
package struct ClockTime: Sendable, Hashable {}
package struct OffsetDateTime: Sendable, Hashable {}
package struct WallDateTime: Sendable, Hashable {}
package struct EdmDuration: Sendable, Hashable {}
package struct GeoValue: Sendable, Hashable {}
