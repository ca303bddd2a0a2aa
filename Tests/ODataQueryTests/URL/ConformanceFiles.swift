import Foundation

/// The shared conformance data: `ODATA_CONFORMANCE`, or `../shared/conformance` beside the package.
enum ConformanceFiles {
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["ODATA_CONFORMANCE"] {
            return URL(fileURLWithPath: path)
        }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appendingPathComponent("shared/conformance")
    }()

    /// The file's bytes; nil, and a line that says so, when the data is not there.
    static func data(_ path: String) -> Data? {
        let file = root.appendingPathComponent(path)
        guard let data = try? Data(contentsOf: file) else {
            print("skipped: \(file.path) is not there")
            return nil
        }
        return data
    }
}
