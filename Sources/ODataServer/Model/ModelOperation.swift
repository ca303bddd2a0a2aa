import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// What a function or an action of a document does, in Swift.
package struct ModelOperation: Sendable {
    /// Carries a call out, inside the transaction of its request.
    package typealias Body = @Sendable (OperationCall) throws -> OperationOutcome

    let body: Body

    package init(_ body: @escaping Body) {
        self.body = body
    }
}

/// One call of a function or an action.
package struct OperationCall {
    let exchange: Exchange
    /// The row that a bound operation is called on, by its internal number.
    let row: Int64?
    let arguments: [String: Scalar]

    var database: Database { get throws { try exchange.database } }

    /// An argument as a number; nil where it was not given.
    func number(_ name: String) -> Double? {
        arguments[name]?.nearestDouble
    }

    func integer(_ name: String) -> Int64? {
        if case .integer(let value)? = arguments[name] { value } else { nil }
    }

    func text(_ name: String) -> String? {
        if case .string(let value)? = arguments[name] { value } else { nil }
    }
}

/// What comes back from a function or an action.
package enum OperationOutcome {
    case nothing
    case value(Scalar)
    /// Entities of a set, by a query that gives their keys in key order.
    case entities(String, sql: String, StatementArguments)
}

extension Exchange {
    /// A call of a function or an action of the document; nil for every other path.
    func modelCall(_ path: ResourcePath) throws -> ModelCall? {
        guard model.isDocument, !model.handlers.isEmpty else { return nil }
        for (position, segment) in path.segments.enumerated() {
            var call: (name: String, arguments: [NamedArgument])?
            switch segment {
            case .operation(let name, let arguments): call = (name, arguments)
            case .entitySet(let name) where model.mapping.table(path: name) == nil:
                call = (name, [])
            default: continue
            }
            guard let call else { continue }
            let name =
                position == 0
                ? graph.operationImports.first { $0.name == call.name }?.operation ?? call.name
                : call.name
            guard position == path.segments.count - 1 else {
                throw ODataError(
                    .notImplemented, "Expected the end of the path after an operation.",
                    status: 501)
            }
            return ModelCall(
                exchange: self, name: graph.unaliased(name), arguments: call.arguments,
                before: ResourcePath(Array(path.segments[..<position])))
        }
        return nil
    }
}

/// A call on its way: which of the operations of one name it is, its arguments, and its answer.
struct ModelCall {
    let exchange: Exchange
    let name: String
    let arguments: [NamedArgument]
    /// What the operation is bound to; empty for one that is called by its import.
    let before: ResourcePath

    /// - Throws: 405 for the other method, 404 for an operation that is not there, 400 for arguments that do not fit.
    func answer(_ query: Query) throws -> ResponseMessage {
        let isBound = !before.segments.isEmpty
        let named = exchange.graph.operations.filter {
            $0.qualifiedName == name && $0.isBound == isBound
        }
        guard let first = named.first else {
            throw ODataError(
                .unknownName, "Expected an operation that can be called here.", at: .path(name),
                status: 404)
        }
        guard first.isAction ? exchange.request.method == "POST" : exchange.isRead else {
            throw exchange.methodNotAllowed(first.isAction ? "POST" : "GET, HEAD")
        }
        try exchange.access?.requireCall(first.qualifiedName)
        let given = first.isAction ? try body() : try literals(query)
        let (operation, values) = try chosen(among: named, given)
        guard let handler = exchange.model.handlers[operation.qualifiedName] else {
            throw ODataError(
                .notImplemented, "Expected an operation that the service carries out.",
                at: .path(name), status: 501)
        }
        try exchange.format.requireJSON()
        let outcome = try SQLFailure.translated {
            try handler.body(
                OperationCall(
                    exchange: exchange, row: try boundRow(operation), arguments: values))
        }
        return try answer(outcome, operation, query)
    }

    private func boundRow(_ operation: OperationDefinition) throws -> Int64? {
        guard operation.isBound else { return nil }
        let end = try PathWalker(exchange: exchange).walk(before)
        guard end.property == nil, end.structure == nil, end.target.isSingle,
            operation.parameters.first?.type.structure.map({
                exchange.graph.isA(end.target.structure, $0)
            }) == true
        else { throw PathWalker.invalid("Expected the entity that \(operation.name) is bound to.") }
        guard let row = try TargetRows(exchange).rowID(of: end.target) else {
            throw PathWalker.missing()
        }
        if operation.isAction {
            guard let key = try TargetRows(exchange).key(of: end.target) else {
                throw PathWalker.missing()
            }
            try Preconditions(exchange.request.headers).checkChange(
                of: try EntityTagger(exchange).tag(of: key, in: end.target.table),
                isRequired: false)
        }
        return row
    }

