/// The names of one place, each given once.
package struct NameScope {
    private var taken: Set<String>
    /// File names come from type names, and some file systems do not tell cases apart.
    private let ignoresCase: Bool
    private var numbers: [String: Int] = [:]

    /// - Parameter reserved: Names that are taken before the first; who asks for one gets it with an underscore.
    package init(reserved: Set<String> = [], ignoresCase: Bool = false) {
        self.ignoresCase = ignoresCase
        taken = ignoresCase ? Set(reserved.map { $0.lowercased() }) : reserved
        self.reserved = taken
    }

    private let reserved: Set<String>

    private func key(_ name: String) -> String { ignoresCase ? name.lowercased() : name }

    /// The name itself, with an underscore where it is reserved, with a number where another one has it.
    package mutating func give(_ name: String) -> SwiftName {
        let base = reserved.contains(key(name)) ? name + "_" : name
        var candidate = base
        var number = numbers[key(base)] ?? 0
        while !taken.insert(key(candidate)).inserted {
            number += 1
            candidate = base + String(number)
        }
        numbers[key(base)] = number
        return SwiftName(candidate)
    }
}

extension ReservedNames {
    /// Names of types that members may have, too: in scripts without capitals the two are spelled alike, and a member hides
    /// the type where it is declared.
    static func uncased(_ types: some Sequence<String>) -> Set<String> {
        Set(types.filter { !($0.first?.isUppercase ?? false) })
    }
}
