import Foundation
import ODataProxyGen
import Testing

/// A folder of the package with files that the generator makes.
struct CommittedFiles {
    private let folder: URL

    /// - Parameter path: from the package's folder.
    init(_ path: String) { folder = Package.folder.appendingPathComponent(path) }

    /// Expects these files and no others of Swift. `ODATA_REGENERATE=1` writes them, and deletes what is no longer made.
    func expect(_ files: [GeneratedFile]) throws {
        let isWritten = ProcessInfo.processInfo.environment["ODATA_REGENERATE"] != nil
        if isWritten { try write(files) }
        #expect(try names() == files.map(\.name).sorted())
        for file in files {
            let text = try Data(contentsOf: folder.appendingPathComponent(file.name))
            #expect(text == Data(file.text.utf8), "\(file.name)")
        }
    }

    /// Other services may have folders of their own beneath.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
    }

    private func write(_ files: [GeneratedFile]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = Set(files.map(\.name))
        for name in try names() where !made.contains(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for file in files {
            try Data(file.text.utf8).write(
                to: folder.appendingPathComponent(file.name), options: .atomic)
        }
    }
}
