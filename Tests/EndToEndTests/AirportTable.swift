import Foundation
import GRDB

/// The airports of the PyPI package `airportsdata`: data that nobody here made.
struct AirportTable: Sendable {
    struct Airport: Sendable, Hashable {
        var fields: [String]
        var icao: String { fields[0] }
        var iata: String { fields[1] }
        var name: String { fields[2] }
        var country: String { fields[5] }
        var elevation: Double { Double(fields[6]) ?? 0 }
        var latitude: Double { Double(fields[7]) ?? 0 }
    }

    let airports: [Airport]

    /// Where `Scripts/fetch-airports` leaves the table.
    static let file: URL = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(".build/airports/airports.csv")
    }()

    static let isThere = FileManager.default.fileExists(atPath: file.path)

    init() throws { self.init(csv: Array(try Data(contentsOf: Self.file))) }

    /// Reads RFC 4180 with a line of headings.
    init(csv: [UInt8]) {
        var rows: [Airport] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < csv.count {
            let byte = csv[index]
            index += 1
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if index < csv.count, csv[index] == byte {
                    field.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
                guard byte == UInt8(ascii: "\n") else { continue }
                if fields.count >= 10 { rows.append(Airport(fields: fields)) }
                fields = []
            case UInt8(ascii: "\r"): continue
            default: field.append(byte)
            }
        }
        airports = Array(rows.dropFirst())
    }

    /// Writes a database as somebody would make it by hand.
    func write(to path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Airports (
                        Icao VARCHAR(8) NOT NULL PRIMARY KEY, Iata CHAR(3), Name TEXT NOT NULL,
                        City TEXT, Subdivision TEXT, Country CHAR(2) NOT NULL, Elevation DOUBLE,
                        Latitude DOUBLE NOT NULL, Longitude DOUBLE NOT NULL, Timezone TEXT
                    )
                    """)
            let insert = try database.makeStatement(
                sql: "INSERT INTO Airports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for airport in airports {
                var values: [(any DatabaseValueConvertible)?] = []
                for (position, text) in airport.fields.prefix(10).enumerated() {
                    switch position {
                    case 6, 7, 8: values.append(Double(text))
                    case 1: values.append(text.isEmpty ? nil : text)
                    default: values.append(text)
                    }
                }
                try insert.execute(arguments: StatementArguments(values))
            }
        }
        try queue.close()
    }
}
