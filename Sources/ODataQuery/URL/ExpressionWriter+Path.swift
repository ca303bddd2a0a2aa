import ODataModel
import ODataText

/// Paths, keys, calls and lambda operators (URL Conventions 4.01, sections 4.3.1 and 5.1.1).
extension ExpressionWriter {
    mutating func write(_ path: ExpressionPath) throws {
        var isFirst = true
        switch path.root {
        case .it where path.segments.isEmpty || isInLambda: structure("$it")
        case .it: break
        case .this: structure("$this")
        case .these: structure("$these")
        case .root: structure("$root")
        case .variable(let name): data(name)
        }
        if path.root != .it || isInLambda { isFirst = false }
        for segment in path.segments {
            if case .key(let values) = segment {
                try write(key: values)
                isFirst = false
                continue
            }
            if !isFirst { structure("/") }
            isFirst = false
            switch segment {
            case .property(let name), .typeCast(let name):
                data(name)
            case .annotation(let name):
                structure("@")
                data(name)
            case .function(let name, let arguments):
                data(name)
                try write(arguments: arguments)
            case .filter(let condition):
                structure("$filter(")
                let wasInLambda = isInLambda
                isInLambda = false
                try write(condition)
                isInLambda = wasInLambda
                structure(")")
            case .key:
                break
            }
        }
    }

    mutating func write(key values: [KeyValue]) throws {
        structure("(")
        for (index, value) in values.enumerated() {
            if index > 0 { structure(",") }
            if let name = value.name {
                data(name)
                structure("=")
            }
            try write(value.value)
        }
        structure(")")
    }

    mutating func write(arguments: [NamedArgument]) throws {
        structure("(")
        for (index, argument) in arguments.enumerated() {
            if index > 0 { structure(",") }
            data(argument.name)
            structure("=")
            try write(argument.value)
        }
        structure(")")
    }

    mutating func write(_ function: Function, _ arguments: [Expression]) throws {
        if function == .case { return try write(cases: arguments) }
        if dialect.usesTypedLiterals {
            guard function.isInV2 else {
                throw ODataError(
                    .invalidQuery, "Expected no function \(function.rawValue): OData V2 has none.")
            }
            if function == .contains, arguments.count == 2 {
                structure("substringof")
                return try write(list: [arguments[1], arguments[0]])
            }
        }
        data(function.rawValue)
        try write(list: arguments)
    }

    private mutating func write(cases arguments: [Expression]) throws {
        structure("case(")
        for index in stride(from: 0, to: arguments.count - 1, by: 2) {
            if index > 0 { structure(",") }
            try write(arguments[index])
            structure(":")
            try write(arguments[index + 1])
        }
        structure(")")
    }

    mutating func write(_ name: StaticString, _ operand: Expression?, _ type: String) throws {
        structure(name)
        structure("(")
        if let operand {
            try write(operand)
            structure(",")
        }
        data(dialect.usesTypedLiterals ? "'\(type)'" : type)
        structure(")")
    }

    mutating func write(
        _ symbol: LambdaOperator, _ path: ExpressionPath, _ variable: String,
        _ predicate: Expression?
    ) throws {
        try write(path)
        structure("/")
        data(symbol.rawValue)
        structure("(")
        if let predicate {
            data(variable)
            structure(":")
            let wasInLambda = isInLambda
            isInLambda = true
            try write(predicate)
            isInLambda = wasInLambda
        }
        structure(")")
    }

    mutating func write(count path: ExpressionPath, _ filter: Expression?) throws {
        if path.root != .it || !path.segments.isEmpty {
            try write(path)
            structure("/")
        }
        structure("$count")
        guard let filter else { return }
        structure("($filter=")
        try write(filter)
        structure(")")
    }
}

extension Function {
    /// Functions that the V2 URI conventions, section 4.5, define.
    var isInV2: Bool {
        switch self {
        case .concat, .contains, .endsWith, .indexOf, .length, .startsWith, .substring, .toLower,
            .toUpper, .trim, .replace, .year, .month, .day, .hour, .minute, .second, .ceiling,
            .floor, .round:
            true
        default: false
        }
    }
}
