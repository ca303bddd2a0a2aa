import Foundation
import SAPOData

// Section 6: metadata.

enum MetadataNames {
    static func documents(_ document: CSDLDocument, _ entity: EntityValue) throws {
        _ = (document.entitySet(withName: "a"), document.entityType(withName: "a"))
        _ = (document.complexType(withName: "a"), document.enumType(withName: "a"))
        _ = (document.simpleType(withName: "a"), document.dataMethod(withName: "a"))
        _ = (document.dataSchema(withName: "a"), document.singleton(withName: "a"))
        _ = (document.versionCode, document.versionText, document.originalText)
        _ = (document.resolvedText, document.proxyVersion, document.hasGeneratedProxies)
        _ = (document.immortalize(), CSDLDocument.csdlInfoKey, document.canChangeAnything)
        _ = (document.canRemoveAnything, document.hasOpenEnumerations, document.trackChanges)
        try document.resolveEntity(entity)
        document.addOwner(document)
        document.removeOwner(document)
        _ = document.owners()
    }

    static func parsing() throws {
        let parser = CSDLParser()
        parser.csdlOptions =
            CSDLOption.processMixedVersions | CSDLOption.retainOriginalText
            | CSDLOption.ignoreUndefinedTerms | CSDLOption.allowCaseConflicts
            | CSDLOption.disableFacetWarnings | CSDLOption.disableNameValidation
            | CSDLOption.synthesizeTargetSets | CSDLOption.ignoreAllReferences
        (parser.logWarnings, parser.logErrors, parser.traceRequests) = (false, false, false)
        (parser.csdlFetcher, parser.serviceName, parser.excludeServerOnly) = (nil, "a", false)
        _ = try parser.parse("", url: "")
        _ = parser.parseInProxy("", url: "")
        parser.includeNamespace("a", alias: "b")
        parser.includeReference("a", "b", alias: "c")
        _ = [
            CSDLOption.retainResolvedText, CSDLOption.ignoreExternalReferences,
            CSDLOption.ignoreInternalReferences, CSDLOption.ignoreStandardReferences,
            CSDLOption.ignoreEdmAnnotations, CSDLOption.ignoreXmlAnnotations,
            CSDLOption.ignoreAllAnnotations, CSDLOption.resolveUndefinedTerms,
            CSDLOption.warnAboutUndefinedTerms, CSDLOption.traceParsingOfElements,
            CSDLOption.defaultVariableScale, CSDLOption.defaultVariableSrid,
            CSDLOption.strictFacetWarnings, CSDLOption.disableLoggingOfErrors,
            CSDLOption.disableLoggingOfWarnings, CSDLOption.failIfProviderIncompatible,
            CSDLOption.warnIfProviderIncompatible, CSDLOption.logWithUnqualifiedFileNames,
            CSDLOption.excludeServerOnlyElements,
        ]
    }

    static func checking(_ document: CSDLDocument, _ fetcher: CSDLFetcher) throws {
        _ = fetcher.accept("a", "b")
        _ = try fetcher.fetch("a", "b")
        _ = fetcher.ignore("a", "b")
        try CsdlCompatibilityChecker(oldMetadata: document, newMetadata: document).check()
        _ = CsdlReference.self
    }

    static func properties(_ property: Property) {
        _ = (property.name, property.qualifiedName, property.owningType, property.urlString)
        _ = (property.dataType, property.type, property.id_, property.isKey)
        _ = (property.isForeignKey, property.isNullable, property.isImmutable)
        _ = (property.isOptimistic, property.isUnicode, property.isPersistent)
        _ = (property.isExtension, property.isStructural, property.isNavigation)
        _ = (property.isCollection, property.isStream, property.isRemoved, property.canBeRemoved)
        property.canBeRemoved = true
        _ = (property.defaultValue, property.maxLength, property.minLength, property.precision)
        _ = (property.scale, property.srid, property.fixedLength, property.complexType)
        _ = (property.entityType, property.enumType, property.structureType)
        _ = (property.itemComplexType, property.itemEntityType, property.partnerPath)
        _ = (property.referentialConstraints, property.containsTarget, property.onDeleteAction)
        _ = (property.hasForeignKeys, property.annotations, property.annotation("a"))
        _ = (property.column, property.columnType, property.customPath, property.toPath())
        _ = (property.path(property), property.unwrap())
        _ = [Property.onDeleteCascade, Property.onDeleteRestrict, Property.onDeleteSetDefault]
        _ = [Property.onDeleteSetNull, Property.hasNoForeignKeys, Property.hasForeignKeysInSource]
        _ = [Property.hasForeignKeysInTarget, TypeFacets.anyLength, TypeFacets.anyPrecision]
        _ = [TypeFacets.variableScale, TypeFacets.floatingScale, TypeFacets.variableSrid]
        let kinds: [Property.Type] = [
            StructuralProperty.self, NavigationProperty.self, StreamProperty.self,
        ]
        _ = kinds
    }

