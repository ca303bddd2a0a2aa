import Foundation
import SAPOData

// Sections 6.6 and 6.7: types, schemas and operations.

enum TypeNames {
    static func types(_ type: DataType) {
        _ = (type.name, type.code, type.isBasic, type.isBasicList, type.isComplex)
        _ = (type.isComplexList, type.isEntity, type.isEntityList, type.isEnum, type.isEnumList)
        _ = (type.isList, type.isNumber, type.isCalendar, type.isGuid, type.isStream)
        _ = (type.isUnsigned, type.isPath, type.isGeography, type.isGeometry, type.isGeospatial)
        _ = (type.isDerived, type.baseType, type.itemType, DataType.listOf(type))
        _ = (DataType.forCode(1), DataType.forName("a"), DataType.unknown)
        _ = (BasicType.string, BasicType.int, BasicType.long, BasicType.boolean)
        switch type.code {
        case DataType.string, DataType.boolean, DataType.byte, DataType.unsignedByte: break
        case DataType.short, DataType.int, DataType.long, DataType.integer: break
        case DataType.decimal, DataType.float, DataType.double, DataType.binary: break
        case DataType.guidValue, DataType.localDate, DataType.localTime: break
        case DataType.localDateTime, DataType.globalDateTime, DataType.dayTimeDuration: break
        case DataType.entityValue, DataType.entityValueList, DataType.complexValue: break
        case DataType.complexValueList, DataType.enumValue, DataType.char: break
        default: break
        }
    }

    static func structures(_ type: StructureType, _ factory: ObjectFactory) {
        _ = (type.localName, type.qualifiedName, type.name, type.property(withName: "a"))
        _ = (type.propertyList, type.propertyMap, type.structuralProperties)
        _ = (type.navigationProperties, type.complexProperties, type.collectionProperties)
        _ = (type.streamProperties, type.extensionProperties, type.isAbstract, type.isOpenType)
        _ = (type.isExtension, type.isInferred, type.isRemoved, type.canBeRemoved)
        _ = (type.objectFactory, type.annotations, type.annotation("a"))
    }

    static func entities(_ type: EntityType, _ factory: ObjectFactory) {
        _ = (type.keyProperties, type.keyProperty(name: "a"), type.keyProperty(withName: "a"))
        _ = (type.isMedia, type.mediaProperty, type.hasSubtypes, type.subtypes)
        _ = (type.hasSupertype, type.supertype, type.withFactory(factory))
        type.registerFactory(factory)
        _ = (EntityType.undefined, EntityType.abstractBase)
    }

    static func complex(_ type: ComplexType, _ factory: ObjectFactory) {
        _ = (type.hasSubtypes, type.subtypes, type.supertype, type.withFactory(factory))
        type.registerFactory(factory)
        _ = (ComplexType.undefined, ComplexType.abstractBase)
    }

    static func enumerations(_ type: EnumType) {
        _ = (type.member(name: "a"), type.findMember("a"), type.withInt(1), type.withByte(1))
        _ = (type.withShort(1), type.withLong(1), type.withUnsignedByte(1))
        _ = (type.withOptionalInt(nil), type.memberList, type.memberMap, type.isFlags)
        _ = (type.baseType, type.derivedFrom, type.localName, type.isRemoved, type.annotations)
    }

    static func definitions(_ type: SimpleType) {
        _ = (type.derivedFrom, type.maxLength, type.localName, type.annotations)
    }

    static func schemas(_ schema: DataSchema, _ container: EntityContainer) {
        _ = (schema.namespace, schema.alias, schema.entityTypes, schema.complexTypes)
        _ = (schema.enumTypes, schema.simpleTypes, schema.entitySets, schema.singletons)
        _ = (schema.dataMethods, schema.entityContainers, schema.annotationTerms)
        _ = schema.annotations
        _ = (container.localName, container.qualifiedName, container.name, container.isDefault)
        _ = (container.baseContainer, container.entitySets, container.singletons)
        _ = (container.dataMethods, container.annotations)
    }

    static func operations(_ method: DataMethod, _ parameter: Parameter) {
        _ = (method.name, method.localName, method.qualifiedName, method.boundName)
        _ = (method.importedName, method.resourcePath, method.targetPath, method.isAction)
        _ = (method.isFunction, method.isBound, method.isImported, method.isComposable)
        _ = (method.isOverloaded, method.overloadMap, method.httpMethod, method.parameters)
        _ = (method.returnType, method.entitySet, method.unboundMethod, method.typeSignature)
        _ = (method.isRemoved, parameter.name, parameter.type, parameter.value, parameter.mode)
        let list = ParameterList(capacity: 1).with(name: "a", value: nil)
        list.addFormal(parameter)
        list.remove("a")
        _ = (ParameterList.empty, list.required("a"))
        let call = DataMethodCall.apply(method, list)
        _ = (call.method, call.parameters)
    }

    static func annotations(_ annotation: Annotation, _ term: AnnotationTerm) {
        _ = (annotation.term, annotation.qualifier, annotation.value, annotation.explicitValue)
        _ = (annotation.explicitNull, annotation.annotations)
        _ = (term.name, term.type, term.appliesTo, term.baseTerm, term.defaultValue)
        _ = term.xmlAttribute
    }

    static let versions = [
        DataVersion.odataV1, DataVersion.odataV2, DataVersion.odataV3, DataVersion.odataV4,
        DataVersion.odataV401, DataVersion.ODATA_V2, DataVersion.ODATA_V4,
    ]
}
