import Foundation
import Synchronization

/// Standard output or standard error, which a reader may close and a full disk may refuse at any time.
///
/// Behind the first failure nothing is written any more, and the command ends with a status that says so.
final class StandardStream: Sendable {
    static let output = StandardStream(STDOUT_FILENO)
    static let errors = StandardStream(STDERR_FILENO)

    private let descriptor: Int32
    private let refusal = Mutex<Int32?>(nil)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// A closed reader is an error of one write, not the end of the process.
    static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The number of the error that ended the stream; nil while it takes what is written.
    var failure: Int32? { refusal.withLock { $0 } }

    /// Why the stream ended, for people; nil while it goes on, and where its reader just went away.
    var complaint: String? {
        guard let failure, failure != EPIPE else { return nil }
        return "standard output: \(String(cString: strerror(failure)))"
    }

    func write(_ text: String) {
        refusal.withLock { refusal in
            guard refusal == nil else { return }
            var text = text
            refusal = text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
        }
    }

    /// The number of the error, or nil when every byte was taken.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                return errno
            }
        }
        return nil
    }
}