    static func reading(_ p: Property, _ s: StructureBase) {
        let required: [Any] = [
            p.stringValue(from: s), p.binaryValue(from: s), p.booleanValue(from: s),
            p.byteValue(from: s), p.shortValue(from: s), p.intValue(from: s), p.longValue(from: s),
            p.unsignedByte(from: s), p.integerValue(from: s), p.decimalValue(from: s),
            p.floatValue(from: s), p.doubleValue(from: s), p.guidValue(from: s),
            p.enumValue(from: s), p.complexValue(from: s), p.entityValue(from: s),
            p.basicList(from: s), p.complexList(from: s), p.entityList(from: s),
            p.requiredValue(from: s), p.streamLink(from: s),
        ]
        let optional: [Any?] = [
            p.optionalString(from: s), p.optionalBinary(from: s), p.optionalBoolean(from: s),
            p.optionalByte(from: s), p.optionalShort(from: s), p.optionalInt(from: s),
            p.optionalLong(from: s), p.optionalUnsignedByte(from: s), p.optionalInteger(from: s),
            p.optionalDecimal(from: s), p.optionalFloat(from: s), p.optionalDouble(from: s),
            p.optionalGuid(from: s), p.optionalEnum(from: s), p.optionalComplex(from: s),
            p.optionalEntity(from: s), p.dataValue(from: s), p.optionalValue(from: s),
        ]
        _ = (required, optional)
    }

    static func writing(_ p: Property, _ s: StructureBase, _ e: EntityValue, _ c: ComplexValue) {
        p.setStringValue(in: s, to: "")
        p.setBinaryValue(in: s, to: Data())
        p.setBooleanValue(in: s, to: true)
        p.setByteValue(in: s, to: 1)
        p.setShortValue(in: s, to: 1)
        p.setIntValue(in: s, to: 1)
        p.setLongValue(in: s, to: 1)
        p.setUnsignedByte(in: s, to: 1)
        p.setIntegerValue(in: s, to: BigInteger(1))
        p.setDecimalValue(in: s, to: BigDecimal(1))
        p.setFloatValue(in: s, to: 1)
        p.setDoubleValue(in: s, to: 1)
        p.setGuidValue(in: s, to: .random())
        p.setComplexValue(in: s, to: c)
        p.setEntityValue(in: s, to: e)
        p.setBasicList(in: s, to: StringList())
        p.setComplexList(in: s, to: ComplexValueList())
        p.setEntityList(in: s, to: EntityValueList())
        p.setDataValue(in: s, to: nil)
        p.setOptionalString(in: s, to: nil)
        p.setOptionalBinary(in: s, to: nil)
        p.setOptionalBoolean(in: s, to: nil)
        p.setOptionalByte(in: s, to: nil)
        p.setOptionalShort(in: s, to: nil)
        p.setOptionalInt(in: s, to: nil)
        p.setOptionalLong(in: s, to: nil)
        p.setOptionalUnsignedByte(in: s, to: nil)
        p.setOptionalInteger(in: s, to: nil)
        p.setOptionalDecimal(in: s, to: nil)
        p.setOptionalFloat(in: s, to: nil)
        p.setOptionalDouble(in: s, to: nil)
        p.setOptionalGuid(in: s, to: nil)
        p.setOptionalEnum(in: s, to: nil)
        p.setOptionalComplex(in: s, to: nil)
        p.setOptionalEntity(in: s, to: nil)
    }

    static func paths(_ property: Property, _ root: DataPath) {
        let path: PropertyPath = DataPath.of(property).path(property)
        _ = (path.toPath(), DataPath.lambda("x"), DataPath.ofDynamic("a").dynamicPath("b"))
        _ = (root.atIndex(0), root.withKey(EntityKey()), root.changeRoot(newRoot: root))
        _ = (root.definedProperty, root.dynamicProperty, root.lambdaVariable, root.parentPath)
        _ = (root.rootProperty, root.entityKey, root.itemIndex, root.pathSegments)
        _ = (root.segmentCount, root.hasSegments(), root.pathType, root.isNavigation)
        _ = (root.isStructural, root.isProperty(property), root.dotString(), root.toString())
        let binding: any BindingPath = root
        _ = binding
    }

    static func sets(_ set: EntitySet) {
        _ = (set.localName, set.qualifiedName, set.name, set.resourcePath, set.targetPath)
        _ = (set.contextPath, set.entityType, set.isSingleton, set.isExtension, set.isRemoved)
        _ = (set.canBeRemoved, set.pathBindings, set.binding("a"), set.annotations)
        _ = (set.annotation("a"), set.defaultSelect, set.table, EntitySet.noTable)
        _ = (EntitySet.columnTable, EntitySet.rowTable, set.indexes)
        set.downloadWithoutDeltaLinks = true
        set.downloadQueriesCanOverlap = true
        set.downloadEntitiesByDefault = true
        set.downloadStreamsByDefault = true
        _ = (EntitySet.undefined, EntitySet.undefinedIfNull(nil), set.isLocalDraft)
        let binding: any BindingPath = set
        _ = binding
    }
}
