import ODataModel
import ODataQuery
import ODataText

/// The custom options that ask whether related rows have local changes (offline reference, section 9): they add to the
/// state of the rows and never filter them.
package enum RelativesOption: String, Sendable, CaseIterable {
    case localRelatives = "sap.computeHasLocalRelatives"
    case pendingRelatives = "sap.computeHasRelativesWithPendingChanges"

    /// The bits of a related row that answer.
    var wanted: EntityState { self == .localRelatives ? .local : .pending }

    /// The bit that says so in the state of the row that was read.
    var answer: EntityState { self == .localRelatives ? .localRelatives : .pendingRelatives }

    /// The navigation paths that a query lists; nil when it does not have the option.
    package func paths(in query: Query) -> [String]? {
        let values = query.customOptions.filter { $0.name == rawValue }.map(\.value)
        guard !values.isEmpty else { return nil }
        return values.flatMap { $0.split(separator: ",") }.map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}

extension ExpressionCompiler {
    /// The bits that the options of a query add to the state of a row; nil when it has none of them.
    ///
    /// Deleted rows count: their deletion is a change.
    mutating func relatives(
        _ query: Query, of table: TableMapping, alias: String
    ) throws -> SQLText? {
        let hides = options.hidesDeleted
        options.hidesDeleted = false
        defer { options.hidesDeleted = hides }
        var parts: [SQLText] = []
        for option in RelativesOption.allCases {
            guard let paths = option.paths(in: query), !paths.isEmpty else { continue }
            guard paths.count <= Self.maximumRelatives else {
                throw ODataError(
                    .limitExceeded, "Expected at most \(Self.maximumRelatives) navigation paths.",
                    at: .path(option.rawValue), status: 400)
            }
            let conditions = try paths.map { path in
                try related(
                    path.split(separator: "/").map(String.init)[...], of: table, alias: alias,
                    wanted: option.wanted)
            }
            parts.append(
                "CASE WHEN \(conditions.joined(" OR ")) THEN \(number: option.answer.rawValue) ELSE 0 END"
            )
        }
        return parts.isEmpty ? nil : parts.joined(" | ")
    }

    /// True when a row at any step of the path has one of the bits.
    private mutating func related(
        _ path: ArraySlice<String>, of table: TableMapping, alias: String, wanted: EntityState
    ) throws -> SQLText {
        var name = ""
        var rest = path
        while let segment = rest.popFirst() {
            if segment.contains(".") { continue }
            name += (name.isEmpty ? "" : "/") + segment
            guard let navigation = table.navigation(path: name) else { continue }
            guard path.count <= Self.maximumRelatives else { break }
            let target = mapping[navigation.target]
            let next = makeAlias()
            let source = try source(
                of: navigation, from: RowCursor(scope: 0, alias: alias, table: table), alias: next)
            var found: [SQLText] = []
            if let state = target.system.state {
                found.append(
                    "(\(name: next).\(name: state) & \(number: wanted.rawValue)) <> 0")
            }
            if !rest.isEmpty {
                found.append(try related(rest, of: target, alias: next, wanted: wanted))
            }
            let conditions = source.conditions + ["(\(found.joined(" OR ")))"]
            return "EXISTS (SELECT 1 FROM \(source.from) WHERE \(conditions.joined(" AND ")))"
        }
        throw ODataError(
            .unknownName,
            "Expected a path of navigation properties of \(graph[table.structure].qualifiedName).",
            at: .path(path.joined(separator: "/")), status: 400)
    }

    private static let maximumRelatives = 32
}
