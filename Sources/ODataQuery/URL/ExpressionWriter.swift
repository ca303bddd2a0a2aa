import ODataModel
import ODataText

/// Expressions as text (URL Conventions 4.01, section 5.1.1), with no more parentheses than precedence asks for.
struct ExpressionWriter {
    let graph: MetadataGraph?
    let dialect: Dialect
    /// Which bytes of data stand for themselves; nil writes plain text.
    let encoding: PercentCoding.Part?
    private(set) var output = ""
    private var depth = 0
    /// Values written in the place of parameter aliases, for services that know none.
    let inlined: [String: Expression]
    /// Inside a lambda a path of the outer instance is written with `$it`.
    var isInLambda = false
    /// Numbers are written so that they are read again as what they are, a double as `2.5e0`, where services that know the
    /// other operand's type have the plain form.
    var keepsTypes = false

    init(
        graph: MetadataGraph?, dialect: Dialect, encoding: PercentCoding.Part?,
        inlining inlined: [String: Expression] = [:]
    ) {
        self.graph = graph
        self.dialect = dialect
        self.encoding = encoding
        self.inlined = inlined
    }

    mutating func write(_ expression: Expression) throws {
        try enter()
        defer { depth -= 1 }
        switch expression {
        case .literal(let scalar, let type):
            write(scalar, type)
        case .enumeration(let type, let members):
            try write(enumeration: type, members)
        case .path(let path):
            try write(path)
        case .unary(let symbol, let operand):
            try write(symbol, operand)
        case .binary(let symbol, let left, let right):
            try write(symbol, left, right)
        case .isIn(let operand, let members):
            try write(operand, in: members)
        case .call(let function, let arguments):
            try write(function, arguments)
        case .cast(let operand, let type):
            try write("cast", operand, type)
        case .isOf(let operand, let type):
            try write("isof", operand, type)
        case .lambda(let symbol, let path, let variable, let predicate):
            try write(symbol, path, variable, predicate)
        case .count(let path, let filter):
            try write(count: path, filter)
        case .aggregate(let path, let term):
            try write(path)
            structure("/aggregate(")
            try write(aggregate: term)
            structure(")")
        case .alias(let name):
            if let value = inlined[name] {
                try write(value, parenthesized: value.precedence < BinaryOperator.unaryPrecedence)
                return
            }
            structure("@")
            data(name)
        case .json(let text):
            data(text)
        case .custom(let name, let arguments):
            data(name)
            try write(list: arguments)
        }
    }

    /// One step of `$apply`, one level deeper.
    mutating func write(deeper step: Transformation) throws {
        try enter()
        defer { depth -= 1 }
        try write(step: step)
    }

