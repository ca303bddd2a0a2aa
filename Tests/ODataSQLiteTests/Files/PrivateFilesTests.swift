import ErrorFixture
import Foundation
import ODataSQLite
import ODataText
import Testing

/// What the library writes is for its owner alone.
@Suite struct PrivateFilesTests {
    private static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "/private-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFiles.makeFolder(folder)
        try body(folder)
    }

    @Test func missingFoldersAreMadeAndOthersStay() throws {
        try Self.inFolder { folder in
            #expect(try Self.mode(folder) == 0o700)
            chmod(folder, 0o755)
            try PrivateFiles.makeFolder(folder + "/a/b")
            #expect(try Self.mode(folder + "/a") == 0o700)
            #expect(try Self.mode(folder + "/a/b") == 0o700)
            #expect(try Self.mode(folder) == 0o755)
        }
    }

    @Test func aDatabaseBeginsAsAnEmptyFile() throws {
        try Self.inFolder { folder in
            let path = folder + "/s.db"
            PrivateFiles.prepare(database: path)
            #expect(try Self.mode(path) == 0o600)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.isEmpty)
        }
    }

    @Test func othersLoseWhatTheyCouldDoWithAnOldDatabase() throws {
        try Self.inFolder { folder in
            for (suffix, mode) in [("", 0o644), ("-wal", 0o666), ("-shm", 0o640)] {
                try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/s.db" + suffix))
                chmod(folder + "/s.db" + suffix, mode_t(mode))
            }
            PrivateFiles.prepare(database: folder + "/s.db")
            for suffix in ["", "-wal", "-shm"] {
                #expect(try Self.mode(folder + "/s.db" + suffix) == 0o600)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/s.db" + suffix))
                #expect(bytes == Data("x".utf8))
            }
        }
    }

    @Test func aFileIsWrittenAsAWhole() throws {
        try Self.inFolder { folder in
            let path = folder + "/f"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            try PrivateFiles.write(Array("new".utf8), to: path)
            #expect(try Self.mode(path) == 0o600)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes == Data("new".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f"])
        }
    }

    @Test func whatCannotBeWrittenIsAnErrorOfTheStorageAndLeavesNothing() throws {
        try Self.inFolder { folder in
            let path = folder + "/f"
            try PrivateFiles.makeFolder(path + "/kept")
            let error = failure { try PrivateFiles.write(Array("new".utf8), to: path) }
            #expect(error == Failure(.storage, at: .path(path)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f"])
        }
    }
}
