import ArgumentParser
import ODataModel
import SAPOData

/// What becomes of changes that somebody else was quicker with, or whose answers are lost; for this run.
struct WriteRuleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Who wins conflicts of an entity set: clientWins or serverWins; may be repeated.",
            discussion:
                "Without it the policy counts that the store's app has set, and else conflicts are listed by"
                + " 'odata errors'.",
            valueName: "set=policy"))
    var onConflict: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A property by whose value a creation is found again when its answer was lost; may be"
                + " repeated.", valueName: "set=property"))
    var probe: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the rows of a set without entity tags before they are changed, and take those that"
                + " have changed since for conflicts; may be repeated.", valueName: "set"))
    var compareBeforeWrite: [String] = []

    /// - Throws: bad input for what the service does not have.
    func apply(to session: StoreSession) throws {
        for text in onConflict {
            let (set, policy) = try Self.split(text, "--on-conflict", "SET=clientWins|serverWins")
            let policies: [String: ConflictPolicy] = [
                "clientWins": .clientWins, "serverWins": .serverWins,
            ]
            guard let policy = policies[policy] else {
                throw CommandError.badInput(
                    "--on-conflict \(set): expected clientWins or serverWins, found '\(policy)'.")
            }
            session.provider.setConflictPolicy(
                policy, for: try session.entitySet(set, "--on-conflict"))
        }
        for text in probe {
            let (name, property) = try Self.split(text, "--probe", "SET=PROPERTY")
            let set = try session.entitySet(name, "--probe")
            let structure = session.graph[set.entityType.structureID]
            guard let slot = structure.slot(named: property),
                structure.properties[slot].type.primitive != nil,
                !structure.properties[slot].type.isCollection
            else {
                throw CommandError.badInput(
                    "--probe \(name): expected a primitive property, found '\(property)'.")
            }
            session.provider.setProbeProperty(
                set.entityType.property(withName: property), for: set)
        }
        for name in compareBeforeWrite {
            session.provider.setComparesBeforeWriting(
                true, for: try session.entitySet(name, "--compare-before-write"))
        }
    }

    private static func split(
        _ text: String, _ option: String, _ form: String
    ) throws -> (String, String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw CommandError.badInput("\(option): expected \(form), found '\(text)'.")
        }
        return (parts[0], parts[1])
    }
}

extension StoreSession {
    /// - Throws: bad input for a name that no entity set has.
    fileprivate func entitySet(_ name: String, _ option: String) throws -> EntitySet {
        guard let set = document.entitySet(named: name) else {
            throw CommandError.badInput("\(option): expected an entity set, found '\(name)'.")
        }
        return set
    }
}
