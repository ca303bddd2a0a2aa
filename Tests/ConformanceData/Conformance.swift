import Foundation

/// Cases, payloads and recordings that others made: `ODATA_CONFORMANCE`, or `../shared/conformance` beside the package.
///
/// Tests that need them are `.enabled(if: Conformance.isThere, Conformance.reason)`, so that the runner counts
/// what it skips; once the folder is there, a file that is missing fails its test.
public enum Conformance {
    public static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["ODATA_CONFORMANCE"] {
            return URL(fileURLWithPath: path)
        }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appendingPathComponent("shared/conformance")
    }()

    public static let isThere = FileManager.default.fileExists(atPath: root.path)

    /// What the runner says of the tests that it skips.
    public static let reason = "no conformance data at ODATA_CONFORMANCE or ../shared/conformance"

    /// - Throws: what Foundation says when the file is not there.
    public static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
    }

    /// - Throws: when the file is not there, or is not of this shape.
    public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes(path)))
    }

    /// The files below a folder whose name ends so, in order.
    ///
    /// - Throws: what Foundation says when the folder is not there.
    public static func files(in folder: String, ending suffix: String) throws -> [URL] {
        let directory = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(suffix) }.sorted()
            .map { directory.appendingPathComponent($0) }
    }
}
