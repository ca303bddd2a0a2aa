import ODataModel
import ODataQuery
import ODataText

/// `cast(enumeration,Edm.String)` (URL Conventions 4.01, section 5.1.1.10.1).
extension ExpressionCompiler {
    /// The names of members, the number where none fits, as literals spell them (ABNF `enumValue`).
    func memberText(_ term: SQLTerm, _ type: EnumerationDefinition) throws -> SQLTerm {
        let value = term.sql
        var sql: SQLText = "CASE"
        for member in type.members {
            let number = SQLText(raw: String(member.value))
            sql.append(" WHEN \(value) = \(number) THEN \(argument: .text(member.name))")
        }
        if type.isFlags, let (rest, names) = try combination(value, type) {
            sql.append(" WHEN \(value) > 0 AND \(rest) = 0 THEN substr(\(names), 2)")
        }
        sql.append(" WHEN \(value) IS NOT NULL THEN \(dialect.text(value)) END")
        return SQLTerm(sql, .string)
    }

    /// What no member covers, and the names with a comma before each; members of several bits go first, and what they
    /// cover is not named again.
    private func combination(
        _ value: SQLText, _ type: EnumerationDefinition
    ) throws -> (rest: SQLText, names: SQLText)? {
        let members = type.members.filter { $0.value > 0 }.enumerated().sorted {
            let (left, right) = ($0.element.value.nonzeroBitCount, $1.element.value.nonzeroBitCount)
            return left == right ? $0.offset < $1.offset : left > right
        }.map(\.element)
        guard !members.isEmpty else { return nil }
        var (rest, names): (SQLText, SQLText) = (value, "''")
        var (conditions, sizes): ([SQLText], [Int]) = ([], [])
        for member in members {
            let bits = SQLText(raw: String(member.value))
            var condition: SQLText = "(\(value) & \(bits)) = \(bits)"
            var size = 1
            for (index, other) in members[..<conditions.count].enumerated()
            where other.value & member.value != 0 {
                condition = "\(condition) AND NOT (\(conditions[index]))"
                size += sizes[index]
            }
            guard size <= Self.maximumMemberTests else {
                throw Self.notImplemented(
                    "cast of members that share so many bits", at: type.qualifiedName)
            }
            conditions.append(condition)
            sizes.append(size)
            let name = SQLText(argument: .text("," + member.name))
            names = "\(names) || CASE WHEN \(condition) THEN \(name) ELSE '' END"
            rest = "\(rest) - CASE WHEN \(condition) THEN \(bits) ELSE 0 END"
        }
        return ("(\(rest))", "(\(names))")
    }

    /// Tests of bits that one member may take.
    private static let maximumMemberTests = 64
}
