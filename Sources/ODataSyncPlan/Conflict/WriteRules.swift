import ODataModel
import ODataText

/// Who wins a conflict.
package enum WriteConflictPolicy: Sendable {
    /// Nobody before the app has said so: the request stays listed.
    case report
    case clientWins
    case serverWins
    /// A function of the app says so each time.
    case resolver(@Sendable (WriteConflict) throws -> WriteConflictOutcome)

    package var name: String {
        switch self {
        case .report: "report"
        case .clientWins: "clientWins"
        case .serverWins: "serverWins"
        case .resolver: "resolver"
        }
    }

    /// - Throws: what the app's function throws.
    package func outcome(of conflict: WriteConflict) throws -> WriteConflictOutcome {
        switch self {
        case .report: .leave
        case .clientWins: .keepLocal
        case .serverWins: .takeServer
        case .resolver(let resolve): try resolve(conflict)
        }
    }
}

/// How one conflict ends.
package enum WriteConflictOutcome: Sendable, Hashable {
    /// The change is sent again, over what the service has now.
    case keepLocal
    /// The change is dropped, and the row is as the service has it.
    case takeServer
    /// The row becomes this, here and at the service.
    case merged(StructureValue)
    /// The request stays listed.
    case leave
}

/// What the app has set for the changes of single entity sets.
package struct WriteRules: Sendable {
    /// Who wins conflicts, by entity set.
    package var conflicts: [String: WriteConflictPolicy] = [:]
    /// A property by whose value a creation is found again, by entity set.
    package var probes: [String: String] = [:]
    /// Sets without entity tags whose rows are read and compared before they are changed.
    package var compared: Set<String> = []

    /// Sets that the app named by what the metadata had: they were there, whether or not they still are.
    package var named: Set<String> = []

    package init() {}

    /// The sets that the rules are of.
    package var sets: Set<String> { Set(conflicts.keys).union(probes.keys).union(compared) }

    /// - Parameter gone: sets that the service had before; their rules stop no upload.
    /// - Throws: `unknownName` for a set or property that the service does not have.
    package func check(against graph: MetadataGraph, gone: Set<String> = []) throws {
        for name in sets.subtracting(gone).sorted() {
            guard let set = graph.entitySet(named: name) else {
                if named.contains(name) { continue }
                throw ODataError(
                    .unknownName, "Expected an entity set of the service, found an unknown name.",
                    at: .path(name))
            }
            guard let probe = probes[name] else { continue }
            let type = graph[graph[set].type]
            guard let slot = type.slot(named: probe), !type.properties[slot].type.isCollection,
                type.properties[slot].type.primitive != nil
            else {
                throw ODataError(
                    .unknownName, "Expected a primitive property to find creations by.",
                    at: .path(name + "/" + probe))
            }
        }
    }
}
