import Foundation
import ODataTesting
import Testing

/// The judge and its profiles: `ODATA_PROFILES`, or `../shared/profiles` beside the package.
private enum JudgePlace {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["ODATA_PROFILES"] {
            return URL(fileURLWithPath: path)
        }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appendingPathComponent("shared/profiles")
    }()

    static let isThere = FileManager.default.isExecutableFile(
        atPath: folder.appendingPathComponent("judge").path)
}

/// The judge of the shared profiles plays its scenarios with the built command, without the single faults, against five
/// profiles; which five changes from day to day, so that five days see all of them.
@Suite(.enabled(if: JudgePlace.isThere, "no judge at ODATA_PROFILES or ../shared/profiles"))
struct JudgeTests {
    /// `ODATA_JUDGE_DAY` repeats the choice of another day.
    private static func profiles() throws -> (day: Int, names: [String]) {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: JudgePlace.folder.appendingPathComponent("profiles").path)
        let all = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        let day =
            ProcessInfo.processInfo.environment["ODATA_JUDGE_DAY"].flatMap(Int.init)
            ?? Int(Date().timeIntervalSince1970 / 86_400)
        return (day, (0..<min(5, all.count)).map { all[(day * 5 + $0) % all.count] })
    }

    /// Children of a test inherit its threads' blocked signals, and the judge ends its services by SIGTERM.
    private static let unmasked = """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
        """

    @Test func fiveProfilesOfTheDayAreServedWithoutLossDoubleOrDifference() async throws {
        let (day, names) = try Self.profiles()
        // The judge runs the command for minutes; a build beside it must not take it away.
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-judged-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let command = place.appendingPathComponent("odata").path
        try FileManager.default.copyItem(atPath: Child.command, toPath: command)
        var arguments = ["python3", "-c", Self.unmasked]
        arguments.append(JudgePlace.folder.appendingPathComponent("judge").path)
        arguments += ["--odata", command, "--quick"]
        arguments += ["--work", place.appendingPathComponent("work").path]
        for name in names { arguments += ["--profile", name] }
        let sent = arguments
        // The call blocks, and the cooperative pool must not.
        let result = try await onOwnThread {
            try Child.run("/usr/bin/env", sent, atMost: .seconds(540))
        }
        let verdict = result.output.split(separator: "\n").last { $0.hasPrefix("judge:") } ?? ""
        print("figure: \(verdict) (day \(day): \(names.joined(separator: ", ")))")
        let failed = result.output.split(separator: "\n").filter { $0.contains(" FAILS ") }
        #expect(result.status == 0, "\(failed.joined(separator: "\n"))\n\(result.errors)")
        #expect(verdict.hasSuffix(" 0 failed"))
        let passed = verdict.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        #expect(passed >= names.count * 5, "\(verdict)")
    }
}
