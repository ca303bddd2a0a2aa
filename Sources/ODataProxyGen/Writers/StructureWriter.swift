/// The class of an entity or complex type.
struct StructureWriter {
    let model: ProxyModel
    let structure: ProxyStructure

    private var name: String { structure.typeName }
    private var base: String {
        structure.base ?? (structure.isEntity ? "EntityValue" : "ComplexValue")
    }
    private var typeClass: String { structure.isEntity ? "EntityType" : "ComplexType" }
    private var namespace: String { structure.isEntity ? "EntityTypes" : "ComplexTypes" }
    private var isDerived: Bool { structure.base != nil }

    func write(_ writer: inout SourceWriter) {
        var conformance = structure.isEntity && !isDerived ? ", Identifiable" : ""
        if !isDerived, structure.hasSubtypes { conformance += ", \(model.hierarchy)" }
        writer.comment(
            "The \(structure.isEntity ? "entity" : "complex") type"
                + " `\(SwiftText.comment(structure.qualifiedName))`.", structure.note)
        writer.block(
            "\(model.open)class \(name): \(base)\(conformance), @unchecked Sendable"
        ) { writer in
            writeKept(&writer)
            writeInitialisers(&writer)
            writeClassMembers(&writer)
            for property in structure.properties { write(property, &writer) }
        }
    }

    private func writeKept(_ writer: inout SourceWriter) {
        guard !structure.properties.isEmpty else { return }
        writer.line(
            "// The objects of the properties; a refresh of metadata puts others in their place.")
        writer.block("private enum Kept") { writer in
            let lookup = structure.isEntity ? "entityType" : "complexType"
            writer.line(
                "static let _owner = \(model.parser).document.\(lookup)"
                    + "(withName: \(SwiftText.literal(structure.qualifiedName)))")
            for property in structure.properties {
                writer.line(
                    "static let \(property.member.code) = Mutex(_owner.property"
                        + "(withName: \(SwiftText.literal(property.name))))")
            }
        }
        writer.line()
    }

    private func writeInitialisers(_ writer: inout SourceWriter) {
        let type = "\(model.registry).\(namespace).\(structure.member.code)"
        writer.line(
            "/// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document."
        )
        writer.block("\(model.visible)required init(from decoder: any Decoder) throws") {
            $0.line("try super.init(from: decoder)")
        }
        writer.line()
        writer.line("/// Creates a new one; with defaults, unset properties read as theirs.")
        writer.block(
            "\(model.visible)\(isDerived ? "override " : "")init(withDefaults: Bool = true,"
                + " withIndexMap: SparseIndexMap? = nil)"
        ) {
            $0.line(
                "super.init(withDefaults: withDefaults, type: \(type), withIndexMap: withIndexMap)")
        }
        writer.line()
        guard structure.hasSubtypes else { return }
        writer.line("/// For classes of derived types.")
        writer.block(
            "\(model.visible)override init(withDefaults: Bool, type: \(typeClass)?,"
                + " withIndexMap: SparseIndexMap?)"
        ) {
            $0.line(
                "super.init(withDefaults: withDefaults, type: type, withIndexMap: withIndexMap)")
        }
        writer.line()
    }

    private func writeClassMembers(_ writer: inout SourceWriter) {
        // A class func cannot return arrays of the class that it is called on; the protocol's can.
        if !isDerived, !structure.hasSubtypes {
            let list = structure.isEntity ? "EntityValueList" : "ComplexValueList"
            writer.line("/// The values of a list, which must be of this class.")
            writer.block("\(model.open)class func array(from: \(list)) -> [\(name)]") {
                $0.line("ArrayConverter.convert(from.toArray(), [\(name)]())")
            }
            writer.line()
        }
        let override = isDerived ? "override " : ""
        let (copy, old) =
            structure.isEntity ? ("copyEntity", "oldEntity") : ("copyComplex", "oldComplex")
        writer.line("/// A copy that shares nothing with this one.")
        writer.block("\(model.open)\(override)func copy() -> \(name)") {
            $0.line("CastRequired<\(name)>.from(\(copy)())")
        }
        writer.line()
        writer.line(
            "/// The values before the changes of the app; traps where none were loaded or remembered."
        )
        writer.block("\(model.open)\(override)var old: \(name)") {
            $0.line("CastRequired<\(name)>.from(\(old))")
        }
        writer.line()
        if !isDerived {
            writer.line("/// True: the class is generated.")
            writer.line("\(model.open)override var isProxy: Bool { true }")
            writer.line()
        }
        guard !structure.key.isEmpty else { return }
        writer.line("/// The key of an entity with these values.")
        let parameters = structure.key.map { "\($0.member.code): \($0.type.declared)" }
            .joined(separator: ", ")
        writer.block("\(model.open)class func key(\(parameters)) -> EntityKey") { writer in
            writer.line(
                structure.key.reduce("EntityKey()") { code, part in
                    let value = values(part.type).value(part.member.code)
                    return code
                        + ".with(name: \(SwiftText.literal(part.name)), value: \(value))"
                })
        }
        writer.line()
    }

    private func values(_ type: ProxyType) -> ValueCode {
        ValueCode(type: type, converters: model.converters)
    }

    // MARK: Properties

    private func write(_ property: ProxyProperty, _ writer: inout SourceWriter) {
        let code = property.member.code
        let text = SwiftText.comment(property.name)
        writer.comment("The property `\(text)` in metadata and queries.")
        writer.block("\(model.open)class var \(code): Property") {
            $0.line("get { Kept.\(code).withLock { $0 } }")
            $0.line("set(value) { Kept.\(code).withLock { $0 = value } }")
        }
        writer.line()
        writer.comment("`\(text)`.", property.note)
        let reference = "\(name).\(code)"
        let type = property.type
        if type.shape == .stream {
            writer.block("\(model.open)var \(code): StreamLink") {
                $0.line("\(reference).streamLink(from: self)")
            }
        } else if type.isCollection {
            writeCollection(type, reference, code, &writer)
        } else {
            writeSingle(type, reference, code, &writer)
        }
        writer.line()
    }

    private func writeSingle(
        _ type: ProxyType, _ reference: String, _ code: String, _ writer: inout SourceWriter
    ) {
        var optional = type
        optional.isNullable = true
        let values = values(optional)
        writer.block("\(model.open)var \(code): \(optional.declared)") {
            $0.line("get { \(values.optional("optionalValue(for: \(reference))")) }")
            $0.line(
                "set(value) { setOptionalValue(for: \(reference), to: \(values.value("value"))) }")
        }
    }

    private func writeCollection(
        _ type: ProxyType, _ reference: String, _ code: String, _ writer: inout SourceWriter
    ) {
        let values = values(type)
        let get: String
        let set: String
        switch type.shape {
        case .entity:
            get = values.array("\(reference).entityList(from: self)")
            set = "\(reference).setEntityList(in: self, to: \(values.value("value")))"
        case .complex:
            get = values.array("\(reference).complexList(from: self)")
            set = "\(reference).setComplexList(in: self, to: \(values.value("value")))"
        default:
            get = values.items(
                "(DataValueListWithNulls.castOptional(optionalValue(for: \(reference)))"
                    + " ?? DataValueListWithNulls())")
            set = "setDataValue(for: \(reference), to: \(values.value("value")))"
        }
        writer.block("\(model.open)var \(code): \(type.declared)") {
            $0.line("get { \(get) }")
            $0.line("set(value) { \(set) }")
        }
    }
}
