import Foundation
import GRDB
import ODataSQL
import ODataText

extension SQLArgument {
    /// The value as GRDB binds it.
    var databaseValue: DatabaseValue {
        switch self {
        case .null, .parentRows: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): Data(value).databaseValue
        }
    }

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        case .double(let value): self = .real(value)
        case .string(let value): self = .text(value)
        case .blob(let value): self = .blob(Array(value))
        }
    }
}

extension StatementArguments {
    init(_ arguments: [SQLArgument]) {
        self.init(arguments.map { $0.databaseValue })
    }
}
