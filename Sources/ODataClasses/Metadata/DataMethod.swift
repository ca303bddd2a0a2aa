import ODataModel
import Synchronization

/// An action or function, or the import that makes one callable from the service root (CSDL 4.01, sections 12, 13).
open class DataMethod: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let model: MetadataModel
    /// The operation itself.
    package final let operation: OperationDefinition
    /// The import through which it is called; nil for bound operations.
    package final let importDefinition: OperationImportDefinition?
    private final let settings = Mutex(false)

    package init(
        _ model: MetadataModel, _ operation: OperationDefinition,
        _ importDefinition: OperationImportDefinition?
    ) {
        self.model = model
        self.operation = operation
        self.importDefinition = importDefinition
        super.init()
    }

    /// The name without schema or container.
    open var localName: String { importDefinition?.name ?? operation.name }

    /// The name with its schema.
    open var qualifiedName: String { operation.qualifiedName }

    /// The name under which a document finds the method: unqualified for imports.
    open var name: String { importDefinition?.name ?? operation.qualifiedName }

    /// The qualified name of a bound operation; nil for imports.
    open var boundName: String? { isBound ? operation.qualifiedName : nil }

    /// The name of the import; nil for operations themselves.
    open var importedName: String? { importDefinition?.name }

    /// What a request path names.
    open var resourcePath: String { name }

    /// The path by which annotations target the method.
    open var targetPath: String {
        importDefinition.map { "\($0.container)/\($0.name)" } ?? operation.qualifiedName
    }

    /// True for actions, which may have side effects.
    open var isAction: Bool { operation.isAction }

    /// True for functions, which have none.
    open var isFunction: Bool { !operation.isAction }

    /// True when the first parameter is the value that the operation is called on (CSDL 4.01, section 12.5).
    open var isBound: Bool { operation.isBound }

    /// True for imports (CSDL 4.01, section 13.5).
    open var isImported: Bool { importDefinition != nil }

    /// True when the result may be queried further (CSDL 4.01, section 12.7).
    open var isComposable: Bool { operation.isComposable }

    /// True when several operations share the name (CSDL 4.01, section 12.2).
    open var isOverloaded: Bool { model.graph.operations(named: operation.qualifiedName).count > 1 }

    /// The operations that share the name, by ``typeSignature``.
    open var overloadMap: DataMethodMap {
        DataMethodMap(
            entries: model.methods(named: operation.qualifiedName).map { ($0.typeSignature, $0) })
    }

    /// The verb of a V2 function import.
    open var httpMethod: String? { operation.httpMethod }

    /// The parameters, the binding one first.
    open var parameters: ParameterList {
        let list = ParameterList()
        for parameter in operation.parameters {
            list.append(
                Parameter(
                    name: parameter.name, type: model.dataType(of: parameter.type),
                    definition: parameter, model: model))
        }
        return list
    }

    /// The type of the result; `DataType.unknown` for none.
    open var returnType: DataType {
        operation.returnType.map { model.dataType(of: $0) } ?? DataType.unknown
    }

    /// The facets of the result's type; nil for a method that returns nothing (CSDL 4.01, section 12.8).
    open var facets: TypeFacets? { operation.returnType.map { TypeFacets($0) } }

    /// The set that resulting entities belong to; nil when it is not declared.
    open var entitySet: EntitySet? {
        importDefinition?.entitySet.flatMap { model.graph.entitySet(named: $0) }.map { model[$0] }
    }

    /// The qualified name of the operation behind an import.
    open var unboundMethod: String? { importDefinition?.operation }

    /// The parameter types in order, separated by commas.
    open var typeSignature: String {
        operation.parameters.map { model.graph.typeName($0.type) }.joined(separator: ",")
    }

    /// True when a refresh of metadata found the method gone.
    open var isRemoved: Bool {
        model.isRemoved("method " + (importDefinition?.name ?? operation.qualifiedName))
    }

    /// Whether a refresh of metadata may remove the method.
    open var canBeRemoved: Bool {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }

    /// The annotations by term.
    open var annotations: AnnotationMap {
        .of(operation.annotations + (importDefinition?.annotations ?? []), model)
    }

    /// The name.
    open override func toString() -> String { name }
}
