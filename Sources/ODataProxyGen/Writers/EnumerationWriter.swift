/// The Swift type of an enumeration, and its converter.
struct EnumerationWriter {
    let model: ProxyModel
    let enumeration: ProxyEnumeration

    private var name: String { enumeration.typeName }
    private var type: String { "\(model.registry).EnumTypes.\(enumeration.member.code)" }

    func write(_ writer: inout SourceWriter) {
        writer.comment(
            "The enumeration type `\(SwiftText.comment(enumeration.qualifiedName))`.",
            enumeration.note)
        if enumeration.isOptionSet {
            writeOptionSet(&writer)
        } else {
            writeEnum(&writer)
        }
    }

    private func writeEnum(_ writer: inout SourceWriter) {
        writer.block("\(model.visible)enum \(name): Int, Sendable, CaseIterable") { writer in
            for member in enumeration.members where member.alias == nil {
                writer.line("/// `\(SwiftText.comment(member.name))`.")
                writer.line("case \(member.member.code) = \(member.value)")
            }
            for member in enumeration.members {
                guard let alias = member.alias else { continue }
                writer.line(
                    "/// `\(SwiftText.comment(member.name))`, another name of the same value.")
                writer.line(
                    "\(model.visible)static var \(member.member.code): \(name) { .\(alias.code) }")
            }
            writer.line()
            writeValue(&writer)
        }
    }

    private func writeOptionSet(_ writer: inout SourceWriter) {
        writer.block("\(model.visible)struct \(name): OptionSet, Sendable") { writer in
            writer.line("/// The number of the value.")
            writer.line("\(model.visible)let rawValue: Int")
            writer.line()
            writer.line("/// The value with this number.")
            writer.line("\(model.visible)init(rawValue: Int) { self.rawValue = rawValue }")
            writer.line()
            for member in enumeration.members {
                writer.line("/// `\(SwiftText.comment(member.name))`.")
                // A value of zero as a constant is a mistake in the eyes of the compiler.
                writer.line(
                    "\(model.visible)static var \(member.member.code): \(name)"
                        + " { \(name)(rawValue: \(member.value)) }")
            }
            writer.line()
            writeValue(&writer)
        }
    }

    private func writeValue(_ writer: inout SourceWriter) {
        writer.line("/// The value as the library has it.")
        writer.line(
            "\(model.visible)var enumValue: EnumValue { \(type).withInt(rawValue) }")
    }

    func writeConverter(_ writer: inout SourceWriter) {
        writer.line("/// Between `\(name)` and values of the library.")
        writer.block("\(model.visible)enum \(enumeration.converter)") { writer in
            let read =
                enumeration.isOptionSet
                ? "value.map { \(name)(rawValue: EnumValue.castRequired($0).intValue()) }"
                : "value.flatMap { \(name)(rawValue: EnumValue.castRequired($0).intValue()) }"
            writer.line("/// Nil for nil, and for a value that no member has.")
            writer.block(
                "\(model.visible)static func fromOptionalEnumValue(_ value: DataValue?) -> \(name)?"
            ) { $0.line(read) }
            writer.line()
            writer.line("/// Traps for nil, and for a value that no member has.")
            writer.block(
                "\(model.visible)static func fromRequiredEnumValue(_ value: DataValue?) -> \(name)"
            ) {
                $0.block(
                    "guard let result = fromOptionalEnumValue(value) else"
                ) {
                    $0.line("preconditionFailure(\"Expected a value of \(name).\")")
                }
                $0.line("return result")
            }
            writer.line()
            writer.line("/// Nil for nil.")
            writer.block(
                "\(model.visible)static func toOptionalEnumValue(_ value: \(name)?) -> EnumValue?"
            ) { $0.line("value?.enumValue") }
            writer.line()
            writer.line("/// The value of the library.")
            writer.block(
                "\(model.visible)static func toRequiredEnumValue(_ value: \(name)) -> EnumValue"
            ) { $0.line("value.enumValue") }
        }
    }
}
