import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Puts the rows into a database that was made from a document.
struct ModelRows {
    let model: ServiceModel
    let database: Database

    /// Loads the rows of each set, then the links that they name, and makes every singleton that no rows are given of.
    ///
    /// - Parameter rows: by entity set: a JSON array, an object with such a one as `value`, or for a singleton its object.
    /// - Throws: `usage` for a set that there is not, and what is wrong with a row, with the place; 409 for links to rows
    ///   that are in none of them.
    func load(_ rows: [String: [UInt8]]) throws {
        let graph = model.graph
        for name in rows.keys.sorted() where model.mapping.table(path: name) == nil {
            throw ODataError(
                .usage, "Expected rows of an entity set of the document.", at: .path(name))
        }
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        try ChangeLog(database).beginTransaction()
        try insert(rows, into: Set(graph.entitySets.map(\.name)))
    }

    private func insert(_ rows: [String: [UInt8]], into sets: Set<String>) throws {
        let graph = model.graph
        let changes = EntityChanges(try exchange())
        // Links wait until all rows are there that they may lead to.
        var links: [(place: String, row: RowTarget, value: StructureValue)] = []
        for set in graph.entitySets where sets.contains(set.name) {
            guard let table = model.mapping.table(path: set.name) else { continue }
            if let bytes = rows[set.name] {
                for (position, value) in try values(bytes, of: table).enumerated() {
                    let place = "\(set.name)[\(position)]"
                    var plain = value
                    plain.control.bindings = [:]
                    let row = try located(place) {
                        try changes.make(plain, in: table, .seed).row
                    }
                    var link = StructureValue(type: value.type, in: graph)
                    link.control.bindings = value.control.bindings
                    if !link.control.bindings.isEmpty { links.append((place, row, link)) }
                }
            } else if set.isSingleton {
                _ = try located(set.name) {
                    try changes.make(
                        StructureValue(type: set.type, in: graph), in: table, .seed)
                }
            }
        }
        for link in links {
            try located(link.place) {
                try changes.update(
                    link.row, with: link.value, replaces: false, isSeeding: true)
            }
        }
    }

    /// Empties entity sets, and gives them the rows of the beginning.
    func reload(_ sets: [String], from rows: [String: [UInt8]]) throws {
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for set in sets {
            guard let table = model.mapping.table(path: set) else { continue }
            try database.execute(sql: "DELETE FROM \(SQLName.quoted(table.name))")
        }
        try insert(rows.filter { sets.contains($0.key) }, into: Set(sets))
    }

    private func exchange() throws -> Exchange {
        try Client.$current.withValue(.service) {
            try Exchange(
                model: model, source: .sqlite(database),
                request: RequestMessage(method: "POST", url: "/"),
                address: ServiceAddress(root: "http://localhost/", relativeURL: ""))
        }
    }

    private func values(_ bytes: [UInt8], of table: TableMapping) throws -> [StructureValue] {
        let reader = EntityJSONReader(model.graph, dialect: .v401, isRequest: true)
        let json = try located(table.path) { try JSONValue(parsing: bytes) }
        let list = json.array ?? json["value"]?.array ?? [json]
        return try list.enumerated().map { position, row in
            try located("\(table.path)[\(position)]") {
                try reader.entity(
                    Array(row.text.utf8), of: table.structure, in: table.entitySet)
            }
        }
    }

    private func located<Result>(_ place: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as ODataError {
            if case .path(let path)? = error.location {
                error.location = .path("\(place)/\(path)")
            } else {
                error.location = .path(place)
            }
            throw error
        }
    }
}
