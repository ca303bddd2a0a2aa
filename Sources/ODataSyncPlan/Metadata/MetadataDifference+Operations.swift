import ODataModel

extension MetadataDifference {
    /// Actions, functions and their imports (CSDL 4.01, sections 12 and 13.5): what calls of them meet. No stored data
    /// depends on them.
    mutating func compareOperations(_ old: MetadataGraph, _ new: MetadataGraph) {
        let before = Self.overloads(of: old)
        let after = Self.overloads(of: new)
        for (name, operation) in before.ordered {
            guard let other = after.byName[name] else {
                call(.removed, name, "The \(Self.kind(operation)) is gone.")
                continue
            }
            compare(operation, other, name, old, new)
        }
        for (name, operation) in after.ordered where before.byName[name] == nil {
            call(.added, name, "The \(Self.kind(operation)) is new.")
        }
        compareImports(old, new)
    }

    private mutating func call(_ effect: Change.Effect, _ path: String, _ detail: String) {
        note(Change(effect, path, detail, concernsData: false))
    }

    private static func kind(_ operation: OperationDefinition) -> String {
        operation.isAction ? "action" : "function"
    }

    /// Overloads by what tells them apart: the name, what they are bound to, and for functions the names of parameters.
    private static func overloads(
        of graph: MetadataGraph
    ) -> (ordered: [(String, OperationDefinition)], byName: [String: OperationDefinition]) {
        var ordered: [(String, OperationDefinition)] = []
        var byName: [String: OperationDefinition] = [:]
        for operation in graph.operations {
            var parts: [String] = []
            if operation.isBound, let binding = operation.parameters.first {
                parts.append(graph.typeName(binding.type))
            }
            if !operation.isAction {
                parts += operation.ownParameters.map(\.name).sorted()
            }
            let name = "\(operation.qualifiedName)(\(parts.joined(separator: ",")))"
            guard byName.updateValue(operation, forKey: name) == nil else { continue }
            ordered.append((name, operation))
        }
        return (ordered, byName)
    }

    private mutating func compare(
        _ operation: OperationDefinition, _ other: OperationDefinition, _ path: String,
        _ old: MetadataGraph, _ new: MetadataGraph
    ) {
        if operation.isAction != other.isAction {
            call(.incompatible, path, "Action and function changed places.")
        }
        if operation.isComposable, !other.isComposable {
            call(.incompatible, path, "The function is no longer composable.")
        }
        let result = operation.returnType.map { old.typeName($0) }
        let otherResult = other.returnType.map { new.typeName($0) }
        if result != otherResult {
            call(
                .incompatible, path,
                "The result is \(otherResult ?? "nothing"), was \(result ?? "nothing").")
        }
        let known = Dictionary(
            operation.parameters.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first }
        )
        for parameter in other.parameters {
            let name = "\(path)/\(parameter.name)"
            guard let type = known[parameter.name] else {
                call(
                    parameter.type.isNullable ? .compatible : .incompatible, name,
                    "The parameter is new.")
                continue
            }
            if old.typeName(type) != new.typeName(parameter.type) {
                call(
                    .incompatible, name,
                    "The type is \(new.typeName(parameter.type)), was \(old.typeName(type)).")
            } else if type.isNullable, !parameter.type.isNullable {
                call(.incompatible, name, "Null is no longer allowed.")
            }
        }
        let names = Set(other.parameters.map(\.name))
        for parameter in operation.parameters where !names.contains(parameter.name) {
            call(.incompatible, "\(path)/\(parameter.name)", "The parameter is gone.")
        }
    }

    private mutating func compareImports(_ old: MetadataGraph, _ new: MetadataGraph) {
        for definition in old.operationImports {
            guard let other = new.operationImport(named: definition.name) else {
                call(.removed, definition.name, "The import is gone.")
                continue
            }
            if definition.operation != other.operation {
                call(
                    .incompatible, definition.name,
                    "The import is of \(other.operation), was of \(definition.operation).")
            }
        }
        for definition in new.operationImports
        where old.operationImport(named: definition.name) == nil {
            call(.added, definition.name, "The import is new.")
        }
    }
}
