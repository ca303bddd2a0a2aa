import ODataModel

/// What terms and record properties expect: CSDL JSON writes paths, enumeration members and dates as plain strings, so
/// only the declared type tells what a string is (CSDL JSON 4.01, section 14.3).
///
/// Knows the OASIS vocabularies and what a document declares itself.
struct AnnotationTypes: Sendable {
    private var types: [String: String]
    private var bases: [String: String]
    private var enumerations: Set<String>

    /// The types of the OASIS vocabularies only.
    static let standard = AnnotationTypes(table: table)

    private init(table: String) {
        types = [:]
        bases = [:]
        enumerations = []
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2 else { continue }
            let name = Self.qualified(words[0])
            if words[1] == "enum" {
                enumerations.insert(name)
            } else if name.hasSuffix(":") {
                bases[String(name.dropLast())] = Self.qualified(words[1])
            } else if words[1].hasPrefix("[") {
                let item = Self.qualified(String(words[1].dropFirst().dropLast()))
                types[name] = "Collection(\(item))"
            } else {
                types[name] = Self.qualified(words[1])
            }
        }
    }

    private static func qualified(_ name: String) -> String {
        guard let dot = name.firstIndex(of: "."), !name.hasPrefix("Edm.") else { return name }
        return "Org.OData.\(name[..<dot]).V1\(name[dot...])"
    }

    /// The standard ones and those of the graph.
    init(_ graph: MetadataGraph) {
        self = Self.standard
        for term in graph.terms {
            declare(term: "\(term.namespace).\(term.name)", graph.typeName(term.type))
        }
        for type in graph.structures {
            let name = type.qualifiedName
            if let base = type.baseID { declare(base: graph[base].qualifiedName, of: name) }
            for property in type.properties {
                declare(property: property.name, of: name, graph.typeName(property.type))
            }
        }
        for type in graph.enumerations { declare(enumeration: type.qualifiedName) }
    }

    mutating func declare(term: String, _ type: String) { types[term] = type }

    mutating func declare(property: String, of record: String, _ type: String) {
        types["\(record)/\(property)"] = type
    }

    mutating func declare(base: String, of record: String) { bases[record] = base }

    mutating func declare(enumeration: String) { enumerations.insert(enumeration) }

    func type(ofTerm term: String) -> String? { types[term] }

    /// The type of a record's property, inherited ones included.
    func type(of property: String, in record: String?) -> String? {
        var current = record
        for _ in 0..<16 {
            guard let name = current else { return nil }
            if let type = types["\(name)/\(property)"] { return type }
            current = bases[name]
        }
        return nil
    }

    func isEnumeration(_ name: String) -> Bool { enumerations.contains(name) }

    /// The type of the items; nil when the type is no collection.
    static func item(of type: String?) -> String? {
        guard let type, type.hasPrefix("Collection("), type.hasSuffix(")") else { return nil }
        return String(type.dropFirst(11).dropLast())
    }

    /// Terms and record properties of the OASIS vocabularies whose values are not what they look like in JSON:
    /// `Alias.Term Type`, `Alias.Record/Property Type`, `Alias.Record: Base`, `Alias.Type enum`.
    private static let table = """
        Aggregation.ApplySupported Aggregation.ApplySupportedType
        Aggregation.ApplySupportedDefaults Aggregation.ApplySupportedBase
        Aggregation.AvailableOnAggregates Aggregation.AvailableOnAggregatesType
        Aggregation.ContextDefiningProperties [Edm.PropertyPath]
        Aggregation.LeveledHierarchy [Edm.PropertyPath]
        Aggregation.RecursiveHierarchy Aggregation.RecursiveHierarchyType
        Capabilities.ChangeTracking Capabilities.ChangeTrackingType
        Capabilities.CollectionPropertyRestrictions [Capabilities.CollectionPropertyRestrictionsType]
        Capabilities.ConformanceLevel Capabilities.ConformanceLevelType
        Capabilities.CountRestrictions Capabilities.CountRestrictionsType
        Capabilities.DefaultCapabilities Capabilities.DefaultCapabilitiesType
        Capabilities.DeleteRestrictions Capabilities.DeleteRestrictionsType
        Capabilities.ExpandRestrictions Capabilities.ExpandRestrictionsType
        Capabilities.FilterRestrictions Capabilities.FilterRestrictionsType
        Capabilities.InsertRestrictions Capabilities.InsertRestrictionsType
        Capabilities.IsolationSupported Capabilities.IsolationLevel
        Capabilities.NavigationRestrictions Capabilities.NavigationRestrictionsType
        Capabilities.SearchRestrictions Capabilities.SearchRestrictionsType
        Capabilities.SortRestrictions Capabilities.SortRestrictionsType
        Capabilities.UpdateRestrictions Capabilities.UpdateRestrictionsType
        Core.AlternateKeys [Core.AlternateKey]
        Core.DataModificationException Core.DataModificationExceptionType
        Core.OptimisticConcurrency [Edm.PropertyPath]
        Core.Permissions Core.Permission
        Core.Revisions [Core.RevisionType]
        Validation.ItemsOf [Validation.ItemsOfType]
        Validation.MultipleOf Edm.Decimal
        Aggregation.AggregatablePropertyType/Property Edm.PropertyPath
        Aggregation.ApplySupportedBase/Rollup Aggregation.RollupType
        Aggregation.ApplySupportedType/AggregatableProperties [Aggregation.AggregatablePropertyType]
        Aggregation.ApplySupportedType/GroupableProperties [Edm.AnyPropertyPath]
        Aggregation.AvailableOnAggregatesType/RequiredProperties [Edm.PropertyPath]
        Aggregation.NavigationPropertyAggregationCapabilities/ApplySupported Aggregation.ApplySupportedType
        Aggregation.RecursiveHierarchyType/NodeProperty Edm.PropertyPath
        Aggregation.RecursiveHierarchyType/ParentNavigationProperty Edm.NavigationPropertyPath
        Authorization.ApiKey/Location Authorization.KeyLocation
        Capabilities.ChangeTrackingType/ExpandableProperties [Edm.NavigationPropertyPath]
        Capabilities.ChangeTrackingType/FilterableProperties [Edm.PropertyPath]
        Capabilities.CollectionPropertyRestrictionsType/CollectionProperty Edm.PropertyPath
        Capabilities.CollectionPropertyRestrictionsType/FilterRestrictions Capabilities.FilterRestrictionsType
        Capabilities.CollectionPropertyRestrictionsType/SearchRestrictions Capabilities.SearchRestrictionsType
        Capabilities.CollectionPropertyRestrictionsType/SortRestrictions Capabilities.SortRestrictionsType
        Capabilities.CountRestrictionsType/NonCountableNavigationProperties [Edm.NavigationPropertyPath]
        Capabilities.CountRestrictionsType/NonCountableProperties [Edm.PropertyPath]
        Capabilities.DefaultCapabilitiesType/SearchRestrictions Capabilities.SearchRestrictionsType
        Capabilities.DefaultCapabilitiesType/UpdateRestrictions Capabilities.UpdateRestrictionsBase
        Capabilities.DeleteRestrictionsType/NonDeletableNavigationProperties [Edm.NavigationPropertyPath]
        Capabilities.ExpandByKeyRestrictionsType/NonExpandableProperties [Edm.NavigationPropertyPath]
        Capabilities.ExpandByKeyRestrictionsType/NonExpandableStreamProperties [Edm.PropertyPath]
        Capabilities.ExpandRestrictionsType/NonExpandableProperties [Edm.NavigationPropertyPath]
        Capabilities.ExpandRestrictionsType/NonExpandableStreamProperties [Edm.PropertyPath]
        Capabilities.FilterExpressionRestrictionType/Property Edm.PropertyPath
        Capabilities.FilterRestrictionsType/FilterExpressionRestrictions [Capabilities.FilterExpressionRestrictionType]
        Capabilities.FilterRestrictionsType/NonFilterableProperties [Edm.PropertyPath]
        Capabilities.FilterRestrictionsType/RequiredProperties [Edm.PropertyPath]
        Capabilities.InsertRestrictionsType/NonInsertableNavigationProperties [Edm.NavigationPropertyPath]
        Capabilities.InsertRestrictionsType/NonInsertableProperties [Edm.PropertyPath]
        Capabilities.InsertRestrictionsType/RequiredProperties [Edm.PropertyPath]
        Capabilities.NavigationPropertyRestriction/DeleteRestrictions Capabilities.DeleteRestrictionsType
        Capabilities.NavigationPropertyRestriction/FilterRestrictions Capabilities.FilterRestrictionsType
        Capabilities.NavigationPropertyRestriction/InsertRestrictions Capabilities.InsertRestrictionsType
        Capabilities.NavigationPropertyRestriction/Navigability Capabilities.NavigationType
        Capabilities.NavigationPropertyRestriction/NavigationProperty Edm.NavigationPropertyPath
        Capabilities.NavigationPropertyRestriction/SearchRestrictions Capabilities.SearchRestrictionsType
        Capabilities.NavigationPropertyRestriction/SortRestrictions Capabilities.SortRestrictionsType
        Capabilities.NavigationPropertyRestriction/UpdateRestrictions Capabilities.UpdateRestrictionsType
        Capabilities.NavigationRestrictionsType/Navigability Capabilities.NavigationType
        Capabilities.NavigationRestrictionsType/RestrictedProperties [Capabilities.NavigationPropertyRestriction]
        Capabilities.SearchRestrictionsType/UnsupportedExpressions Capabilities.SearchExpressions
        Capabilities.SortRestrictionsType/AscendingOnlyProperties [Edm.PropertyPath]
        Capabilities.SortRestrictionsType/DescendingOnlyProperties [Edm.PropertyPath]
        Capabilities.SortRestrictionsType/NonSortableProperties [Edm.PropertyPath]
        Capabilities.UpdateRestrictionsBase/UpdateMethod Capabilities.HttpMethod
        Capabilities.UpdateRestrictionsType/NonUpdatableNavigationProperties [Edm.NavigationPropertyPath]
        Capabilities.UpdateRestrictionsType/NonUpdatableProperties [Edm.PropertyPath]
        Capabilities.UpdateRestrictionsType/RequiredProperties [Edm.PropertyPath]
        Core.AlternateKey/Key [Core.PropertyRef]
        Core.DataModificationExceptionType/failedOperation Core.DataModificationOperationKind
        Core.PropertyRef/Name Edm.PropertyPath
        Core.RevisionType/Kind Core.RevisionKind
        Temporal.TimelineVisible/ObjectKey [Edm.PropertyPath]
        Temporal.TimelineVisible/PeriodEnd Edm.PropertyPath
        Temporal.TimelineVisible/PeriodStart Edm.PropertyPath
        Validation.ItemsOfType/path Edm.NavigationPropertyPath
        Validation.ItemsOfType/target Edm.NavigationPropertyPath
        Aggregation.ApplySupportedType: Aggregation.ApplySupportedBase
        Aggregation.NavigationPropertyAggregationCapabilities: Capabilities.NavigationPropertyRestriction
        Authorization.ApiKey: Authorization.Authorization
        Capabilities.ChangeTrackingType: Capabilities.ChangeTrackingBase
        Capabilities.CountRestrictionsType: Capabilities.CountRestrictionsBase
        Capabilities.DeleteRestrictionsType: Capabilities.DeleteRestrictionsBase
        Capabilities.ExpandByKeyRestrictionsType: Capabilities.ExpandByKeyRestrictionsBase
        Capabilities.ExpandRestrictionsType: Capabilities.ExpandCollectionRestrictionsType
        Capabilities.FilterRestrictionsType: Capabilities.FilterRestrictionsBase
        Capabilities.InsertRestrictionsType: Capabilities.InsertRestrictionsBase
        Capabilities.SortRestrictionsType: Capabilities.SortRestrictionsBase
        Capabilities.UpdateRestrictionsType: Capabilities.UpdateRestrictionsBase
        Core.DataModificationExceptionType: Core.ExceptionType
        Temporal.TimelineVisible: Temporal.Timeline
        Aggregation.RollupType enum
        Authorization.KeyLocation enum
        Capabilities.ConformanceLevelType enum
        Capabilities.HttpMethod enum
        Capabilities.IsolationLevel enum
        Capabilities.NavigationType enum
        Capabilities.SearchExpressions enum
        Core.DataModificationOperationKind enum
        Core.Permission enum
        Core.RevisionKind enum
        """
}
