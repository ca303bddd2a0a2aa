/// The struct of an entity set or a complex type.
struct StructWriter {
    let model: StructModel
    let declaration: StructDeclaration

    private var name: String { declaration.typeName }
    private var visible: String { model.visible }

    func write(_ writer: inout SourceWriter) {
        writer.comment(sentence, declaration.note)
        writer.block("\(visible)nonisolated struct \(name): \(conformances)") { writer in
            for omission in declaration.omissions { writer.line("// " + capitalised(omission)) }
            writeProperties(&writer)
            writeInitialiser(&writer)
            writer.line()
            writeValues(&writer)
            writer.line()
            FieldsWriter(model: model, declaration: declaration).write(&writer)
            guard let draft = declaration.draft else { return }
            writer.line()
            let drafts = DraftWriter(model: model, declaration: declaration, draft: draft)
            if declaration.isEntity {
                drafts.write(&writer)
            } else {
                drafts.writeInitialisers(&writer)
            }
        }
    }

    private var sentence: String {
        let type = "`\(SwiftText.comment(declaration.qualifiedName))`"
        guard case .entity(let set, _) = declaration.kind else {
            return "The complex type \(type)."
        }
        return "An entity of `\(SwiftText.comment(set))`, of type \(type)."
    }

    private var conformances: String {
        guard declaration.isEntity else { return "ComplexValue" }
        let entity = declaration.isOpen ? "OpenEntity" : "Entity"
        return isIdentifiable ? entity + ", Identifiable" : entity
    }

    private var isIdentifiable: Bool {
        declaration.isEntity && !declaration.memberNames.contains("id")
    }

    private func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    // MARK: Properties

    private func writeProperties(_ writer: inout SourceWriter) {
        if case .entity(let set, let derived) = declaration.kind {
            writer.line("/// Where it is.")
            writer.line("\(visible)static let entitySet = \(SwiftText.literal(set))")
            if let derived {
                writer.line("/// What makes it one of these among the entities there.")
                writer.line(
                    "\(visible)static let typeName: String? = \(SwiftText.literal(derived))")
            }
            writer.line("/// Which entity it is, whatever key it has or gets.")
            writer.line("\(visible)let ref: Ref<\(name)>")
            writer.line("/// Its entity tag, and what of it waits or was refused.")
            writer.line("\(visible)let row: RowInfo")
            if isIdentifiable {
                writer.line("/// Its `ref`.")
                writer.line("\(visible)var id: Ref<\(name)> { ref }")
            }
        }
        for property in declaration.properties {
            let isVariable = property.isChangeable || !declaration.isEntity
            writer.line("/// " + comment(property.name, property.note))
            writer.line(
                "\(visible)\(isVariable ? "var" : "let") \(property.member.code): \(property.type.code)"
                    + (isEmptyAtFirst(property) ? " = []" : ""))
        }
        for link in declaration.links {
            writer.line("/// " + comment(link.name, link.note))
            writer.line(
                "\(visible)\(link.isChangeable ? "var" : "let") \(link.member.code):"
                    + " \(link.isCollection ? "Links" : "Link")<\(link.target)>")
        }
        for stream in declaration.streams {
            let text = stream.name.map { comment($0, stream.note) }
            writer.line("/// " + (text ?? "Which content it has."))
            writer.line("\(visible)let \(stream.member.code): MediaStream")
        }
        if declaration.isOpen {
            writer.line("/// What it has beside its declared properties.")
            writer.line("\(visible)var dynamic: DynamicProperties")
        }
        writer.line()
    }

    /// A list in a complex value that no initialiser says, because only the service does.
    private func isEmptyAtFirst(_ property: StructProperty) -> Bool {
        !declaration.isEntity && property.type.isCollection
            && !(declaration.draft?.parts.contains { $0.name == property.name } ?? false)
    }

    private func comment(_ name: String, _ note: String) -> String {
        "`\(SwiftText.comment(name))`" + (note.isEmpty ? "." : ": \(note)")
    }

    // MARK: Reading and writing

