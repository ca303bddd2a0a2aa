import ODataModel
import ODataQuery
import ODataText

/// Sites: entities with shapes, beside the other sets so that those stay what a seed makes them.
enum OracleSites {
    static let metadata = """
        <EntityType Name="Site"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Rank" Type="Edm.Int32"/>
          <Property Name="Spot" Type="Edm.GeometryPoint"/>
          <Property Name="Home" Type="Edm.GeographyPoint"/>
          <Property Name="Track" Type="Edm.GeometryLineString"/>
          <Property Name="Zone" Type="Edm.GeometryPolygon"/></EntityType>
        """

    /// A point of a small grid, where distances and sides are exact.
    private static func position(_ random: inout SeededGenerator) -> SIMD2<Double> {
        SIMD2(Double(random.below(9) - 4), Double(random.below(9) - 4))
    }

    static func point(_ random: inout SeededGenerator) -> OracleShape {
        OracleShape(.point, [position(&random)])
    }

    /// Whole degrees, poles and the date line among them.
    static func place(_ random: inout SeededGenerator) -> OracleShape {
        let east = Double(random.pick([-180, -179, -90, -1, 0, 8, 9, 13, 90, 179, 180]))
        let north = Double(random.pick([-90, -45, -1, 0, 1, 47, 48, 52, 89, 90]))
        return OracleShape(.point, [SIMD2(east, north)], isRound: true)
    }

    static func line(_ random: inout SeededGenerator) -> OracleShape {
        OracleShape(.line, (0..<(random.below(3) + 2)).map { _ in position(&random) })
    }

    /// A rectangle or a triangle, whichever way around.
    static func area(_ random: inout SeededGenerator) -> OracleShape {
        let corner = position(&random)
        let (width, height) = (Double(random.below(4) + 1), Double(random.below(4) + 1))
        var ring = [corner, corner + SIMD2(width, 0), corner + SIMD2(width, height)]
        if random.chance(60) { ring.append(corner + SIMD2(0, height)) }
        if random.chance(50) { ring.reverse() }
        return OracleShape(.area, ring + [ring[0]])
    }

    static func row(_ id: Int64, _ random: inout SeededGenerator) -> (row: OracleRow, json: String)
    {
        func maybe(_ shape: OracleShape) -> OracleCells.Cell {
            random.chance(20) ? OracleCells.null : (shape.json, .shape(shape))
        }
        let members: [(String, OracleCells.Cell)] = [
            ("Id", OracleCells.cell(.whole(id))),
            ("Rank", OracleCells.cell(.whole(Int64(random.below(4))))),
            ("Spot", maybe(point(&random))), ("Home", maybe(place(&random))),
            ("Track", maybe(line(&random))), ("Zone", maybe(area(&random))),
        ]
        let text = members.map { "\"\($0.0)\":\($0.1.json)" }.joined(separator: ",")
        return (
            OracleRow(
                type: "Site", key: [id],
                values: Dictionary(uniqueKeysWithValues: members.map { ($0.0, $0.1.value) })),
            "{\(text)}"
        )
    }
}

extension OracleQueries {
    private func literal(_ shape: OracleShape) -> Tree {
        let type: PrimitiveType =
            switch shape.kind {
            case .point: shape.isRound ? .geographyPoint : .geometryPoint
            case .line: .geometryLineString
            case .area: .geometryPolygon
            }
        return .literal(.geo(shape.value), type)
    }

    private func path(_ name: String) -> Tree { .path(ExpressionPath(name)) }

    /// A distance or a length, and a number that it is never equal to but exactly.
    private mutating func measure() -> (tree: Tree, limit: Double) {
        let half = Double(random.below(16)) + 0.5
        switch random.below(4) {
        case 0: return (.call(.geoLength, [path("Track")]), half)
        case 1:
            let place = literal(OracleSites.place(&random))
            return (
                .call(.geoDistance, [path("Home"), place]),
                random.pick([0.5, 1e5, 112_000, 1e6, 5e6, 1.1e7, 2.1e7])
            )
        default:
            let point = literal(OracleSites.point(&random))
            let ends = random.chance(50) ? [path("Spot"), point] : [point, path("Spot")]
            return (.call(.geoDistance, ends), random.chance(30) ? 5 : half)
        }
    }

    private mutating func geoCondition(_ depth: Int) -> Tree {
        if depth > 0, random.chance(50) {
            let inner = geoCondition(depth - 1)
            guard random.chance(60) else { return .unary(.not, inner) }
            return .binary(random.pick([.and, .or]), inner, geoCondition(depth - 1))
        }
        switch random.below(5) {
        case 0:
            let area = literal(OracleSites.area(&random))
            return .call(.geoIntersects, [path("Spot"), area])
        case 1:
            let point = random.chance(50) ? path("Spot") : literal(OracleSites.point(&random))
            return .call(.geoIntersects, [point, path("Zone")])
        case 2:
            return .binary(
                random.pick([.eq, .ne]), path(random.pick(["Spot", "Home", "Zone"])), Self.null)
        default:
            let (tree, limit) = measure()
            return .binary(
                random.pick([.lt, .le, .gt, .ge]), tree, .literal(.double(limit), .double))
        }
    }

    mutating func located() -> Query {
        var query = Query(entitySet: "Sites")
        query.filter = geoCondition(2)
        if random.chance(40) {
            let point = literal(OracleSites.point(&random))
            let distance = Tree.call(.geoDistance, [path("Spot"), point])
            query.orderBy = [OrderItem(distance, isDescending: random.chance(50))]
        }
        if random.chance(30) { query.top = random.below(6) }
        if random.chance(30) { query.select = [SelectTerm(ExpressionPath("Spot"))] }
        if random.chance(20) { query.includesCount = true }
        return query
    }
}
