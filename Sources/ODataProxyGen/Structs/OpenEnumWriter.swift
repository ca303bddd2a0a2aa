/// The struct of an enumeration type: members that nobody knew are values, too.
struct OpenEnumWriter {
    let model: StructModel
    let declaration: OpenEnumDeclaration

    private var name: String { declaration.typeName }
    private var visible: String { model.visible }

    func write(_ writer: inout SourceWriter) {
        writer.comment(
            "The enumeration type `\(SwiftText.comment(declaration.qualifiedName))`.",
            declaration.note)
        let kind = declaration.isFlags ? "OpenEnum, OptionSet" : "OpenEnum"
        let raw = declaration.isFlags ? "Int" : "String"
        writer.block("\(visible)nonisolated struct \(name): \(kind)") { writer in
            writer.line(
                declaration.isFlags
                    ? "/// The number of the value." : "/// The name of the member.")
            writer.line("\(visible)let rawValue: \(raw)")
            writer.line("/// The value with this \(declaration.isFlags ? "number" : "name").")
            writer.line("\(visible)init(rawValue: \(raw)) { self.rawValue = rawValue }")
            for member in declaration.members { write(member, &writer) }
        }
    }

    private func write(_ member: EnumerationMember, _ writer: inout SourceWriter) {
        let text = "/// `\(SwiftText.comment(member.name))`"
        // Of two names of one value the service writes the first; an empty set as a constant is a mistake in the eyes of the
        // compiler.
        if let alias = member.alias {
            writer.line(text + ", another name of the same value.")
            writer.line(
                "\(visible)static var \(member.member.code): \(name) { \(name).\(alias.code) }")
        } else if declaration.isFlags {
            writer.line(text + ".")
            writer.line(
                "\(visible)static var \(member.member.code): \(name) { \(name)(rawValue: \(member.value)) }"
            )
        } else {
            writer.line(text + ".")
            writer.line(
                "\(visible)static let \(member.member.code) = \(name)(rawValue: \(SwiftText.literal(member.name)))"
            )
        }
    }
}
