import ODataWire

/// Options of ``CSDLParser``: bits to be combined with `|`.
public enum CSDLOption {
    /// Accepts constructs of V2, V3 and V4 in one document; always the case here.
    public static let processMixedVersions = 1 << 0
    /// Keeps the text that was parsed.
    public static let retainOriginalText = 1 << 1
    /// Keeps the text after expansion.
    public static let retainResolvedText = 1 << 2
    /// Leaves references to other hosts aside, whatever the fetcher says.
    public static let ignoreExternalReferences = 1 << 3
    /// Leaves references to the same host aside, whatever the fetcher says.
    public static let ignoreInternalReferences = 1 << 4
    /// Leaves references to the vocabularies of OASIS aside, whatever the fetcher says.
    public static let ignoreStandardReferences = 1 << 5
    /// Leaves out annotations.
    public static let ignoreEdmAnnotations = 1 << 6
    /// Leaves out attributes of other namespaces.
    public static let ignoreXmlAnnotations = 1 << 7
    /// Accepts annotations whose term is not declared; always the case here.
    public static let ignoreUndefinedTerms = 1 << 8
    /// Makes up terms that are used and not declared, so that `CSDLDocument.annotationTerms` and the schemas find them.
    public static let resolveUndefinedTerms = 1 << 9
    /// Reports terms that no document declares, unless ``ignoreUndefinedTerms`` is set too.
    public static let warnAboutUndefinedTerms = 1 << 10
    /// Reports each element that is read, with its place; see ``CSDLParser/logTrace(_:)``.
    public static let traceParsingOfElements = 1 << 11
    /// Accepts names that are no CSDL identifiers.
    public static let disableNameValidation = 1 << 12
    /// Accepts names that differ only by case; always the case here.
    public static let allowCaseConflicts = 1 << 13
    /// Decimals without a scale are of variable scale.
    public static let defaultVariableScale = 1 << 14
    /// Geospatial types without a reference system are of a variable one.
    public static let defaultVariableSrid = 1 << 15
    /// Reports no facets that do not fit.
    public static let disableFacetWarnings = 1 << 16
    /// Reports facets that their type does not take, beside those that lose digits.
    public static let strictFacetWarnings = 1 << 17
    /// Reports no errors; they are thrown all the same.
    public static let disableLoggingOfErrors = 1 << 18
    /// Reports no warnings.
    public static let disableLoggingOfWarnings = 1 << 19
    /// A refresh fails when the new metadata is incompatible.
    public static let failIfProviderIncompatible = 1 << 20
    /// A refresh reports when the new metadata is incompatible.
    public static let warnIfProviderIncompatible = 1 << 21
    /// Reports name the document by the last part of its URL.
    public static let logWithUnqualifiedFileNames = 1 << 22
    /// Leaves out elements that only servers need.
    public static let excludeServerOnlyElements = 1 << 23
    /// Makes up entity sets for navigation targets without one.
    public static let synthesizeTargetSets = 1 << 24
    /// Leaves all references aside.
    public static let ignoreAllReferences =
        ignoreExternalReferences | ignoreInternalReferences | ignoreStandardReferences
    /// Leaves out annotations and attributes of other namespaces.
    public static let ignoreAllAnnotations = ignoreEdmAnnotations | ignoreXmlAnnotations
}
