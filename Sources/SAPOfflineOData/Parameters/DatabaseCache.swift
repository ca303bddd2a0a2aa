import ODataClasses

/// The size of the store's page cache as `extraDatabaseConnectionParameters` gives it: `cache_size=4m`.
///
/// A number is bytes; `k`, `m` and `g` behind it multiply.
enum DatabaseCache {
    /// In the order in which they count.
    static let names = ["cache_size", "cache_max_size"]

    private static let kibibytes = 256...(1 << 20)

    /// The size within bounds; nil when none is given, or one that cannot be read.
    static func kibibytes(in settings: [String: String]) -> Int? {
        for name in names {
            guard let text = settings[name], let bytes = bytes(text) else { continue }
            return min(max(bytes >> 10, kibibytes.lowerBound), kibibytes.upperBound)
        }
        return nil
    }

    private static func bytes(_ text: String) -> Int? {
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        var digits = Substring(text.lowercased())
        let shift = digits.last.flatMap { shifts[$0] }
        if shift != nil { digits.removeLast() }
        guard let number = Int(digits), number >= 0, number <= 1 << 31 else { return nil }
        return number << (shift ?? 0)
    }
}
