import ODataModel

/// Whether a text found in a column has the form that its declared type promises.
enum ObservedText {
    static func isDate(_ text: String) -> Bool { CalendarDate(text) != nil && text.count == 10 }

    /// `hh:mm:ss` with an optional fraction, so that text order is time order.
    static func isTime(_ text: String) -> Bool {
        text.utf8.count >= 8 && ClockTime(text) != nil
    }

    static func isDuration(_ text: String) -> Bool {
        (text.hasPrefix("P") || text.hasPrefix("-P")) && EdmDuration(text) != nil
    }

    static func isGuid(_ text: String) -> Bool {
        Guid(text) != nil && text.lowercased() == text
    }

    static func isBoolean(_ text: String) -> Bool {
        ["true", "false", "t", "f", "yes", "no", "y", "n", "0", "1"].contains(text.lowercased())
    }

    /// `YYYY-MM-DD`, then `T` or a blank, then a time with or without an offset.
    static func isDateTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes[10] == 0x54 || bytes[10] == 0x20,
            isDate(String(text.prefix(10)))
        else { return false }
        let rest = text.dropFirst(11)
        let clock = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let zone = rest.dropFirst(clock.count)
        return ClockTime(clock) != nil && isZone(zone)
    }

    private static func isZone(_ zone: Substring) -> Bool {
        if zone.isEmpty || zone == "Z" || zone == "z" { return true }
        let bytes = Array(zone.utf8)
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A else {
            return false
        }
        return [1, 2, 4, 5].allSatisfy { bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }
    }
}
