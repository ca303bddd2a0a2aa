/// What creates a new entity, and the initialisers of complex values.
struct DraftWriter {
    let model: StructModel
    let declaration: StructDeclaration
    let draft: StructDraft

    private var visible: String { model.visible }

    func write(_ writer: inout SourceWriter) {
        writer.line("/// A new one, with what the service does not make itself.")
        writer.block("\(visible)nonisolated struct Draft: EntityDraft") { writer in
            writer.line("/// What it becomes.")
            writer.line("\(visible)typealias Target = \(declaration.typeName)")
            for part in draft.parts {
                let text = SwiftText.comment(part.name)
                writer.line("/// `\(text)`\(part.note.isEmpty ? "." : ": \(part.note)")")
                writer.line("\(visible)var \(part.member.code): \(stored(part))")
            }
            for link in draft.links {
                writer.line("/// `\(SwiftText.comment(link.name))`.")
                writer.line("\(visible)var \(link.member.code): Ref<\(link.target)>?")
            }
            for child in draft.children {
                writer.line("/// New ones in `\(SwiftText.comment(child.name))`.")
                writer.line("\(visible)var \(child.member.code): \(type(child))")
            }
            if declaration.isOpen {
                writer.line("/// What it has beside its declared properties.")
                writer.line("\(visible)var dynamic = DynamicProperties()")
            }
            writer.line()
            writeInitialisers(&writer)
            writer.line()
            writeValues(&writer)
        }
    }

    // MARK: Initialisers

    /// One with links, and one with the foreign keys that they stand for.
    func writeInitialisers(_ writer: inout SourceWriter) {
        if draft.links.contains(where: \.isAlternative) {
            writer.line("/// With links to what it belongs to.")
            writeInitialiser(byLinks: true, &writer)
            writer.line()
            writer.line("/// With the keys of what it belongs to.")
            writeInitialiser(byLinks: false, &writer)
        } else {
            writer.line(
                declaration.isEntity
                    ? "/// What is left out is left to the service."
                    : "/// A value with these parts.")
            writeInitialiser(byLinks: false, &writer)
        }
    }

    private func writeInitialiser(byLinks: Bool, _ writer: inout SourceWriter) {
        var first: [String] = []
        var rest: [String] = []
        var members: [SwiftName] = []
        var linked: Set<String> = []
        for part in draft.parts {
            switch part.need {
            case .required: first.append("\(part.member.code): \(part.type.code)")
            case .defaulted(let code):
                rest.append("\(part.member.code): \(part.type.code) = \(code)")
            case .optional: rest.append("\(part.member.code): \(part.type.optional) = nil")
            case .unless(let name):
                guard byLinks else {
                    first.append("\(part.member.code): \(part.type.code)")
                    break
                }
                // One link may stand for several.
                guard linked.insert(name).inserted,
                    let link = draft.links.first(where: { $0.name == name })
                else { continue }
                first.append("\(link.member.code): Ref<\(link.target)>")
                members.append(link.member)
                continue
            }
            members.append(part.member)
        }
        for link in draft.links where !linked.contains(link.name) && declaration.isEntity {
            if link.isAlternative, !byLinks { continue }
            rest.append("\(link.member.code): Ref<\(link.target)>? = nil")
            members.append(link.member)
        }
        for child in draft.children {
            rest.append(
                "\(child.member.code): \(type(child)) = \(child.isCollection ? "[]" : "nil")")
            members.append(child.member)
        }
        let parameters = first + rest
        writer.line("\(visible)init(")
        for (index, parameter) in parameters.enumerated() {
            writer.line("    " + parameter + (index == parameters.count - 1 ? "" : ","))
        }
        writer.block(")") { writer in
            for member in members { writer.line("self.\(member.code) = \(member.code)") }
        }
    }

    private func type(_ child: StructDraft.Child) -> String {
        child.isCollection ? "[\(child.target).Draft]" : "\(child.target).Draft?"
    }

    private func stored(_ part: StructDraft.Part) -> String {
        switch part.need {
        case .required, .defaulted: part.type.code
        case .optional, .unless: part.type.optional
        }
    }

    // MARK: Writing

    private func writeValues(_ writer: inout SourceWriter) {
        let names = Set(
            draft.parts.map(\.member.text) + draft.links.map(\.member.text)
                + draft.children.map(\.member.text))
        let values = names.contains("values") ? "_values" : "values"
        writer.line("/// Says what is known of the new one.")
        writer.block("\(visible)func write(to \(values): inout Values)") { writer in
            for part in draft.parts {
                let name = SwiftText.literal(part.name)
                switch part.need {
                case .required, .defaulted:
                    writer.line("\(values).set(\(name), \(part.member.code))")
                case .optional, .unless:
                    writer.line("\(values).set(\(name), ifPresent: \(part.member.code))")
                }
            }
            for link in draft.links {
                writer.line(
                    "if let \(link.member.code) { \(values).set(\(SwiftText.literal(link.name)),"
                        + " Link(to: \(link.member.code))) }")
            }
            for child in draft.children {
                writer.line(
                    "\(values).insert(\(SwiftText.literal(child.name)), \(child.member.code))")
            }
            if declaration.isOpen { writer.line("\(values).set(dynamic: dynamic)") }
        }
    }
}
