import Foundation
import ODataSQLite
import ODataText
import ODataWire
import ODataWorld

/// A copy of a store that arrives: the database goes to a file of the folder as it comes, and gets its name when all is there.
/// Used by one thread at a time.
final class StoreCopyIntake: BodyIntake, @unchecked Sendable {
    // Confined: the edge and the answer follow one another.
    static let suffix = ".db"
    private static let maximumNote = 64 << 10
    /// The texts that are kept; other fields are passed over.
    private static let fields = ["service", "note"]

    private let copies: StoreCopies
    private let name: String
    private let time: Instant
    private var reader: FormReader?
    private var field = ""
    private var texts: [String: [UInt8]] = [:]
    private var file: FileHandle?
    private var length: Int64 = 0

    init(_ copies: StoreCopies, contentType: String?, world: any World) {
        self.copies = copies
        time = world.now()
        name = "\(time.seconds)-\(world.makeToken().prefix(12))"
        let type = contentType.flatMap { MediaType(parsing: $0) }
        if type?.name == "multipart/form-data", let boundary = type?["boundary"] {
            reader = FormReader(boundary: boundary)
        }
    }

    private var place: String { copies.folder + "/" + name }
    private var partial: String { place + ".part" }

    func write(_ bytes: [UInt8]) throws {
        for event in try reader?.read(bytes) ?? [] {
            switch event {
            case .part(let name):
                field = name
                if name == "database" { try begin() }
            case .bytes(let bytes): try take(bytes)
            }
        }
    }

    private func begin() throws {
        guard file == nil else { throw FormReader.noForm }
        guard try copies.count() < copies.maximumCount else {
            throw ODataError(
                .limitExceeded, "Expected at most \(copies.maximumCount) copies to be kept here.",
                status: 507)
        }
        try PrivateFiles.write([], to: partial)
        file = FileHandle(forWritingAtPath: partial)
    }

    private func take(_ bytes: [UInt8]) throws {
        length += Int64(bytes.count)
        guard length <= copies.maximumBytes else {
            throw ODataError(
                .limitExceeded, "Expected a copy of at most \(copies.maximumBytes) bytes.",
                status: 413)
        }
        if field == "database" {
            guard let file else { throw FormReader.noForm }
            return try file.write(contentsOf: bytes)
        }
        guard Self.fields.contains(field) else { return }
        guard texts[field, default: []].count + bytes.count <= Self.maximumNote else {
            throw ODataError(
                .limitExceeded, "Expected a note of at most \(Self.maximumNote) bytes.", status: 413
            )
        }
        texts[field, default: []] += bytes
    }

    /// Keeps what has come.
    ///
    /// - Parameter sender: who is known to have sent it.
    /// - Throws: `invalidPayload`, 400, where a database is missing or has not come to its end.
    func keep(from sender: String?) throws {
        guard let file, reader?.isComplete == true else { throw FormReader.noForm }
        try file.synchronize()
        try file.close()
        self.file = nil
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        var members = [
            JSONObject.Member(name: "received", value: .string(date.formatted(.iso8601)))
        ]
        if let sender { members.append(.init(name: "sender", value: .string(sender))) }
        for name in Self.fields {
            guard let text = texts[name] else { continue }
            members.append(
                .init(name: name, value: .string(String(decoding: text, as: UTF8.self))))
        }
        try PrivateFiles.write(
            Array(JSONValue.object(JSONObject(members)).text.utf8), to: place + ".json")
        try FileManager.default.moveItem(atPath: partial, toPath: place + Self.suffix)
    }

    func abandon() throws {
        try file?.close()
        file = nil
        guard FileManager.default.fileExists(atPath: partial) else { return }
        try FileManager.default.removeItem(atPath: partial)
    }
}
