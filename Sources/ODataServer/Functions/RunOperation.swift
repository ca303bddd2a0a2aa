import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// The operation that a path begins with, and the arguments in it; nil for every other path.
    func operation(_ path: ResourcePath) -> (ServiceOperation, [NamedArgument])? {
        switch path.segments.first {
        case .operation(let name, let arguments):
            model.operations[name].map { ($0, arguments) }
        case .entitySet(let name): model.operations[name].map { ($0, []) }
        default: nil
        }
    }

    /// Calls a function or an action (Protocol 4.01, sections 11.5.4 and 11.5.5).
    ///
    /// - Throws: 405 for the other method, 400 for arguments that do not fit.
    func run(
        _ operation: ServiceOperation, _ arguments: [NamedArgument], _ query: Query
    ) throws -> ResponseMessage {
        guard query.path.segments.count == 1 else {
            throw ODataError(
                .notImplemented, "Expected the end of the path after an operation.", status: 501)
        }
        guard operation.isAction ? request.method == "POST" : isRead else {
            throw methodNotAllowed(operation.isAction ? "POST" : "GET, HEAD")
        }
        try format.requireJSON()
        var values: [String: Scalar] = [:]
        for argument in arguments {
            values[argument.name] = try scalar(argument, of: operation, query)
        }
        if operation.isAction, arguments.isEmpty { values = try bodyValues(operation) }
        let bound = try binding(operation, values)
        var rows: [Row] = []
        for (position, sql) in operation.statements.enumerated() {
            let statement = try database.makeStatement(sql: sql)
            let isLast = position == operation.statements.count - 1
            if isLast, operation.result != .nothing {
                rows = try Row.fetchAll(statement, arguments: bound)
            } else {
                try statement.execute(arguments: bound)
            }
            guard rows.count <= Self.maximumRows else {
                throw ODataError(
                    .limitExceeded, "Expected at most \(Self.maximumRows) results.", status: 400)
            }
        }
        switch operation.result {
        case .nothing: return ResponseMessage(status: 204)
        case .value(let type, let isCollection):
            return try answer(rows, type, isCollection: isCollection)
        case .entities(let set, let isCollection):
            let table = try model.mapping.existingTable(path: set)
            return try answer(rows, of: table, isCollection: isCollection, query)
        }
    }

    // MARK: Arguments

    private func scalar(
        _ argument: NamedArgument, of operation: ServiceOperation, _ query: Query
    ) throws -> Scalar {
        guard let parameter = operation.parameters.first(where: { $0.name == argument.name }) else {
            throw PathWalker.invalid("Expected the parameters of \(operation.name).")
        }
        var value = argument.value
        if case .alias(let name) = value { value = query.aliases[name] ?? .literal(.null, nil) }
        var isNegative = false
        if case .unary(.negate, let operand) = value { (value, isNegative) = (operand, true) }
        guard case .literal(var scalar, let written) = value else {
            throw misfit(parameter)
        }
        if isNegative {
            switch scalar {
            case .integer(let number) where number > 0: scalar = .integer(-number)
            case .double(let number): scalar = .double(-number)
            case .decimal(let number): scalar = .decimal(-number)
            default: throw misfit(parameter)
            }
        }
        guard let result = LiteralConversion.scalar(scalar, written: written, as: parameter.type)
        else { throw misfit(parameter) }
        return result
    }

    private func bodyValues(_ operation: ServiceOperation) throws -> [String: Scalar] {
        try RequestRules.requireJSON(request)
        guard !request.body.isEmpty else { return [:] }
        guard let object = try JSONValue(parsing: request.body).object else {
            throw ODataError(
                .invalidPayload, "Expected an object with the parameters.", status: 400)
        }
        var values: [String: Scalar] = [:]
        for member in object.members {
            guard let parameter = operation.parameters.first(where: { $0.name == member.name })
            else {
                throw ODataError(
                    .invalidPayload, "Expected the parameters of \(operation.name).",
                    at: .path(String(member.name.prefix(100))), status: 400)
            }
            values[member.name] = try scalar(member.value, parameter)
        }
        return values
    }

    private func scalar(
        _ value: JSONValue, _ parameter: ServiceOperation.Parameter
    ) throws -> Scalar {
        if value.isNull { return .null }
        let text = value.string ?? value.number ?? value.boolean.map { String($0) }
        let isText = value.string != nil
        let wantsText = ![PrimitiveType.boolean, .int32, .int16, .byte, .sbyte].contains(
            parameter.type)
        guard let text, !isText || wantsText, parameter.type != .string || isText,
            let scalar = Lexical.scalar(text, as: parameter.type)
        else { throw misfit(parameter) }
        return scalar
    }

    private func misfit(_ parameter: ServiceOperation.Parameter) -> ODataError {
        ODataError(
            .invalidValue, "Expected a value of type Edm.\(parameter.type.name).",
            at: .path(parameter.name), status: 400)
    }

    private func binding(
        _ operation: ServiceOperation, _ values: [String: Scalar]
    ) throws -> StatementArguments {
        var bound: [String: DatabaseValue] = [:]
        for parameter in operation.parameters {
            let value = values[parameter.name] ?? .null
            guard value != .null || parameter.isNullable else { throw misfit(parameter) }
            bound[parameter.name] = try ServiceOperation.argument(value, as: parameter.type)
        }
        return StatementArguments(bound)
    }

    // MARK: Results

    private func answer(
        _ rows: [Row], _ type: PrimitiveType, isCollection: Bool
    ) throws -> ResponseMessage {
        let values = try rows.map { try ServiceOperation.scalar($0[0], as: type) }
        let reference = ServiceOperation.reference(type, isCollection: isCollection)
        let name = "Edm.\(type.name)"
        if isCollection {
            return json(
                writer.property(
                    .list(values.map { .scalar($0) }), named: "value", as: reference,
                    context: "\(root)$metadata#Collection(\(name))"))
        }
        guard let value = values.first, value != .null else { return ResponseMessage(status: 204) }
        return json(
            writer.property(
                .scalar(value), named: "value", as: reference, context: "\(root)$metadata#\(name)"))
    }

    func answer(
        _ rows: [Row], of table: TableMapping, isCollection: Bool, _ query: Query
    ) throws -> ResponseMessage {
        let keys = try rows.map { row in
            guard row.count >= table.keys.count else {
                throw ODataError(.storage, "Expected the key of \(table.path) in the result.")
            }
            return RowKey(table.keys.indices.map { row[$0] as DatabaseValue })
        }
        var wanted = query
        wanted.path = ResourcePath([.entitySet(table.path)])
        guard isCollection else {
            guard let key = keys.first else { return ResponseMessage(status: 204) }
            try RequestRules.refuseCollectionOptions(query)
            let values = try DeltaItems(exchange: self, table: table, query: wanted).scalars(
                of: key)
            let target = RowTarget(
                table: table, conditions: zip(table.keys, values).map { ($0, $1) }, isSingle: true)
            return try readEntity(target, wanted)
        }
        let (top, skip) = (wanted.top, wanted.skip)
        (wanted.top, wanted.skip) = (nil, nil)
        var found = try DeltaItems(exchange: self, table: table, query: wanted).entities(keys)
        if wanted.orderBy.isEmpty {
            let order = Dictionary(
                keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            found.sort { (order[$0.key] ?? 0) < (order[$1.key] ?? 0) }
        }
        let count = query.includesCount ? Int64(found.count) : nil
        var page = EntityPage(
            context: contextURL(RowTarget(table: table), wanted), count: count)
        page.items = found.dropFirst(skip ?? 0).prefix(top ?? Int.max).map {
            .entity($0.value, table.entitySet)
        }
        return try pageAnswer(writer.page(page, of: table.structure, in: table.entitySet))
    }

    private static let maximumRows = 10_000
}
