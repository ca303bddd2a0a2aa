import Dispatch
import Foundation
import ODataTesting

// A client that works until it is killed: downloads, writes, uploads, and notes each write that was acknowledged.
//
// usage: KillChild STORE URL NOTES ROUND POINT PASSAGES THEN MICROSECONDS
//        KillChild stream STORE URL MB
//        KillChild register FOLDER URL
//        KillChild upload STORE URL
//        KillChild rekey|export STORE KEY OTHERKEY
//        KillChild work NAME STORE KEY|- OTHERKEY|METADATA|- POINT PASSAGES THEN MICROSECONDS
//        KillChild queries STORE URL NOTES ROUND POINT PASSAGES THEN MICROSECONDS
//        KillChild watch STORE KEY|-
//        KillChild hold|compare STORE KEY|-
//        KillChild readonly STORE KEY|-
let (code, message) = runOnThread {
    let arguments = ProcessInfo.processInfo.arguments
    do {
        if arguments.count == 5, arguments[1] == "stream" {
            try StreamChild(arguments).run()
            return (0, "")
        }
        if arguments.count == 4, arguments[1] == "register" {
            try RegisterChild(folder: arguments[2], url: arguments[3]).run()
            return (0, "")
        }
        if arguments.count == 4, arguments[1] == "upload" {
            try UploadChild(store: arguments[2], url: arguments[3]).run()
            return (0, "")
        }
        if let work = ReadWork(arguments) {
            try work.run()
            return (0, "")
        }
        if let work = ReadOnlyChild(arguments) {
            try work.run()
            return (0, "")
        }
        if let work = KeyWork(arguments) {
            try work.run()
            return (0, "")
        }
        if let work = WatchWork(arguments) {
            try work.run()
            return (0, "")
        }
        if let work = StoreWork(arguments) {
            try work.run()
            return (0, "")
        }
        if let work = QueryWork(arguments) {
            try work.run()
            return (0, "")
        }
    } catch {
        return (1, "\(error)")
    }
    guard ProcessInfo.processInfo.arguments.count == 9,
        let trap = KillingWorld.Trap(ProcessInfo.processInfo.arguments.suffix(4))
    else { return (2, "eight arguments are needed") }
    do {
        return try runClients(ProcessInfo.processInfo.arguments, trap)
    } catch {
        return (1, "\(error)")
    }
}
FileHandle.standardError.write(Data(message.utf8))
exit(code)

/// One client, or two at a time with a store each where the environment names another store.
func runClients(_ arguments: [String], _ trap: KillingWorld.Trap) throws -> (Int32, String) {
    let environment = ProcessInfo.processInfo.environment
    let world = KillingWorld(trap)
    let first = KillChild(
        arguments, trap, world, store: (arguments[1], environment["ODATA_STORE_KEY"] ?? ""))
    guard let path = environment["ODATA_SECOND_STORE"], !path.isEmpty else {
        try first.run()
        return (0, "")
    }
    let second = KillChild(
        arguments, trap, world, store: (path, environment["ODATA_SECOND_KEY"] ?? ""),
        isSecond: true)
    let outcomes = runOnThreads(
        [first, second].map { client in
            {
                do { try client.run() } catch { return (1, "\(error)") }
                return (0, "")
            }
        })
    return outcomes.first { $0.0 != 0 } ?? (0, "")
}

/// Runs `body` with the stack that a library's own thread has, and waits for it.
func runOnThread(_ body: @escaping @Sendable () -> (Int32, String)) -> (Int32, String) {
    runOnThreads([body])[0]
}

func runOnThreads(_ bodies: [@Sendable () -> (Int32, String)]) -> [(Int32, String)] {
    let running = bodies.map { body in
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let worker = Thread {
            outcome.value = body()
            done.signal()
        }
        worker.stackSize = 8 << 20
        worker.start()
        return (outcome, done)
    }
    return running.map { outcome, done in
        done.wait()
        return outcome.value
    }
}

/// Written by the worker before it signals, read after that.
final class Outcome: @unchecked Sendable {
    var value: (Int32, String) = (1, "nothing happened")
}