    private mutating func enter() throws {
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected an expression of at most \(Self.maximumDepth) levels.")
        }
        depth += 1
    }

    private static let maximumDepth = 5_000

    // MARK: Text

    /// Delimiters and keywords of the grammar; spaces are encoded like data.
    mutating func structure(_ text: StaticString) {
        output += encoding == nil ? text.description : text.description.replacing(" ", with: "%20")
    }

    /// Names and values.
    mutating func data(_ text: String) {
        output += encoding.map { PercentCoding.encode(text, for: $0) } ?? text
    }

    /// Data of a text whose delimiters are others than those of the expression.
    mutating func append(encoded text: String, for part: PercentCoding.Part) {
        output += PercentCoding.encode(text, for: part)
    }

    // MARK: Literals

    private mutating func write(_ scalar: Scalar, _ type: PrimitiveType?) {
        if case .null = scalar { return structure("null") }
        let text = Literal.text(scalar, as: type ?? scalar.literalType(dialect), dialect: dialect)
        data(keepsTypes && !dialect.usesTypedLiterals ? text + mark(scalar, text) : text)
    }

    /// What tells a number without it from one of another type.
    private func mark(_ scalar: Scalar, _ text: String) -> String {
        switch scalar {
        case .double(let value) where value.isFinite && !text.utf8.contains { $0 | 0x20 == 0x65 }:
            "e0"
        case .decimal where text.utf8.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 }: ".0"
        default: ""
        }
    }

    private mutating func write(enumeration type: String?, _ members: String) throws {
        guard !dialect.usesTypedLiterals else {
            throw ODataError(.invalidQuery, "Expected no enumeration: OData V2 has none.")
        }
        if let type { data(type) }
        data("'\(members)'")
    }

    // MARK: Operators

    private mutating func write(_ symbol: UnaryOperator, _ operand: Expression) throws {
        var needsParentheses = operand.precedence < BinaryOperator.unaryPrecedence
        if symbol == .negate, case .unary(.negate, _) = operand { needsParentheses = true }
        if symbol == .negate, Self.beginsWithLiteral(operand) { needsParentheses = true }
        structure(symbol == .not ? "not " : "-")
        try write(operand, parenthesized: needsParentheses)
    }

    /// A sign before such an expression would be read as the literal's own.
    private static func beginsWithLiteral(_ expression: Expression) -> Bool {
        switch expression {
        case .literal: true
        case .isIn(let operand, _), .binary(.has, let operand, _): beginsWithLiteral(operand)
        default: false
        }
    }

    private mutating func write(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws {
        guard !dialect.usesTypedLiterals || symbol != .has && symbol != .divby else {
            throw ODataError(
                .invalidQuery, "Expected no operator \(symbol.rawValue): OData V2 has none.")
        }
        try write(left, parenthesized: left.precedence < symbol.precedence)
        structure(" ")
        data(symbol.rawValue)
        structure(" ")
        try write(right, parenthesized: right.precedence <= symbol.precedence)
    }

    private mutating func write(_ expression: Expression, parenthesized: Bool) throws {
        if parenthesized { structure("(") }
        try write(expression)
        if parenthesized { structure(")") }
    }

    private mutating func write(_ operand: Expression, in members: [Expression]) throws {
        if dialect.usesTypedLiterals { return try write(operand, asAlternatives: members) }
        try write(operand, parenthesized: operand.precedence < BinaryOperator.has.precedence)
        structure(" in ")
        if members.count == 1, members[0].isCollectionOperand {
            return try write(members[0])
        }
        try write(list: members)
    }

    /// V2 has no `in`: equality with each member, and for no member a comparison that is never true.
    private mutating func write(
        _ operand: Expression, asAlternatives members: [Expression]
    ) throws {
        let tests = members.map { Expression.binary(.eq, operand, $0) }
        guard let first = tests.first else {
            return try write(.literal(.boolean(false), .boolean))
        }
        structure("(")
        try write(tests.dropFirst().reduce(first) { .binary(.or, $0, $1) })
        structure(")")
    }

    mutating func write(list: [Expression]) throws {
        structure("(")
        for (index, item) in list.enumerated() {
            if index > 0 { structure(",") }
            try write(item)
        }
        structure(")")
    }
}

extension Scalar {
    /// The type to write a literal as when none was given.
    func literalType(_ dialect: Dialect) -> PrimitiveType {
        switch self {
        case .null: .untyped
        case .boolean: .boolean
        case .integer(let value):
            dialect.usesTypedLiterals && Int32(exactly: value) != nil ? .int32 : .int64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: dialect.usesTypedLiterals ? .time : .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .dateTime: .dateTime
        case .duration: .duration
        case .geo: .geography
        }
    }
}

extension Expression {
    /// Rank of the outermost operator; operands rank above every operator.
    var precedence: Int {
        switch self {
        case .binary(let symbol, _, _): symbol.precedence
        case .unary: BinaryOperator.unaryPrecedence
        case .isIn: BinaryOperator.has.precedence
        default: 9
        }
    }

    /// True for what stands on the right of `in` without parentheses.
    var isCollectionOperand: Bool {
        switch self {
        case .path, .alias, .json, .call, .custom: true
        default: false
        }
    }
}