    // MARK: Arguments

    private enum Given {
        case literal(Expression)
        case json(JSONValue)
    }

    private func literals(_ query: Query) throws -> [String: Given] {
        var values: [String: Given] = [:]
        for argument in arguments {
            var value = argument.value
            if case .alias(let name) = value {
                value = query.aliases[name] ?? .literal(.null, nil)
            }
            values[argument.name] = .literal(value)
        }
        return values
    }

    private func body() throws -> [String: Given] {
        guard !exchange.request.body.isEmpty else { return [:] }
        try RequestRules.requireJSON(exchange.request)
        guard let object = try JSONValue(parsing: exchange.request.body).object else {
            throw ODataError(
                .invalidPayload, "Expected an object with the parameters.", status: 400)
        }
        return Dictionary(
            object.members.filter { !$0.name.contains("@") }.map { ($0.name, .json($0.value)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The operation whose parameters are those given (CSDL 4.01, section 12.4), with their values.
    private func chosen(
        among operations: [OperationDefinition], _ given: [String: Given]
    ) throws -> (OperationDefinition, [String: Scalar]) {
        var failure: ODataError?
        // The one with the fewest parameters that takes all that is given.
        for operation in operations.sorted(by: { $0.parameters.count < $1.parameters.count }) {
            let parameters = operation.parameters.dropFirst(operation.isBound ? 1 : 0)
            let names = Set(parameters.map(\.name))
            guard names.isSuperset(of: given.keys) else { continue }
            do {
                var values: [String: Scalar] = [:]
                for parameter in parameters {
                    values[parameter.name] = try scalar(given[parameter.name], parameter)
                }
                return (operation, values)
            } catch let error as ODataError {
                failure = failure ?? error
            }
        }
        throw failure
            ?? ODataError(
                .invalidQuery, "Expected the parameters of \(name).",
                at: .path(given.keys.sorted().first ?? name), status: 400)
    }

    private func scalar(
        _ given: Given?, _ parameter: OperationDefinition.Parameter
    ) throws -> Scalar {
        let misfit = ODataError(
            .invalidValue, "Expected a value of the parameter's type.", at: .path(parameter.name),
            status: 400)
        let type = parameter.type.primitive ?? .string
        var value = Scalar.null
        switch given {
        case .literal(var expression)?:
            var isNegative = false
            if case .unary(.negate, let operand) = expression {
                (expression, isNegative) = (operand, true)
            }
            guard case .literal(let scalar, let written) = expression,
                scalar == .null || (type == .string) == (scalar.isText),
                let converted = LiteralConversion.scalar(scalar, written: written, as: type)
            else { throw misfit }
            value = isNegative ? try negated(converted, misfit) : converted
        case .json(let json)?:
            if !json.isNull {
                let text = json.string ?? json.number ?? json.boolean.map { String($0) }
                let isNumber = type.isInteger || type == .double || type == .single
                guard let text, (json.string == nil) != (type == .string),
                    !isNumber || json.number != nil, let read = Lexical.scalar(text, as: type)
                else { throw misfit }
                value = read
            }
        case nil: break
        }
        guard value != .null || parameter.type.isNullable else { throw misfit }
        return value
    }

    private func negated(_ value: Scalar, _ misfit: ODataError) throws -> Scalar {
        switch value {
        case .integer(let number) where number > 0: .integer(-number)
        case .double(let number): .double(-number)
        case .decimal(let number): .decimal(-number)
        default: throw misfit
        }
    }

    // MARK: Results

    private func answer(
        _ outcome: OperationOutcome, _ operation: OperationDefinition, _ query: Query
    ) throws -> ResponseMessage {
        switch outcome {
        case .nothing: return ResponseMessage(status: 204)
        case .value(let value):
            guard value != .null, let type = operation.returnType else {
                return ResponseMessage(status: 204)
            }
            return exchange.json(
                exchange.writer.property(
                    .scalar(value), named: "value", as: type,
                    context: "\(exchange.root)$metadata#Edm.\(type.primitive?.name ?? "String")"))
        case .entities(let set, let sql, let arguments):
            let table = try exchange.model.mapping.existingTable(path: set)
            let rows = try Row.fetchAll(exchange.database, sql: sql, arguments: arguments)
            return try exchange.answer(
                rows, of: table, isCollection: operation.returnType?.isCollection == true, query)
        }
    }
}

extension Scalar {
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }
}
