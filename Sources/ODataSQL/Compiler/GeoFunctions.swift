import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// `geo.distance`, `geo.intersects` and `geo.length` (URL Conventions 4.01, section 5.1.1.12): metres for
    /// geography, units of the plane for geometry.
    func geoFunction(_ function: Function, _ terms: [SQLTerm]) throws -> SQLTerm {
        let shapes = try terms.map(shape)
        let isRound = shapes.contains { $0.isGeography }
        let earth: SQLText = isRound ? "1" : "0"
        let sql = shapes.map(\.sql).joined(", ")
        switch function {
        case .geoLength:
            return SQLTerm("_odata_geo_length(\(sql), \(earth))", .real(isStored: false))
        case .geoIntersects: return SQLTerm("_odata_geo_intersects(\(sql))", .boolean)
        default:
            return SQLTerm("_odata_geo_distance(\(sql), \(earth))", .real(isStored: false))
        }
    }

    private func shape(_ term: SQLTerm) throws -> (sql: SQLText, isGeography: Bool) {
        switch term.kind {
        case .null: return ("NULL", false)
        case .literal(.geo(let value)):
            return (SQLText(argument: .text(value.geoJSON)), value.srid ?? 0 != 0)
        case .json(let type):
            guard let primitive = type.primitive, primitive.isGeospatial else { break }
            return (term.sql, primitive.name.hasPrefix("Geography"))
        default: break
        }
        throw Self.invalid("Expected a geospatial value, found another type.")
    }
}
