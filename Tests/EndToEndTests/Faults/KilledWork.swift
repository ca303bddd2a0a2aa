import ChildFixture
import Foundation
import ODataTesting

/// A child that does one piece of work at a store and is killed; knows how long it takes when it is not.
final class KilledWork {
    private let place: KillPlace
    private let defect: String
    /// Of the last one that came to its end.
    private(set) var microseconds = 200_000
    private(set) var operations = 8

    init(_ place: KillPlace, defect: String) {
        self.place = place
        self.defect = defect
    }

    /// A trap that never opens.
    static let never = KillingWorld.Trap(point: "never", passages: 1)

    func start(
        _ words: [String], _ trap: KillingWorld.Trap, key: String? = nil
    ) throws -> Running {
        let output = try place.emptyFile("output-" + UUID().uuidString)
        return Running(
            process: try ChildProcess(
                Child.killChild, words + trap.words,
                environment: ["ODATA_PLANTED_DEFECT": defect, "ODATA_STORE_KEY": key ?? ""],
                output: .file(output), errors: .output), output: output)
    }

    struct Running {
        let process: ChildProcess
        let output: URL
    }

    /// - Returns: whether it was killed.
    /// - Throws: ``KillLoss`` when it ended otherwise than by the kill or well.
    @discardableResult
    func wait(for running: Running) throws -> Bool {
        let end = try running.process.wait(atMost: .seconds(120))
        let text = try String(contentsOf: running.output, encoding: .utf8)
        try FileManager.default.removeItem(at: running.output)
        switch end {
        case .signal(SIGKILL): return true
        case .exit(0):
            let words = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            if words.count == 2 { (microseconds, operations) = (words[0], words[1]) }
            return false
        default: throw KillLoss("the child ended with \(end): \(text.suffix(300))")
        }
    }
}
