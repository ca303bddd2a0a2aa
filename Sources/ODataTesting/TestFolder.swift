import Foundation

/// A folder for one test.
package enum TestFolder {
    /// Makes a folder where writing costs least: in memory where the system offers that, for tests that ask for many
    /// durable commits and for no durability.
    package static func makeFast(_ prefix: String) throws -> URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent(prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
