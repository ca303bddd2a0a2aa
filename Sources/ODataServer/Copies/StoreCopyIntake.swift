import Foundation
import ODataSQLite
import ODataText
import ODataWire
import ODataWorld

/// A copy of a store that arrives: the database goes to a file of the folder as it comes, and gets its name when all is there.
/// Used by one thread at a time; what was not kept goes with it.
final class StoreCopyIntake: BodyIntake, @unchecked Sendable {
    // Confined: the edge and the answer follow one another.
    private static let maximumNote = 64 << 10
    /// Of delimiters, headers and what stands around the parts.
    private static let maximumFrame: Int64 = 64 << 10
    /// The texts that are kept; other fields are passed over.
    private static let fields = ["service", "note"]

    private let copies: StoreCopies
    private let name: String
    private let time: Instant
    private var reader: FormReader?
    private var field = ""
    private var texts: [String: [UInt8]] = [:]
    private var file: FileHandle?
    private var isEntered = false
    private var length: Int64 = 0

    init(_ copies: StoreCopies, contentType: String?, world: any World) {
        self.copies = copies
        time = world.now()
        name = "\(time.seconds)-\(world.makeToken().prefix(12))"
        let type = contentType.flatMap { MediaType(parsing: $0) }
        if type?.name == "multipart/form-data", let boundary = type?["boundary"] {
            reader = try? FormReader(boundary: boundary)
        }
    }

    deinit { try? abandon() }

    private var place: String { copies.folder + "/" + name }
    private var partial: String { place + StoreCopies.partial }

    func write(_ bytes: [UInt8]) throws {
        length += Int64(bytes.count)
        let limit = copies.maximumBytes + Int64(Self.maximumNote) + Self.maximumFrame
        guard length <= limit else { throw tooLong }
        guard var reader else { throw FormReader.noForm }
        // One owner, so that its bytes are not copied.
        self.reader = nil
        defer { self.reader = reader }
        for event in try reader.read(bytes) {
            switch event {
            case .part(let name):
                field = name
                if name == "database" { try begin() }
            case .bytes(let bytes): try take(bytes)
            }
        }
    }

    private var tooLong: ODataError {
        ODataError(
            .limitExceeded, "Expected a copy of at most \(copies.maximumBytes) bytes.", status: 413)
    }

    private func begin() throws {
        guard file == nil else { throw FormReader.noForm }
        try copies.enter()
        isEntered = true
        try StoreCopies.storing {
            try PrivateFiles.write([], to: partial)
            file = try FileHandle(forWritingTo: URL(fileURLWithPath: partial))
        }
    }

    private func take(_ bytes: [UInt8]) throws {
        if field == "database", let file {
            return try StoreCopies.storing {
                guard try file.offset() + UInt64(bytes.count) <= UInt64(copies.maximumBytes) else {
                    throw tooLong
                }
                try file.write(contentsOf: bytes)
            }
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
    /// - Throws: `invalidPayload`, 400, where a database is missing or has not come to its end; `storage`, 507.
    func keep(from sender: String?) throws {
        guard let file, reader?.isComplete == true else { throw FormReader.noForm }
        try StoreCopies.storing {
            try file.synchronize()
            try file.close()
            self.file = nil
            try PrivateFiles.write(note(sender), to: place + StoreCopies.note)
            do {
                try FileManager.default.moveItem(
                    atPath: partial, toPath: place + StoreCopies.suffix)
            } catch {
                try? FileManager.default.removeItem(atPath: place + StoreCopies.note)
                throw error
            }
        }
        leave()
    }

    private func note(_ sender: String?) -> [UInt8] {
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
        return Array(JSONValue.object(JSONObject(members)).text.utf8)
    }

    func abandon() throws {
        defer { leave() }
        try file?.close()
        file = nil
        guard isEntered, FileManager.default.fileExists(atPath: partial) else { return }
        try FileManager.default.removeItem(atPath: partial)
    }

    private func leave() {
        if isEntered { copies.leave() }
        isEntered = false
    }
}
