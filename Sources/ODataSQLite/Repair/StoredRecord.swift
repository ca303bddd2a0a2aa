import Foundation
import GRDB

/// The values of one row as SQLite stores them.
package enum StoredRecord {
    private static let maximumFields = 4_096

    /// The values; nil for bytes that are no record.
    package static func values(_ payload: [UInt8]) -> [DatabaseValue]? {
        guard let (headerLength, start) = Varint.read(payload[...]), headerLength >= 1,
            headerLength <= payload.count
        else { return nil }
        let headerEnd = Int(headerLength)
        var place = start
        var content = headerEnd
        var values: [DatabaseValue] = []
        while place < headerEnd {
            guard let (type, length) = Varint.read(payload[place..<headerEnd]),
                values.count < maximumFields,
                let size = size(of: type), size <= payload.count - content,
                let value = value(type, payload[content..<content + size])
            else { return nil }
            place += length
            content += size
            values.append(value)
        }
        // A record ends where its last value does.
        return content == payload.count ? values : nil
    }

    private static func size(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(clamping: (type - 12) / 2)
        default: nil
        }
    }

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> DatabaseValue? {
        switch type {
        case 0: return .null
        case 8: return Int64(0).databaseValue
        case 9: return Int64(1).databaseValue
        case 1...6:
            let isNegative = (bytes.first ?? 0) >= 0x80
            return bytes.reduce(isNegative ? Int64(-1) : 0) { $0 << 8 | Int64($1) }.databaseValue
        case 7:
            let value = Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            return value.isNaN ? nil : value.databaseValue
        default:
            if type % 2 == 0 { return Data(bytes).databaseValue }
            return String(validating: bytes, as: UTF8.self)?.databaseValue
        }
    }
}
