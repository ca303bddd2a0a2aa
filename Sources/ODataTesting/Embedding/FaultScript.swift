import ODataQuery
import ODataServer
import Synchronization

/// What goes wrong between a client and a service, step by step: each step strikes requests of its kind, and each
/// request meets the first step that still has faults left for it.
///
/// As values, or as text with a step in each line:
///
/// ```
/// # The answer to the first write is lost, then the gateway fails twice.
/// lose-answer write
/// answer 502 write times 2
/// cut-answer GET Orders after 3
/// ```
public struct FaultScript: Sendable, Hashable {
    /// What becomes of a request.
    public enum Fault: Sendable, Hashable {
        /// The connection ends before the request has any effect (`lose-request`).
        case loseRequest
        /// The request takes effect, and the connection ends before the answer (`lose-answer`).
        case loseAnswer
        /// The connection ends in the middle of the answer's body (`cut-answer`).
        case cutAnswer
        /// The request has no effect and gets this answer (`answer STATUS`).
        case answer(status: Int, headers: [String: String] = [:], body: String = "")
    }

    /// A fault and the requests that it strikes; batches count as one request.
    public struct Step: Sendable, Hashable {
        /// What becomes of the requests.
        public var fault: Fault
        /// Methods in capitals; nil for all.
        public var methods: Set<String>?
        /// What the URL contains as it is sent; nil for any.
        public var path: String?
        /// How many such requests pass before.
        public var passing: Int
        /// How many such requests are struck then.
        public var times: Int

        /// A step for the first request of all, unless it is said otherwise.
        ///
        /// - Parameters:
        ///   - fault: What becomes of the requests.
        ///   - methods: Methods in capitals; nil for all.
        ///   - path: A piece of a URL as it is sent, percent-encoded, such as `/WorkOrders`.
        ///   - passing: How many such requests pass before.
        ///   - times: How many such requests are struck then.
        public init(
            _ fault: Fault, methods: Set<String>? = nil, path: String? = nil, passing: Int = 0,
            times: Int = 1
        ) {
            self.fault = fault
            self.methods = methods
            self.path = path
            self.passing = passing
            self.times = times
        }

        /// The methods that change something.
        public static let writes: Set<String> = ["POST", "PUT", "PATCH", "MERGE", "DELETE"]
        /// The methods that change nothing.
        public static let reads: Set<String> = ["GET", "HEAD"]
    }

    /// The steps in order.
    public var steps: [Step]

    /// A script of these steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// A line that is no step.
    public struct SyntaxError: Error, Hashable, CustomStringConvertible {
        /// The line, counted from 1.
        public var line: Int
        /// What was expected there.
        public var description: String
    }

    /// Reads lines of `FAULT [METHOD | read | write | any] [PATH] [after N] [times N]`; `#` begins a comment.
    ///
    /// - Throws: ``SyntaxError`` for a line that is none of these.
    public init(_ text: String) throws {
        steps = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            var words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)[...]
            guard !words.isEmpty else { continue }
            steps.append(try Self.step(&words, line: index + 1))
        }
    }

    private static func step(_ words: inout ArraySlice<String>, line: Int) throws -> Step {
        func expected(_ what: String) -> SyntaxError {
            SyntaxError(line: line, description: "line \(line): expected \(what)")
        }
        func number(_ least: Int) throws -> Int {
            guard let value = words.popFirst().flatMap({ Int($0) }), value >= least else {
                throw expected("a number of \(least) or more")
            }
            return value
        }
        var step: Step
        switch words.popFirst() {
        case "lose-request": step = Step(.loseRequest)
        case "lose-answer": step = Step(.loseAnswer)
        case "cut-answer": step = Step(.cutAnswer)
        case "answer":
            let status = try number(100)
            guard status < 600 else { throw expected("a status") }
            step = Step(.answer(status: status))
        default: throw expected("lose-request, lose-answer, cut-answer or answer")
        }
        if let word = words.first, !["after", "times"].contains(word) {
            switch word {
            case "read": step.methods = Step.reads
            case "write": step.methods = Step.writes
            case "any": step.methods = nil
            case let name where name.allSatisfy(\.isUppercase): step.methods = [name]
            default: throw expected("a method, read, write or any")
            }
            words.removeFirst()
        }
        if let word = words.first, !["after", "times"].contains(word) {
            step.path = word
            words.removeFirst()
        }
        while let word = words.popFirst() {
            switch word {
            case "after": step.passing = try number(0)
            case "times": step.times = try number(1)
            default: throw expected("after or times")
            }
        }
        return step
    }
}

/// A script while it is played.
final class FaultPlayer: Sendable {
    private let script: FaultScript
    /// The requests that each step has met.
    private let met: Mutex<[Int]>

    init(_ script: FaultScript) {
        self.script = script
        met = Mutex(Array(repeating: 0, count: script.steps.count))
    }

    func fault(for request: RequestMessage) -> ServiceObserver.Fault? {
        met.withLock { met in
            for (index, step) in script.steps.enumerated() {
                guard step.methods?.contains(request.method) ?? true,
                    step.path.map({ request.url.contains($0) }) ?? true,
                    met[index] < step.passing + step.times
                else { continue }
                met[index] += 1
                // One that lets this request pass leaves it to the steps behind.
                if met[index] > step.passing { return Self.fault(step.fault) }
            }
            return nil
        }
    }

    private static func fault(_ fault: FaultScript.Fault) -> ServiceObserver.Fault {
        switch fault {
        case .loseRequest: return .loseRequest
        case .loseAnswer: return .loseAnswer
        case .cutAnswer: return .cutAnswer
        case .answer(let status, let headers, let body):
            var fields = HeaderFields()
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[name] = value }
            return .answer(
                ResponseMessage(status: status, headers: fields, body: Array(body.utf8)))
        }
    }
}
