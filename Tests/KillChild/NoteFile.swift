import Foundation

/// What a client tries, and what has returned; a killed process loses nothing that it had written.
struct NoteFile {
    private let url: URL

    init(_ url: URL) { self.url = url }

    /// - Parameters:
    ///   - names: of what is changed together.
    ///   - isEarly: a planted defect, by which a change is acknowledged before it is made.
    func perform(
        _ names: [String], _ text: String, isEarly: Bool = false, _ write: (String) throws -> Void
    ) throws {
        for name in names { try note("try\t\(name)\t\(text)") }
        if isEarly { for name in names { try note("done\t\(name)\t\(text)") } }
        try write(text)
        for name in names { try note("done\t\(name)\t\(text)") }
    }

    func note(_ line: String) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line + "\n").utf8))
        try handle.close()
    }
}
