import ODataText

/// Decides which sources a download reads, and in which order (pure; the engine carries it out).
package enum DownloadPlanner {
    /// A group of sources that is wholly stored before the next one starts.
    package struct Phase: Sendable, Hashable {
        package var number: Int
        package var mode: FetchMode
        package var sources: [DownloadSource]

        package init(number: Int, mode: FetchMode, sources: [DownloadSource]) {
            self.number = number
            self.mode = mode
            self.sources = sources
        }
    }

    /// The phases of a download of `groups`, or of everything when there are none.
    ///
    /// Phases run in ascending number; sets in no phase come last; a phase of zero or less disables its sets. A set
    /// named by a group brings its default read, unless that is disabled, and all its download queries; a query
    /// named by a group brings itself only.
    ///
    /// - Throws: `unknownName` for a group, entity set or query that does not exist.
    package static func plan(
        sources: [DownloadSource], groups: [String], selection: DownloadSelection
    ) throws -> [Phase] {
        let wanted = try select(sources, groups, selection)
        let phaseOfSet = try phaseNumbers(sources, selection)
        var byPhase: [Int: [DownloadSource]] = [:]
        for source in wanted {
            let number = phaseOfSet[source.key] ?? phaseOfSet["set:" + source.entitySet] ?? Int.max
            guard number > 0 else { continue }
            byPhase[number, default: []].append(source)
        }
        return byPhase.keys.sorted().map { number in
            let mode =
                selection.isOrdered
                ? .sequence : selection.phaseModes[number] ?? selection.defaultMode
            return Phase(number: number, mode: mode, sources: byPhase[number] ?? [])
        }
    }

    private static func select(
        _ sources: [DownloadSource], _ groups: [String], _ selection: DownloadSelection
    ) throws -> [DownloadSource] {
        let isDefault = { (source: DownloadSource) in
            !source.isDefault
                || !selection.setsWithoutDefaultDownload.contains(source.entitySet)
        }
        guard !groups.isEmpty else { return sources.filter(isDefault) }
        let members = try selection.members(ofGroups: groups)
        try check(members, sources)
        let sets = Set(members.entitySets)
        let queries = Set(members.queries)
        return sources.filter { source in
            if let name = source.name, queries.contains(name) { return true }
            return sets.contains(source.entitySet) && isDefault(source)
        }
    }

    /// The phase of each set (`set:…`) and query (`query:…`) that the app placed.
    private static func phaseNumbers(
        _ sources: [DownloadSource], _ selection: DownloadSelection
    ) throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        for number in selection.phases.keys.sorted() {
            guard var members = selection.phases[number] else { continue }
            let nested = try selection.members(ofGroups: members.groups)
            members.entitySets += nested.entitySets
            members.queries += nested.queries
            try check(members, sources)
            for set in members.entitySets { numbers["set:" + set] = number }
            for query in members.queries { numbers["query:" + query] = number }
        }
        return numbers
    }

    private static func check(
        _ members: DownloadSelection.Members, _ sources: [DownloadSource]
    ) throws {
        let sets = Set(sources.map(\.entitySet))
        let queries = Set(sources.compactMap(\.name))
        for set in members.entitySets where !sets.contains(set) {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found an unknown name.",
                at: .path(set))
        }
        for query in members.queries where !queries.contains(query) {
            throw ODataError(
                .unknownName, "Expected a defined download query, found an unknown name.",
                at: .path(query))
        }
    }

    /// How a phase of `count` sources is fetched when the app left it open.
    package static func resolve(
        _ mode: FetchMode, count: Int, batches: Bool, threads: Int
    ) -> FetchMode {
        guard mode == .any else { return mode }
        if count < 2 { return .sequence }
        if batches { return .batch }
        return threads > 1 ? .parallel : .sequence
    }
}
