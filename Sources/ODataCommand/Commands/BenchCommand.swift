import ArgumentParser
import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// `odata bench`: times parts of the library that have no public door; `Benchmarks/run` calls it.
///
/// Prints one line of `name=value` figures, the least of all rounds.
struct BenchCommand: ParsableCommand {
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        /// Reads every token of a JSON file without building values.
        case json
        /// Reads a CSDL document.
        case csdl
        /// Writes and reads a multipart batch of so many parts.
        case batch
        /// The same as a JSON batch.
        case jsonbatch
    }

    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Time one part of the library.", shouldDisplay: false)

    @Argument(help: "What is timed.")
    var subject: Subject

    @Argument(help: "A file, or for batches the number of parts.")
    var input: String

    @Option(name: .long, help: "How often; the fastest counts.")
    var rounds = 20

    func run() throws {
        let work = try self.work()
        var least = Duration.seconds(1_000_000)
        let clock = ContinuousClock()
        var units = 0
        for _ in 0..<max(1, rounds) {
            least = min(least, try clock.measure { units = try work() })
        }
        let parts = least.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        print("seconds=\(seconds) units=\(units) peak_kib=\(Self.peakKiB)")
    }

    private func work() throws -> () throws -> Int {
        switch subject {
        case .json:
            let bytes = try InputFile.bytes(input)
            return { try Self.tokens(of: bytes) }
        case .csdl:
            let bytes = try InputFile.bytes(input)
            return { try CSDLReader.read(bytes).structures.count }
        case .batch:
            let parts = try Self.parts(count)
            return { try Self.multipart(parts) }
        case .jsonbatch:
            let requests = try Self.parts(count).flatMap(\.requests).map {
                JSONBatchRequest(id: $0.contentID ?? "", $0.message)
            }
            return { try JSONBatch.requests(JSONBatch.request(requests).body).count }
        }
    }

    private var count: Int {
        get throws {
            guard let count = Int(input), count > 0 else {
                throw CommandError.badInput("expected the number of parts, found \(input).")
            }
            return count
        }
    }

    /// Looks at every token, as the floor does.
    private static func tokens(of bytes: [UInt8]) throws -> Int {
        try bytes.withUnsafeBytes { buffer in
            var reader = JSONReader(buffer)
            let count = try visit(&reader)
            try reader.finish()
            return count
        }
    }

    private static func visit(_ reader: inout JSONReader) throws -> Int {
        var count = 1
        switch try reader.peek() {
        case .object:
            try reader.beginObject()
            while try reader.nextMember() != nil { count += try visit(&reader) }
        case .array:
            try reader.beginArray()
            while try reader.nextElement() { count += try visit(&reader) }
        case .string: count += try reader.stringSpan().count >= 0 ? 1 : 0
        case .number: count += try reader.numberSpan().count > 0 ? 1 : 0
        case .boolean: count += try reader.readBoolean() ? 1 : 0
        case .null: try reader.readNull()
        }
        return count
    }

    /// Creates with a body of a few hundred bytes.
    private static func parts(_ count: Int) throws -> [BatchPart] {
        let body = Array(#"{"Title":"\#(String(repeating: "x", count: 300))","Price":12.50}"#.utf8)
        return (1...count).map { number in
            .request(
                RequestMessage(
                    method: "POST", url: "Tools", headers: ["Content-Type": "application/json"],
                    body: body), contentID: String(number))
        }
    }

    private static func multipart(_ parts: [BatchPart]) throws -> Int {
        let request = try BatchWriter.request(parts, boundary: "batch_1")
        let answers = try BatchReader.requests(of: request).flatMap(\.requests).map { item in
            BatchResponsePart.response(
                ResponseMessage(
                    status: 201, headers: item.message.headers, body: item.message.body),
                contentID: item.contentID)
        }
        let response = try BatchWriter.response(answers, boundary: "answers_1")
        return try BatchReader.parts(of: response).parts.count
    }

    private static var peakKiB: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
