import CSQLiteSettings
import FieldSimulation
import Foundation

// Runs schedules of the field simulation from a seed on and prints what they found, or how many schedules it takes to find each
// planted defect.
//
// usage: Simulate FIRST COUNT [story|shrink]
//        Simulate defects COUNT
let arguments = ProcessInfo.processInfo.arguments
// A lock for each piece of memory is a part of the time that one notices.
_ = odata_keep_no_memory_statistics()
let thread = Thread {
    let count = arguments.count > 2 ? UInt64(arguments[2]) ?? 100 : 100
    if arguments.count > 1, arguments[1] == "defects" {
        exit(findDefects(atMost: count) ? 0 : 1)
    }
    let first = arguments.count > 1 ? UInt64(arguments[1]) ?? 1 : 1
    exit(run(first..<first + count, arguments.count > 3 ? arguments[3] : "") ? 0 : 1)
}
thread.stackSize = 8 << 20
thread.start()
while true { sleep(1_000) }

/// - Returns: whether nothing was found.
func run(_ seeds: Range<UInt64>, _ how: String) -> Bool {
    var total = FieldOutcome()
    var found = 0
    let clock = ContinuousClock()
    let begin = clock.now
    for seed in seeds {
        do {
            let schedule = FieldSchedule(seed: seed)
            let outcome = try FieldSimulation.run(schedule)
            total.add(outcome)
            // A run of hours that ends early has said how far it came.
            let count = seed - seeds.lowerBound + 1
            if count % 10_000 == 0 { say("so far \(count): \(total.text)") }
            if how == "story" { say(outcome.story.joined(separator: "\n")) }
            guard let finding = outcome.findings.first else { continue }
            found += 1
            say("seed \(seed): \(finding)")
            guard how == "shrink" else { continue }
            say(
                try FieldSimulation.story(of: schedule, attempts: 400)?.joined(separator: "\n")
                    ?? "")
        } catch {
            found += 1
            say("seed \(seed) ended with \(error)")
        }
    }
    let seconds = (clock.now - begin) / .seconds(1)
    say(
        "schedules=\(seeds.count) from=\(seeds.lowerBound) findings=\(found) \(total.text)"
            + " seconds=\(Int(seconds)) rate=\(Int(Double(seeds.count) / seconds))")
    return found == 0
}

/// - Returns: whether each of them was found.
func findDefects(atMost count: UInt64) -> Bool {
    var isEachFound = true
    for defect in FieldDefect.all {
        let found = FieldDefect.search(defect, in: 1...count)
        isEachFound = isEachFound && found != nil
        say(
            "\(found.map { "\($0.seed)" } ?? "never"): \(defect.name): \(found?.finding.prefix(100) ?? "")"
        )
    }
    return isEachFound
}

extension FieldOutcome {
    /// What happened, in numbers.
    fileprivate var text: String {
        "steps=\(steps) exchanges=\(exchanges) faults=\(faults) deaths=\(deaths)"
            + " acknowledged=\(acknowledged) effects=\(effects)"
    }
}

/// Prints at once, whoever reads it.
func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}
