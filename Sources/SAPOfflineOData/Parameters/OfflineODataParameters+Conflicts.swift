import ODataClasses

/// Ours, beside the documented members: what becomes of changes that somebody else was quicker with, or whose answers are
/// lost. They count from the next upload on.
extension OfflineODataParameters {
    /// Who wins conflicts, by the name of the entity set. Where nothing is said nothing is decided: the request is listed as
    /// failed. Defaults to none.
    public var conflictPolicies: [String: ConflictPolicy] {
        get { self[\.conflictPolicies] }
        set { self[\.conflictPolicies] = newValue }
    }

    /// The name of a property by whose value a creation is found again when its answer was lost, by the name of the entity
    /// set: one that the app gives a value of its own in each entity. Defaults to none.
    public var probeProperties: [String: String] {
        get { self[\.probeProperties] }
        set { self[\.probeProperties] = newValue }
    }

    /// The names of entity sets without entity tags whose rows are read and compared with what was downloaded before a
    /// change of them is sent, so that conflicts can be seen. Defaults to none.
    public var comparedEntitySets: Set<String> {
        get { self[\.comparedEntitySets] }
        set { self[\.comparedEntitySets] = newValue }
    }
}
