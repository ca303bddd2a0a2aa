import ODataModel
import ODataText

/// What a store remembers of the rules that its app has set for the changes of single entity sets, so that an upload that the
/// app does not start keeps to them (docs/decisions/0010).
package struct RememberedRules: Sendable, Hashable {
    /// The names of policies.
    package private(set) var conflicts: [String: String] = [:]
    package private(set) var probes: [String: String] = [:]
    package private(set) var compared: Set<String> = []

    package init(_ rules: WriteRules) {
        conflicts = rules.conflicts.mapValues(\.name).filter {
            $1 != WriteConflictPolicy.report.name
        }
        probes = rules.probes
        compared = rules.compared
    }

    /// What counts where only the store knows the rules.
    ///
    /// - Parameter given: what was said for this upload alone; it goes before what is remembered.
    /// - Returns: the rules, and the sets whose conflicts a function of the app decides, which nobody can call here.
    package func rules(
        under given: WriteRules, in graph: MetadataGraph
    ) -> (rules: WriteRules, undecided: [String]) {
        var rules = given
        var undecided: [String] = []
        // The metadata may have changed since.
        func isKnown(_ set: String) -> Bool { graph.entitySet(named: set) != nil }
        for (set, name) in conflicts where rules.conflicts[set] == nil && isKnown(set) {
            switch name {
            case WriteConflictPolicy.clientWins.name: rules.conflicts[set] = .clientWins
            case WriteConflictPolicy.serverWins.name: rules.conflicts[set] = .serverWins
            default: undecided.append(set)
            }
        }
        for (set, property) in probes where rules.probes[set] == nil {
            var alone = WriteRules()
            alone.probes[set] = property
            if (try? alone.check(against: graph)) != nil { rules.probes[set] = property }
        }
        rules.compared.formUnion(compared.filter(isKnown))
        return (rules, undecided.sorted())
    }

    // MARK: Text

    /// One JSON object by entity set; nil where there are no rules.
    package var text: String? {
        let sets = Set(conflicts.keys).union(probes.keys).union(compared).sorted()
        guard !sets.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        for set in sets {
            writer.name(set)
            writer.beginObject()
            for (name, value) in [("conflicts", conflicts[set]), ("probe", probes[set])] {
                guard let value else { continue }
                writer.name(name)
                writer.string(value)
            }
            if compared.contains(set) {
                writer.name("compares")
                writer.boolean(true)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.text
    }

    /// Nil for a text that is none of ours.
    package init?(text: String) {
        guard let object = (try? JSONValue(parsing: text))?.object else { return nil }
        for member in object.members {
            guard let rule = member.value.object else { return nil }
            conflicts[member.name] = rule["conflicts"]?.string
            probes[member.name] = rule["probe"]?.string
            if rule["compares"] == .boolean(true) { compared.insert(member.name) }
        }
    }
}
