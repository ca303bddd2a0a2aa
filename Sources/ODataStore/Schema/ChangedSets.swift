import GRDB
import ODataModel

/// Sets that the service's metadata has added to, until they are read in full; they outlive the process.
extension LocalStore {
    package func changedSets() throws -> Set<String> {
        try read { try changedSets($0) }
    }

    func changedSets(_ database: Database) throws -> Set<String> {
        let text = try StoreSettings(database: database).text(.changedSets) ?? ""
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// The sets that the metadata had before and has no more.
    package func formerSets(among names: Set<String>) throws -> Set<String> {
        let graph = try graph()
        return try read { database in
            try names.filter {
                try graph.entitySet(named: $0) == nil && database.tableExists($0)
            }
        }
    }

    /// These sets were read; nothing is written when none of them was waiting for it.
    package func noteRefreshed(_ sets: [String]) throws {
        guard try !changedSets().isDisjoint(with: sets) else { return }
        try write(.full) { database in
            let left = try changedSets(database).subtracting(sets)
            try StoreSettings(database: database).set(.changedSets, Self.list(left))
        }
    }

    /// Names of sets are identifiers, so that a line holds one; nil for none.
    static func list(_ sets: Set<String>) -> String? {
        sets.isEmpty ? nil : sets.sorted().joined(separator: "\n")
    }
}
