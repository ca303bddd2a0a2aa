import Foundation
import ODataProxyGen

/// A folder with generated files, beside which others may be: those are left alone.
struct GeneratedFolder {
    let path: String
    let service: String
    /// Files of the names that are made are replaced, whoever wrote them.
    let replacesOthers: Bool

    /// Names of files, in order.
    struct Outcome {
        var written: [String] = []
        var unchanged: [String] = []
        var deleted: [String] = []
    }

    /// Writes the files, and deletes those of an earlier run for the same service that are not among them.
    ///
    /// - Throws: bad input, before anything is changed, when a file of another origin is in the way; a failed operation
    ///   where the folder cannot be written.
    func write(_ files: [GeneratedFile]) throws -> Outcome {
        let present = try CommandError.operation { try names() }
        if !replacesOthers { try refuseOthers(files, present) }
        return try CommandError.operation {
            var outcome = Outcome()
            for file in files {
                if present.contains(file.name), try content(file.name) == Data(file.text.utf8) {
                    outcome.unchanged.append(file.name)
                } else {
                    try Data(file.text.utf8).write(to: url(file.name), options: .atomic)
                    outcome.written.append(file.name)
                }
            }
            let made = Set(files.map { $0.name.lowercased() })
            for name in present.sorted()
            where name.hasSuffix(".swift") && !made.contains(name.lowercased()) && isOwn(name) {
                try FileManager.default.removeItem(at: url(name))
                outcome.deleted.append(name)
            }
            return outcome
        }
    }

    private func url(_ name: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name)
    }

    private func names() throws -> Set<String> {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    private func refuseOthers(_ files: [GeneratedFile], _ present: Set<String>) throws {
        // Some disks do not tell capitals apart.
        let made = Set(files.map { $0.name.lowercased() })
        let others = present.sorted().filter { made.contains($0.lowercased()) && !isOwn($0) }
        guard others.isEmpty else {
            throw CommandError.badInput(
                "Expected files of an earlier run for \(service), found others: "
                    + others.prefix(5).joined(separator: ", ") + (others.count > 5 ? ", …" : "")
                    + ". Nothing was changed; --force replaces them.")
        }
    }

    /// The bytes of a plain file; nil for a folder, a link, and what cannot be read.
    private func content(_ name: String) throws -> Data? {
        isPlain(name) ? try Data(contentsOf: url(name)) : nil
    }

    private func isPlain(_ name: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(name).path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    /// True for a file whose first line says that an earlier run wrote it for the same service.
    private func isOwn(_ name: String) -> Bool {
        guard isPlain(name), let handle = try? FileHandle(forReadingFrom: url(name)) else {
            return false
        }
        defer { try? handle.close() }
        let marker = Data((GeneratedFile.marker(service: service) + "\n").utf8)
        return (try? handle.read(upToCount: marker.count)) == marker
    }
}
