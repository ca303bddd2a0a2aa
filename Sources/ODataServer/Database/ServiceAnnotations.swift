import ODataModel

/// Names of the vocabulary terms that the service writes.
enum Terms {
    static let computed = "Org.OData.Core.V1.Computed"
    static let computedDefaultValue = "Org.OData.Core.V1.ComputedDefaultValue"
    static let optimisticConcurrency = "Org.OData.Core.V1.OptimisticConcurrency"
    static let immutable = "Org.OData.Core.V1.Immutable"
    static let validation = "Org.OData.Validation.V1."
    /// Terms of ours: the table of a set, the column of a property, and the foreign key of a navigation property.
    static let table = "OfflineOData.V1.Table"
    static let column = "OfflineOData.V1.Column"
    static let foreignKey = "OfflineOData.V1.ForeignKey"
    /// A term of ours: what the service makes the value of, `Version`, `Created` or `Changed`.
    static let generated = "OfflineOData.V1.Generated"
    static let capabilities = "Org.OData.Capabilities.V1."
    static let repeatability = "Org.OData.Repeatability.V1.Supported"
}

/// What the metadata says that the service can do (OData Capabilities vocabulary).
enum ServiceAnnotations {
    static func container(
        takesChanges: Bool, isRepeatable: Bool = true
    ) -> [AnnotationDefinition] {
        guard takesChanges else { return reading }
        return reading + changing
            + [AnnotationDefinition(term: Terms.repeatability, value: .boolean(isRepeatable))]
    }

    private static let reading: [AnnotationDefinition] = [
        AnnotationDefinition(
            term: Terms.capabilities + "ConformanceLevel",
            value: .enumMember(Terms.capabilities + "ConformanceLevelType/Minimal")),
        AnnotationDefinition(term: Terms.capabilities + "BatchSupported", value: .boolean(true)),
        AnnotationDefinition(
            term: Terms.capabilities + "BatchContinueOnErrorSupported", value: .boolean(true)),
        record(
            "BatchSupport",
            [
                ("Supported", true), ("ContinueOnErrorSupported", true),
                ("ReferencesInRequestBodiesSupported", true), ("EtagReferencesSupported", true),
                ("RequestDependencyConditionsSupported", true),
            ]),
        AnnotationDefinition(
            term: Terms.capabilities + "AsynchronousRequestsSupported", value: .boolean(false)),
    ]

    private static let changing: [AnnotationDefinition] = [
        record("DeepInsertSupport", [("Supported", true)]),
        record("DeepUpdateSupport", [("Supported", false)]),
    ]

    /// What `ChangeTracking` says of a set whose changes can be asked for.
    static let tracked = record("ChangeTracking", [("Supported", true)]).value

    /// What is said of a set that cannot be read.
    static let unreadable = record("ReadRestrictions", [("Readable", false)])

    /// - Parameters:
    ///   - isTracked: whether changes of the set can be asked for.
    ///   - hasTags: whether its entities have tags; nil where those that are tracked have.
    ///   - takesChanges: whether clients may change it.
    ///   - refused: kinds of changes that are not taken all the same.
    static func set(
        isTracked: Bool, hasTags: Bool? = nil, takesChanges: Bool, isSearchable: Bool = false,
        refusing refused: Set<Change> = []
    ) -> [AnnotationDefinition] {
        var result = [
            record("ChangeTracking", [("Supported", isTracked)]),
            record("SearchRestrictions", [("Searchable", isSearchable)]),
        ]
        if hasTags ?? isTracked {
            result.append(
                AnnotationDefinition(term: Terms.optimisticConcurrency, value: .collection([])))
        }
        let denied = takesChanges ? refused : Set(Change.allCases)
        if !denied.contains(.update) {
            result.append(
                record(
                    "UpdateRestrictions",
                    [("Upsertable", false), ("DeltaUpdateSupported", false)]))
        }
        return result
            + Change.allCases.filter { denied.contains($0) }.map {
                record($0.restrictions, [($0.word, false)])
            }
    }

    /// What a service may say that a set does not take.
    enum Change: CaseIterable {
        case insert, update, delete

        /// The term of the Capabilities vocabulary.
        var restrictions: String {
            switch self {
            case .insert: "InsertRestrictions"
            case .update: "UpdateRestrictions"
            case .delete: "DeleteRestrictions"
            }
        }

        var word: String {
            switch self {
            case .insert: "Insertable"
            case .update: "Updatable"
            case .delete: "Deletable"
            }
        }

        /// What services of V2 say in its place.
        var attribute: String {
            switch self {
            case .insert: "sap:creatable"
            case .update: "sap:updatable"
            case .delete: "sap:deletable"
            }
        }
    }

    private static func record(_ term: String, _ flags: [(String, Bool)]) -> AnnotationDefinition {
        AnnotationDefinition(
            term: Terms.capabilities + term,
            value: .record(
                type: nil,
                properties: flags.map {
                    AnnotationDefinition(term: $0.0, value: .boolean($0.1))
                }))
    }
}
