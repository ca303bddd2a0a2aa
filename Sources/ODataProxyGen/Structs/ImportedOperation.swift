import ODataModel

/// An operation as a program can call it: bound, or by its import.
struct ImportedOperation: Sendable {
    /// By which the service finds it.
    var name: String
    /// Without the namespace.
    var shortName: String
    var definition: OperationDefinition
    /// Where entities that it gives are, as the document says; nil where it does not.
    var set: String?

    static func all(
        of graph: MetadataGraph, _ imported: ImportedOverloads
    ) -> [ImportedOperation] {
        var result: [ImportedOperation] = []
        for item in graph.operationImports {
            for operation in imported[item] {
                result.append(
                    ImportedOperation(
                        name: item.name, shortName: item.name, definition: operation,
                        set: item.entitySet))
            }
        }
        guard graph.version >= .v4 else { return result }
        for operation in graph.operations where operation.isBound {
            result.append(
                ImportedOperation(
                    name: operation.qualifiedName, shortName: operation.name,
                    definition: operation))
        }
        return result
    }
}

extension StructMemberBuilder {
    struct Omission: Error {
        var why: String
    }

    /// The struct of an operation.
    ///
    /// - Throws: why there is none.
    mutating func operation(
        _ operation: ImportedOperation, named name: String
    ) throws(Omission) -> OperationDeclaration {
        let definition = operation.definition
        let isBound = graph.isCalledOnSomething(definition)
        var result = OperationDeclaration(
            name: operation.name, typeName: name, isAction: definition.isAction,
            target: isBound ? try target(definition) : .service,
            result: try self.result(operation), note: note(definition.annotations))
        var scope = scope(StructNames.operationMembers)
        for parameter in definition.parameters.dropFirst(isBound ? 1 : 0) {
            guard case .property(let type) = outcome(parameter.type) else {
                throw Omission(why: "entities, streams and values of any type are no parameters")
            }
            guard
                !definition.hasParametersInURL(in: graph.version)
                    || !type.isCollection && !type.isComplex
            else {
                throw Omission(
                    why: "lists and complex values in the URL of a call are not there yet")
            }
            let member = scope.give(SwiftName.member(parameter.name))
            result.parameters.append(.init(name: parameter.name, member: member, type: type))
        }
        return result
    }

    private func target(
        _ definition: OperationDefinition
    ) throws(Omission) -> OperationDeclaration.Target {
        guard let type = definition.parameters.first?.type, let id = type.structure,
            graph[id].kind == .entity
        else { throw Omission(why: "only entities and their sets are what it can be called on") }
        let found = structs(of: id)
        guard let first = found.first else { throw Omission(why: "its set was not asked for") }
        guard found.count == 1 else { return .any }
        return type.isCollection ? .all(first) : .entity(first)
    }

    private mutating func result(
        _ operation: ImportedOperation
    ) throws(Omission) -> OperationDeclaration.Result {
        guard let type = operation.definition.returnType else { return .nothing }
        if let id = type.structure, graph[id].kind == .entity {
            let said = operation.set.flatMap { places[$0, id] }
                .flatMap { chosen.contains($0.root) ? $0.name : nil }
            guard let name = said ?? structs(of: id).first else {
                throw Omission(why: "the set of what it gives was not asked for")
            }
            return type.isCollection ? .entities(name) : .entity(name)
        }
        switch outcome(type) {
        case .property(var found):
            // What may be is said by few services.
            if !found.isCollection, found.isComplex { found.isOptional = true }
            return .value(found)
        case .omitted(let why): throw Omission(why: why)
        }
    }

    private func structs(of type: StructureID) -> [String] {
        places.places(of: type).filter { chosen.contains($0.root) }.map(\.name)
    }
}
