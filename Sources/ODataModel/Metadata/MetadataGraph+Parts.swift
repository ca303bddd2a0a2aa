extension MetadataGraph {
    /// What a graph says.
    struct Parts: Sendable {
        var version: ODataVersion
        var references: [Reference] = []
        var schemas: [Schema] = []
        var structures: [StructureDefinition] = []
        var enumerations: [EnumerationDefinition] = []
        var typeDefinitions: [TypeDefinitionDefinition] = []
        var containers: [Container] = []
        var entitySets: [EntitySetDefinition] = []
        var undefinedSets: [UndefinedSet] = []
        var operations: [OperationDefinition] = []
        var operationImports: [OperationImportDefinition] = []
        var terms: [TermDefinition] = []
        var resolvedTerms: [TermDefinition] = []
        var targetedAnnotations: [TargetedAnnotations] = []
        var attributeNamespaces: [String: String] = [:]
        var diagnostics: [String] = []
        var structureByName: [String: StructureID] = [:]
        var enumerationByName: [String: EnumerationID] = [:]
        var entitySetByName: [String: EntitySetID] = [:]

        init(version: ODataVersion) {
            self.version = version
        }
    }

    package var version: ODataVersion {
        get { shared[0].version }
        _modify { yield &shared[0].version }
    }

    package var references: [Reference] {
        get { shared[0].references }
        _modify { yield &shared[0].references }
    }

    package var schemas: [Schema] {
        get { shared[0].schemas }
        _modify { yield &shared[0].schemas }
    }

    package var structures: [StructureDefinition] {
        get { shared[0].structures }
        _modify { yield &shared[0].structures }
    }

    package var enumerations: [EnumerationDefinition] {
        get { shared[0].enumerations }
        _modify { yield &shared[0].enumerations }
    }

    package var typeDefinitions: [TypeDefinitionDefinition] {
        get { shared[0].typeDefinitions }
        _modify { yield &shared[0].typeDefinitions }
    }

    package var containers: [Container] {
        get { shared[0].containers }
        _modify { yield &shared[0].containers }
    }

    package var entitySets: [EntitySetDefinition] {
        get { shared[0].entitySets }
        _modify { yield &shared[0].entitySets }
    }

    /// What a reader left out of ``entitySets``; writers keep it.
    package var undefinedSets: [UndefinedSet] {
        get { shared[0].undefinedSets }
        _modify { yield &shared[0].undefinedSets }
    }

    package var operations: [OperationDefinition] {
        get { shared[0].operations }
        _modify { yield &shared[0].operations }
    }

    package var operationImports: [OperationImportDefinition] {
        get { shared[0].operationImports }
        _modify { yield &shared[0].operationImports }
    }

    package var terms: [TermDefinition] {
        get { shared[0].terms }
        _modify { yield &shared[0].terms }
    }

    /// Terms that annotations use and nobody declares, where the reader was asked to make them up; not part of what the
    /// document says.
    package var resolvedTerms: [TermDefinition] {
        get { shared[0].resolvedTerms }
        _modify { yield &shared[0].resolvedTerms }
    }

    package var targetedAnnotations: [TargetedAnnotations] {
        get { shared[0].targetedAnnotations }
        _modify { yield &shared[0].targetedAnnotations }
    }

    /// Prefix and namespace of the XML attributes that were kept as annotations named `prefix:name`.
    package var attributeNamespaces: [String: String] {
        get { shared[0].attributeNamespaces }
        _modify { yield &shared[0].attributeNamespaces }
    }

    /// Findings that did not stop the reader, as sentences with places.
    package var diagnostics: [String] {
        get { shared[0].diagnostics }
        _modify { yield &shared[0].diagnostics }
    }

    package internal(set) var structureByName: [String: StructureID] {
        get { shared[0].structureByName }
        _modify { yield &shared[0].structureByName }
    }

    package internal(set) var enumerationByName: [String: EnumerationID] {
        get { shared[0].enumerationByName }
        _modify { yield &shared[0].enumerationByName }
    }

    package internal(set) var entitySetByName: [String: EntitySetID] {
        get { shared[0].entitySetByName }
        _modify { yield &shared[0].entitySetByName }
    }
}
