import ODataText

/// Groups, phases and switches as the app has configured them, by name.
package struct DownloadSelection: Sendable, Hashable {
    /// The names a group or a phase holds.
    package struct Members: Sendable, Hashable {
        package var entitySets: [String]
        package var groups: [String]
        package var queries: [String]

        package init(entitySets: [String] = [], groups: [String] = [], queries: [String] = []) {
            self.entitySets = entitySets
            self.groups = groups
            self.queries = queries
        }

        fileprivate func without(_ names: Set<String>) -> Members {
            Members(
                entitySets: entitySets, groups: groups,
                queries: queries.filter { !names.contains($0) })
        }
    }

    package var groups: [String: Members] = [:]
    package var phases: [Int: Members] = [:]
    package var phaseModes: [Int: FetchMode] = [:]
    package var defaultMode = FetchMode.any
    /// Sets whose whole content is not read unless a download query asks.
    package var setsWithoutDefaultDownload: Set<String> = []
    /// Whether sources are read one after another in the order they were added.
    package var isOrdered = false

    package init() {}

    /// Takes queries out of every group and phase, because their sets are gone.
    package mutating func leaveOut(_ queries: Set<String>) {
        groups = groups.mapValues { $0.without(queries) }
        phases = phases.mapValues { $0.without(queries) }
    }

    /// Everything that `names` reach through nested groups; cycles are legal and visited once.
    ///
    /// - Throws: `unknownName` for a group that is not defined.
    package func members(ofGroups names: [String]) throws -> Members {
        var result = Members()
        var visited = Set<String>()
        var pending = Array(names.reversed())
        while let name = pending.popLast() {
            guard visited.insert(name).inserted else { continue }
            guard let group = groups[name] else {
                throw ODataError(
                    .unknownName, "Expected a defined download group, found an unknown name.",
                    at: .path(name))
            }
            result.entitySets += group.entitySets
            result.queries += group.queries
            pending += group.groups.reversed()
        }
        return result
    }
}
