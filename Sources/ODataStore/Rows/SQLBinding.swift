import Foundation
import GRDB
import ODataSQL
import ODataText

extension SQLArgument {
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
