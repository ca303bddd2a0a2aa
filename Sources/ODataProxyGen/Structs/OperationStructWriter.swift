/// The struct of an action or a function.
struct OperationStructWriter {
    let model: StructModel
    let declaration: OperationDeclaration

    private var visible: String { model.visible }

    func write(_ writer: inout SourceWriter) {
        writer.comment(
            "The \(declaration.isAction ? "action" : "function")"
                + " `\(SwiftText.comment(declaration.name))`, for `OfflineStore.call`.",
            declaration.note)
        writer.block("\(visible)nonisolated struct \(declaration.typeName): RemoteOperation") {
            writer in
            writer.line("/// By which the service finds it.")
            writer.line("\(visible)static let name = \(SwiftText.literal(declaration.name))")
            writeTarget(&writer)
            for parameter in declaration.parameters {
                writer.line("/// `\(SwiftText.comment(parameter.name))`.")
                writer.line(
                    "\(visible)var \(parameter.member.code): \(parameter.type.code)")
            }
            writer.line()
            writeInitialiser(&writer)
            writeArguments(&writer)
            writeResult(&writer)
        }
    }

    private func writeTarget(_ writer: inout SourceWriter) {
        switch declaration.target {
        case .service: return
        case .all(let name):
            writer.line("/// What it is called on.")
            writer.line(
                "\(visible)var target: OperationTarget { OperationTarget.all(\(name).self) }")
        case .entity, .any:
            writer.line("/// What it is called on.")
            writer.line("\(visible)let target: OperationTarget")
        }
    }

    private func writeInitialiser(_ writer: inout SourceWriter) {
        var parameters: [String] = []
        switch declaration.target {
        case .service, .all: break
        case .entity(let name): parameters.append("on entity: Ref<\(name)>")
        case .any: parameters.append("on target: OperationTarget")
        }
        let needed = declaration.parameters.filter { !$0.type.isOptional }
        let others = declaration.parameters.filter(\.type.isOptional)
        parameters += needed.map { "\($0.member.code): \($0.type.code)" }
        parameters += others.map { "\($0.member.code): \($0.type.code) = nil" }
        writer.line("/// A call with these parameters.")
        writer.block("\(visible)init(\(parameters.joined(separator: ", ")))") { writer in
            switch declaration.target {
            case .service, .all: break
            case .entity: writer.line("target = OperationTarget.entity(entity)")
            case .any: writer.line("self.target = target")
            }
            for parameter in declaration.parameters {
                writer.line("self.\(parameter.member.code) = \(parameter.member.code)")
            }
        }
    }

    private func writeArguments(_ writer: inout SourceWriter) {
        guard !declaration.parameters.isEmpty else { return }
        let isTaken = declaration.parameters.contains { $0.member.text == "arguments" }
        let arguments = isTaken ? "_arguments" : "arguments"
        writer.line()
        writer.line("/// Says what the parameters are.")
        writer.block("\(visible)func write(to \(arguments): inout Values)") { writer in
            for parameter in declaration.parameters {
                let label = parameter.type.isOptional ? "ifPresent: " : ""
                writer.line(
                    "\(arguments).set(\(SwiftText.literal(parameter.name)), \(label)\(parameter.member.code))"
                )
            }
        }
    }

    private func writeResult(_ writer: inout SourceWriter) {
        let (type, reading): (String, String)
        switch declaration.result {
        case .nothing: return
        case .value(let value): (type, reading) = (value.code, "try answer.value()")
        case .entity(let name): (type, reading) = (name + "?", "try answer.entity()")
        case .entities(let name): (type, reading) = ("[\(name)]", "try answer.entities()")
        }
        writer.line()
        writer.line("/// Reads what the service answered.")
        writer.block(
            "\(visible)static func result(_ answer: OperationAnswer) throws(ODataError) -> \(type)"
        ) { $0.line(reading) }
    }
}
