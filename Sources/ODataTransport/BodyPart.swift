import Foundation

/// Some bytes of an answer's body, as whoever received them holds them: nothing is copied before it is read.
protocol BodyPart: Sendable {
    var byteCount: Int { get }
    /// Calls `body` with all of the bytes.
    func readBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension Data: BodyPart {
    var byteCount: Int { count }

    func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) { withUnsafeBytes(body) }
}