    private func writeInitialiser(_ writer: inout SourceWriter) {
        let row = parameter("row")
        writer.line("/// Reads a row of the store.")
        writer.block("\(visible)init(_ \(row): Row) throws(ODataError)") { writer in
            if declaration.isEntity {
                writer.line("ref = row.ref()")
                writer.line("self.row = row.info")
            }
            for property in declaration.properties {
                writer.line(
                    "\(property.member.code) = try \(row).value(\(SwiftText.literal(property.name)))"
                )
            }
            for link in declaration.links {
                writer.line(
                    "\(link.member.code) = try \(row).\(link.isCollection ? "links" : "link")"
                        + "(\(SwiftText.literal(link.name)))")
            }
            for stream in declaration.streams {
                let call =
                    stream.name.map { "stream(\(SwiftText.literal($0)), of: \(name).self)" }
                    ?? "content(of: \(name).self)"
                writer.line("\(stream.member.code) = try \(row).\(call)")
            }
            if declaration.isOpen {
                writer.line("dynamic = \(row).dynamic")
            }
        }
    }

    private func writeValues(_ writer: inout SourceWriter) {
        let values = parameter("values")
        writer.line("/// Says what may be changed.")
        let head = "\(visible)func write(to \(values): inout Values)"
        let changed =
            declaration.isEntity
            ? declaration.properties.filter(\.isChangeable).map { ($0.name, "", $0.member) }
                + declaration.links.filter(\.isChangeable).map { ($0.name, "", $0.member) }
            : parts
        guard !changed.isEmpty || declaration.isOpen else {
            writer.line(head + " {}")
            return
        }
        writer.block(head) { writer in
            for (name, label, member) in changed {
                writer.line("\(values).set(\(SwiftText.literal(name)), \(label)\(member.code))")
            }
            if declaration.isOpen { writer.line("\(values).set(dynamic: dynamic)") }
        }
    }

    /// What a complex value says is all that its initialiser takes: it is always written as a whole.
    private var parts: [(String, String, SwiftName)] {
        (declaration.draft?.parts ?? []).map { part in
            // Left out, and no null where the service makes the value of what must have one.
            let isLeftOut = part.need == .optional && !part.type.isOptional
            return (part.name, isLeftOut ? "ifPresent: " : "", part.member)
        }
    }

    /// Members begin with an underscore only before a digit.
    private func parameter(_ name: String) -> String {
        declaration.memberNames.contains(name) ? "_" + name : name
    }
}

/// What queries may ask for.
struct FieldsWriter {
    let model: StructModel
    let declaration: StructDeclaration

    func write(_ writer: inout SourceWriter) {
        let visible = model.visible
        let path = declaration.memberNames.contains("path") ? "_path" : "path"
        writer.line("/// What queries may ask for.")
        writer.block("\(visible)nonisolated struct Fields: FieldSet") { writer in
            writer.line("private let \(path): FieldPath")
            writer.line("/// The properties of what the path leads to.")
            writer.line("\(visible)init(_ path: FieldPath) { self.\(path) = path }")
            for property in declaration.properties {
                let isNested = property.type.isComplex && !property.type.isCollection
                let type =
                    isNested ? "\(property.type.base).Fields" : "Field<\(property.type.code)>"
                writeField(
                    property.member, property.name, type, isNested ? "complex" : "field", path,
                    &writer)
            }
            for link in declaration.links {
                writeField(
                    link.member, link.name,
                    "\(link.isCollection ? "ToMany" : "ToOne")<\(link.target)>",
                    link.isCollection ? "toMany" : "toOne", path, &writer)
            }
            for derived in declaration.derived { write(derived, path, &writer) }
            guard declaration.isOpen else { return }
            writer.line("/// A property that is not declared.")
            writer.block(
                "\(visible)func dynamic<Value: FieldValue>(_ name: String, as type: Value.Type)"
                    + " -> Field<Value?>"
            ) { $0.line("\(path).dynamic(name)") }
        }
    }

    private func write(
        _ derived: StructDeclaration.Derived, _ path: String, _ writer: inout SourceWriter
    ) {
        let name = SwiftText.literal(derived.qualifiedName)
        writer.line("/// What `\(derived.typeName)` adds.")
        writer.line(
            "\(model.visible)var \(derived.member.code): \(derived.typeName).Fields"
                + " { \(path).derived(\(name)) }")
        writer.line("/// Whether it is a `\(derived.typeName)`.")
        writer.line(
            "\(model.visible)var \(derived.isMember.code): Condition { \(path).isOf(\(name)) }")
    }

    private func writeField(
        _ member: SwiftName, _ name: String, _ type: String, _ call: String, _ path: String,
        _ writer: inout SourceWriter
    ) {
        writer.line("/// `\(SwiftText.comment(name))`.")
        writer.line(
            "\(model.visible)var \(member.code): \(type) { \(path).\(call)(\(SwiftText.literal(name))) }"
        )
    }
}
