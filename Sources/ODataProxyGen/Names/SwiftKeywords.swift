/// Words that are identifiers in back-ticks only, and those that are none even so.
package enum SwiftKeywords {
    package static let all: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
        "init", "inout", "internal", "let", "open", "operator", "private", "precedencegroup",
        "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var",
        "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough",
        "for",
        "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as",
        "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
        "async", "actor", "any", "some", "each", "consume", "copy", "borrowing", "consuming",
        "sending", "macro", "package", "nonisolated", "isolated", "unowned", "weak",
        "lazy", "final", "override", "required", "optional", "dynamic", "mutating", "convenience",
        "get", "set", "willSet", "didSet", "discard", "then", "unsafe",
    ]
}
