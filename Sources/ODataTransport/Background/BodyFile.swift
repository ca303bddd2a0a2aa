import Foundation
import ODataText

/// A body in a file of its own, because a session reads what it sends as often as it likes.
struct BodyFile {
    private static let partSize = 256 << 10

    let url: URL

    /// - Parameter place: a path of its own; nil for one among the system's temporary files.
    init(_ content: any RequestContent, at place: String? = nil) throws {
        url =
            place.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-body-" + UUID().uuidString)
        do {
            guard
                FileManager.default.createFile(
                    atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else {
                throw ODataError(
                    .storage, "Expected room for the body of a request in a file, found none.")
            }
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            let part = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Self.partSize, alignment: 16)
            defer { part.deallocate() }
            while case let count = try content.read(into: part), count > 0 {
                try handle.write(contentsOf: Data(part[..<count]))
            }
        } catch {
            remove()
            throw error
        }
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
