/// A call in the form of its family: blocking, with a completion handler, or `async`.
struct CallWriter {
    let model: ProxyModel
    let call: ServiceCall

    private static let sending = "headers: headers, options: options"

    func write(_ writer: inout SourceWriter) {
        switch model.options.family {
        case .async: writeAsync(&writer)
        case .result, .legacy:
            writeBlocking(&writer)
            writeCompletion(&writer)
        }
    }

    private func comment(_ writer: inout SourceWriter, _ more: String = "") {
        writer.line()
        writer.comment(call.sentence + more, call.note)
    }

    private func parameters(_ more: [String] = []) -> String {
        (call.parameters + ["headers: HTTPHeaders? = nil", "options: RequestOptions? = nil"] + more)
            .joined(separator: ", ")
    }

    private var arrow: String { call.result.map { " -> \($0)" } ?? "" }

    private func writeThrows(_ writer: inout SourceWriter) {
        writer.line("///")
        writer.line(
            "/// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for."
        )
    }

    private func writeBlocking(_ writer: inout SourceWriter) {
        comment(&writer)
        writeThrows(&writer)
        writer.block("\(model.open)func \(call.name.code)(\(parameters())) throws\(arrow)") {
            $0.line("let call = \(call.query)")
            $0.line("let result = try executeQuery(call, \(Self.sending))")
            $0.line(call.reading)
        }
    }

    private func writeAsync(_ writer: inout SourceWriter) {
        comment(&writer)
        writeThrows(&writer)
        writer.block(
            "\(model.open)func \(call.name.code)(\(parameters())) async throws\(arrow)"
        ) { writer in
            writer.line("let call = \(call.query)")
            guard call.isAction else {
                writer.line("let result = try await executeQuery(call, \(Self.sending))")
                writer.line(call.reading)
                return
            }
            // Actions keep their order.
            writer.block("return try await asyncAction { [self] in", open: "") {
                $0.line("try checkIfCancelled(options?.cancelToken)")
                $0.line(
                    "let result = try ProxyInternal.executeQuery(service: self, query: call,"
                        + " \(Self.sending))")
                $0.line(call.reading)
            }
        }
    }

    private func writeCompletion(_ writer: inout SourceWriter) {
        comment(&writer, " The handler is called on `completionQueue`.")
        writer.line("@preconcurrency")
        let isResult = model.options.family == .result
        let arguments =
            isResult
            ? "Result<\(call.result ?? "Void"), any Error>"
            : call.result.map { "\(optional($0)), (any Error)?" } ?? "(any Error)?"
        let handler = "completionHandler: @escaping @Sendable (\(arguments)) -> Void"
        writer.block("\(model.open)func \(call.name.code)(\(parameters([handler])))") { writer in
            writer.line("let call = \(call.query)")
            let queue = call.isAction ? "asyncAction" : "asyncFunction"
            writer.block("\(queue) { [service = self as BlockingDataService] in", open: "") {
                writer in
                if isResult {
                    writeResult(&writer)
                } else {
                    writeValueAndError(&writer)
                }
            }
        }
    }

    private func optional(_ type: String) -> String { type.hasSuffix("?") ? type : type + "?" }

    private func writeAttempt(_ writer: inout SourceWriter) {
        writer.line("try service.checkIfCancelled(options?.cancelToken)")
        writer.line("let result = try service.executeQuery(call, \(Self.sending))")
    }

    private func writeResult(_ writer: inout SourceWriter) {
        writer.block("let outcome = Result<\(call.result ?? "Void"), any Error>") {
            writeAttempt(&$0)
            $0.line(call.reading)
        }
        writer.line("service.completionQueue.addOperation { completionHandler(outcome) }")
    }

    private func writeValueAndError(_ writer: inout SourceWriter) {
        writer.block("do", tail: "} catch {") { writer in
            writeAttempt(&writer)
            guard call.result != nil else {
                writer.line(call.reading)
                writer.line("service.completionQueue.addOperation { completionHandler(nil) }")
                return
            }
            let value = call.reading.dropFirst("return ".count)
            writer.line("let value = \(value)")
            writer.line("service.completionQueue.addOperation { completionHandler(value, nil) }")
        }
        let nothing = call.result == nil ? "" : "nil, "
        writer.line(
            "    service.completionQueue.addOperation { completionHandler(\(nothing)error) }")
        writer.line("}")
    }
}
