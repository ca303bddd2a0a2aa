import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// `geo.distance`, `geo.intersects` and `geo.length` (URL Conventions 4.01, section 5.1.1.11): metres for
    /// geography, units of the plane for geometry.
    func geoFunction(
        _ function: Function, _ terms: [SQLTerm], _ arguments: [Expression]
    ) throws -> SQLTerm {
        try dialect.requireSQLite(for: "the function \(function.rawValue)")
        let shapes = try zip(terms, arguments).map(shape)
        // Of a property and a literal the property knows which family they are of.
        let isRound =
            shapes.compactMap { $0.isColumn ? $0.isGeography : nil }.first
            ?? shapes.contains { $0.isGeography == true }
        let earth: SQLText = isRound ? "1" : "0"
        let sql = shapes.map(\.sql).joined(", ")
        switch function {
        case .geoLength:
            return SQLTerm("_odata_geo_length(\(sql), \(earth))", .real(isStored: false))
        case .geoIntersects:
            return SQLTerm("_odata_geo_intersects(\(sql), \(earth))", .boolean)
        default:
            return SQLTerm("_odata_geo_distance(\(sql), \(earth))", .real(isStored: false))
        }
    }

    private func shape(
        _ term: SQLTerm, _ argument: Expression
    ) throws -> (sql: SQLText, isGeography: Bool?, isColumn: Bool) {
        switch term.kind {
        case .null: return ("NULL", nil, false)
        case .literal(.geo(let value)):
            var isGeography = value.srid ?? 0 != 0
            if case .literal(_, let type?) = argument, type.isGeospatial {
                isGeography = type.name.hasPrefix("Geography")
            }
            return (SQLText(argument: .text(value.geoJSON)), isGeography, false)
        case .json(let type):
            guard let primitive = type.primitive, primitive.isGeospatial else { break }
            return (term.sql, primitive.name.hasPrefix("Geography"), true)
        default: break
        }
        throw Self.invalid("Expected a geospatial value, found another type.")
    }
}
