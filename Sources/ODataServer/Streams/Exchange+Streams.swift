import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

/// The content of a stream as a row has it.
enum StreamValue {
    case stored(StreamTable.Facts)
    /// Bytes in the row itself.
    case inline([UInt8], mediaType: String)

    /// A content never changes under its number; bytes in a row are named by their sum.
    var tag: EntityTag {
        switch self {
        case .stored(let facts): EntityTag("\"s\(facts.id)\"")
        case .inline(let bytes, _): EntityTag("\"b\(bytes.count)-\(Fingerprint.text(of: bytes))\"")
        }
    }

    var mediaType: String {
        switch self {
        case .stored(let facts): facts.mediaType
        case .inline(_, let type): type
        }
    }
}

extension Exchange {
    /// `GET` of a stream (Protocol 4.01, sections 11.2.3 and 11.2.4), whole or one range of it.
    func readStream(_ target: RowTarget, _ stream: StreamColumn) throws -> ResponseMessage {
        guard let key = try TargetRows(self).key(of: target) else { throw PathWalker.missing() }
        guard let value = try streamValue(stream, of: key, in: target.table) else {
            return ResponseMessage(status: 204)
        }
        try RawContent.requireAcceptable(value.mediaType, request)
        if Preconditions(request.headers).isNotModified(value.tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(value.tag))
        }
        var headers: HeaderFields = [
            "Content-Type": value.mediaType, "ETag": value.tag.description,
            "Accept-Ranges": "bytes",
        ]
        let length = Self.length(of: value)
        var range = ByteRange.whole
        // A range of another content is of no use (RFC 9110, section 13.1.5).
        let condition = request.headers["If-Range"]
        if condition == nil || condition == value.tag.description {
            range = ByteRange(request.headers["Range"], length: length)
        }
        switch range {
        case .whole:
            return try answer(200, headers, value, 0..<length)
        case .part(let part):
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
            return try answer(206, headers, value, part)
        case .unsatisfiable:
            var answer = ErrorAnswer.response(
                416, code: "rangeNotSatisfiable", message: "Expected a range within the stream.")
            answer.headers["Content-Range"] = "bytes */\(length)"
            return answer
        }
    }

    private static func length(of value: StreamValue) -> Int64 {
        switch value {
        case .stored(let facts): facts.length
        case .inline(let bytes, _): Int64(bytes.count)
        }
    }

    private func answer(
        _ status: Int, _ headers: HeaderFields, _ value: StreamValue, _ range: Range<Int64>
    ) throws -> ResponseMessage {
        var answer = ResponseMessage(status: status, headers: headers)
        switch value {
        case .inline(let bytes, _):
            answer.body = Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        case .stored(let facts):
            guard request.method != "HEAD" else {
                answer.headers["Content-Length"] = String(range.count)
                return answer
            }
            if let transfer {
                transfer.outgoing = OutgoingStream(facts: facts, range: range)
                return answer
            }
            answer.body = try bytes(of: facts, range)
        }
        return answer
    }

    /// The bytes of a content in memory: for batches, which hold their parts there.
    private func bytes(of facts: StreamTable.Facts, _ range: Range<Int64>) throws -> [UInt8] {
        let limit = model.configuration.maximumBodyBytes
        guard range.count <= limit else {
            throw ODataError(
                .limitExceeded, "Expected a stream of at most \(limit) bytes in a batch.",
                status: 413)
        }
        var result: [UInt8] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try StreamTable(database).chunks.piece(
                offset..<range.upperBound, of: facts.id)
            guard let piece, !piece.isEmpty else {
                throw ODataError(.storage, "Expected the parts of a stream, found a gap.")
            }
            result += piece
            offset += Int64(piece.count)
        }
        return result
    }

    /// `PUT` and `DELETE` of a stream (Protocol 4.01, sections 11.4.7.2 to 11.4.8.2).
    func writeStream(_ target: RowTarget, _ stream: StreamColumn) throws -> ResponseMessage {
        guard target.isSingle, model.takesChanges(target.table) else {
            throw EntityChanges.readOnly(target.table)
        }
        try model.rules?.require(.update, of: target.table)
        guard let key = try TargetRows(self).key(of: target) else { throw PathWalker.missing() }
        let present = try streamValue(stream, of: key, in: target.table)
        try Preconditions(request.headers).checkChange(of: present?.tag, isRequired: false)
        let row = EntityChanges(self).row(key, of: target.table)
        if request.method == "DELETE" {
            try SQLFailure.translated {
                _ = try TargetRows(self).update(row, [(stream.column, .null)])
            }
            return ResponseMessage(status: 204)
        }
        guard request.method == "PUT" else { throw methodNotAllowed("GET, HEAD, PUT, DELETE") }
        let content = try streamContent(stream)
        try SQLFailure.translated { _ = try TargetRows(self).update(row, content) }
        let tag = try streamValue(stream, of: key, in: target.table)?.tag
        return ResponseMessage(status: 204, headers: tagHeaders(tag))
    }

    /// `POST` of the content of a media entity (Protocol 4.01, section 11.4.7.1): the other properties take their
    /// defaults, and those that the path names.
    func createMediaEntity(_ target: RowTarget, _ media: StreamColumn) throws -> ResponseMessage {
        try Preconditions(request.headers).checkCreation()
        return try created(
            StructureValue(type: target.structure, in: graph), in: target,
            fixed: try streamContent(media), .lenient)
    }

    /// True for a body that is the content of a media entity rather than its properties.
    var bringsMedia: Bool {
        guard let type = MediaType(parsing: request.headers["Content-Type"] ?? "") else {
            return transfer?.intake != nil
        }
        return !type.isJSON
    }

    private func streamContent(_ stream: StreamColumn) throws -> [EntityChanges.Assignment] {
        try RawContent.requireMedia(request)
        let type = request.headers["Content-Type"] ?? StreamColumn.defaultMediaType
        let number =
            try transfer?.intake?.claim(in: database)
            ?? StreamTable(database).insert(request.body, mediaType: type)
        return [(stream.column, .integer(number))]
            + (stream.typeColumn.map { [($0, .string(type))] } ?? [])
    }

    /// What a row has in a stream; nil for nothing.
    func streamValue(_ stream: StreamColumn, of key: [Scalar], in table: TableMapping) throws
        -> StreamValue?
    {
        let columns = [stream.column] + (stream.typeColumn.map { [$0] } ?? [])
        let list = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let condition = table.keys.map { "\(SQLName.quoted($0.name)) = ?" }
            .joined(separator: " AND ")
        let statement = try database.cachedStatement(
            sql: "SELECT \(list) FROM \(SQLName.quoted(table.name)) WHERE \(condition)")
        let arguments = try zip(table.keys, key).map {
            try TargetRows.arguments($1, for: $0)[0].databaseValue
        }
        guard
            let row = try Row.fetchOne(statement, arguments: StatementArguments(arguments))
        else { return nil }
        switch (row[0] as DatabaseValue).storage {
        case .int64(let number): return try StreamTable(database).facts(number).map { .stored($0) }
        case .blob(let data):
            // A declared type is not what a value is: the subscripts of a row trap on one of another kind.
            let type = columns.count > 1 ? String.fromDatabaseValue(row[1]) : nil
            return .inline(Array(data), mediaType: type ?? StreamColumn.defaultMediaType)
        case .string(let text):
            return .inline(Array(text.utf8), mediaType: "text/plain;charset=utf-8")
        case .null, .double: return nil
        }
    }

    /// Says of an entity what its streams are (JSON Format 4.01, sections 4.6.14 and 9).
    func addStreamFacts(
        _ streams: TableStreams, to row: inout StructureValue, key: [Scalar], _ table: TableMapping
    )
        throws
    {
        if let media = streams.media, let value = try streamValue(media, of: key, in: table) {
            row.control.mediaContentType = value.mediaType
            row.control.mediaETag = value.tag.description
        }
        for stream in streams.properties {
            guard let name = stream.property,
                let value = try streamValue(stream, of: key, in: table)
            else { continue }
            row.control.annotations["\(name)@odata.mediaContentType"] =
                .scalar(.string(value.mediaType))
            row.control.annotations["\(name)@odata.mediaEtag"] =
                .scalar(.string(value.tag.description))
        }
    }
}

extension StreamColumn {
    static let defaultMediaType = "application/octet-stream"
}
