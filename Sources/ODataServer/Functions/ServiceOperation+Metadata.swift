import GRDB
import ODataModel
import ODataSQL
import ODataText

extension ServiceOperation {
    /// The types of parameters and results, and how values of them stand in SQL: as in columns that are declared so.
    static let types: [PrimitiveType: ColumnEncoding] = [
        .boolean: .looseBoolean, .byte: .integer, .sbyte: .integer, .int16: .integer,
        .int32: .integer, .int64: .integer, .single: .real, .double: .real,
        .decimal: .realDecimal, .string: .string, .guid: .guid, .date: .date,
        .timeOfDay: .timeOfDay, .duration: .duration, .dateTimeOffset: .isoDateTime,
        .binary: .binary,
    ]

    /// A type with facets that leave nothing out.
    static func reference(
        _ type: PrimitiveType, isNullable: Bool = true, isCollection: Bool = false
    ) -> TypeReference {
        var facets = TypeFacetValues()
        switch type {
        case .decimal: facets.scale = .variable
        case .dateTimeOffset, .timeOfDay, .duration: facets.precision = 7
        default: break
        }
        return TypeReference(
            .primitive(type), isCollection: isCollection, isNullable: isNullable, facets: facets)
    }

    static func scalar(_ value: DatabaseValue, as type: PrimitiveType) throws -> Scalar {
        guard let encoding = types[type], !value.isNull else { return .null }
        return try encoding.scalar(from: SQLArgument(value))
    }

    static func argument(_ scalar: Scalar, as type: PrimitiveType) throws -> DatabaseValue {
        guard let encoding = types[type], scalar != .null else { return .null }
        return try encoding.arguments(for: scalar)[0].databaseValue
    }
}

extension MetadataGraph {
    /// Adds functions and actions with their imports to a graph that is not frozen yet.
    ///
    /// - Throws: `usage` for a result of an entity set that there is not, and a name that a set has.
    mutating func add(_ operations: [ServiceOperation], to container: String) throws {
        guard let namespace = schemas.first?.namespace else { return }
        for operation in operations {
            guard !entitySets.contains(where: { $0.name == operation.name }),
                !structures.contains(where: { $0.name == operation.name })
            else {
                throw ODataError(
                    .usage, "Expected another name for \(operation.name), which an entity set has.")
            }
            var result: TypeReference?
            switch operation.result {
            case .nothing: break
            case .value(let type, let isCollection):
                result = ServiceOperation.reference(
                    type, isNullable: !isCollection, isCollection: isCollection)
            case .entities(let name, let isCollection):
                guard let set = entitySets.first(where: { $0.name == name }) else {
                    throw ODataError(
                        .usage,
                        "Expected an entity set that \(operation.name) returns, found \(name).")
                }
                result = TypeReference(
                    .structure(set.type), isCollection: isCollection, isNullable: !isCollection)
            }
            self.operations.append(
                OperationDefinition(
                    namespace: namespace, name: operation.name, isAction: operation.isAction,
                    parameters: operation.parameters.map {
                        OperationDefinition.Parameter(
                            name: $0.name,
                            type: ServiceOperation.reference($0.type, isNullable: $0.isNullable))
                    }, returnType: result))
            operationImports.append(
                OperationImportDefinition(
                    name: operation.name, container: container,
                    operation: "\(namespace).\(operation.name)", isAction: operation.isAction,
                    entitySet: operation.entitySet))
        }
    }
}
