/// An action, a function, or a V2 function import (CSDL 4.01, section 12).
package struct OperationDefinition: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var type: TypeReference
        package var annotations: [AnnotationDefinition]
        /// Which way the value goes; V4 knows `In` only.
        package var mode = Mode.input

        /// The numbers are those of `Parameter.mode`.
        package enum Mode: Int, Sendable {
            case input = 1
            case output
            case both
        }

        package init(name: String, type: TypeReference, annotations: [AnnotationDefinition] = []) {
            self.name = name
            self.type = type
            self.annotations = annotations
        }
    }

    package var namespace: String
    package var name: String
    package var isAction: Bool
    package var isBound: Bool
    package var isComposable: Bool
    package var entitySetPath: String?
    /// The binding parameter first when ``isBound``.
    package var parameters: [Parameter]
    package var returnType: TypeReference?
    /// What is said about the returned value itself.
    package var returnAnnotations: [AnnotationDefinition] = []
    /// The verb of a V2 function import (`m:HttpMethod`).
    package var httpMethod: String?
    package var annotations: [AnnotationDefinition]

    package init(
        namespace: String, name: String, isAction: Bool, isBound: Bool = false,
        isComposable: Bool = false, entitySetPath: String? = nil, parameters: [Parameter] = [],
        returnType: TypeReference? = nil, httpMethod: String? = nil,
        annotations: [AnnotationDefinition] = []
    ) {
        self.namespace = namespace
        self.name = name
        self.isAction = isAction
        self.isBound = isBound
        self.isComposable = isComposable
        self.entitySetPath = entitySetPath
        self.parameters = parameters
        self.returnType = returnType
        self.httpMethod = httpMethod
        self.annotations = annotations
    }

    package var qualifiedName: String { "\(namespace).\(name)" }

    /// What a call says: all parameters but the one that it is bound to.
    package var ownParameters: ArraySlice<Parameter> { parameters.dropFirst(isBound ? 1 : 0) }

    /// Whether a call says them in its URL, not in its body: those of functions, and before V4 of every operation.
    package func hasParametersInURL(in version: ODataVersion) -> Bool {
        !isAction || version < .v4
    }
}

/// An action import or function import (CSDL 4.01, sections 13.5 and 13.6).
package struct OperationImportDefinition: Sendable, Hashable {
    package var name: String
    package var container: String
    /// Qualified name of the operation.
    package var operation: String
    package var isAction: Bool
    package var entitySet: String?
    /// True for a function import that the service document lists (CSDL 4.01, section 13.6).
    package var isIncludedInServiceDocument: Bool
    package var annotations: [AnnotationDefinition]

    package init(
        name: String, container: String, operation: String, isAction: Bool,
        entitySet: String? = nil, isIncludedInServiceDocument: Bool = false,
        annotations: [AnnotationDefinition] = []
    ) {
        self.name = name
        self.container = container
        self.operation = operation
        self.isAction = isAction
        self.entitySet = entitySet
        self.isIncludedInServiceDocument = isIncludedInServiceDocument
        self.annotations = annotations
    }
}
