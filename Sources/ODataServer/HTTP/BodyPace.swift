/// Whether a body comes fast enough to wait on for it: each span of waiting ends with the connection unless enough has
/// come in it, so that a byte now and then keeps nothing open for ever.
package struct BodyPace: Sendable {
    private let least: Int64
    private var received: Int64 = 0

    /// - Parameter nanoseconds: how long a span is.
    package init(nanoseconds: Int64) {
        least = max(1, nanoseconds / 1_000_000_000 * Self.bytesPerSecond)
    }

    /// A span begins.
    package mutating func begin() { received = 0 }

    /// Counts what came; true when another span may begin.
    package mutating func isEnough(after bytes: Int) -> Bool {
        received += Int64(bytes)
        return received >= least
    }

    /// A quarter of what slow mobile networks manage.
    private static let bytesPerSecond: Int64 = 256
}
