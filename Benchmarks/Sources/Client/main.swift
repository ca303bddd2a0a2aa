// The client as an app uses it; prints figures as name=value.
// usage: Client SERVICE_URL FILE                  opens a new store and downloads everything
//        Client sync SERVICE_URL FILE SET/PATH…   the same with indexes
//        Client reads point|page|expand|filter|toone|any|count FILE ROUNDS BOUND   queries, seconds of one
//        Client writes create|update|delete FILE ROUNDS   changes of a synced store, seconds of one
//        Client live FILE ROUNDS               changes of single rows under a live query, seconds until it tells
//        Client livepage FILE ROUNDS           the same of a page of 100 by an index
//        Client neighbour FILE ROUNDS          changes of another process under a live query, which it waits for
//        Client neighbourwrites FILE ROUNDS    makes those changes
//        Client unchanged SERVICE_URL FILE ROUNDS   downloads without changes, CPU seconds of one
//        Client download SERVICE_URL FILE      one download
//        Client during SERVICE_URL FILE        a first download with readers and a writer beside it
//        Client queue creates|sets FILE COUNT  creations that wait, one by one or ten in a change set
//        Client upload batches|singles SERVICE_URL FILE   sends what waits
//        Client rekey FILE KEY                 gives an encrypted store another key
//        Client open FILE                      opens a synced store, seconds until the first page is there
import Foundation
import SAPOData

func peakKiB() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

/// False for arguments that say nothing known.
func run(_ arguments: [String]) throws -> Bool {
    switch (arguments.first, arguments.count) {
    case ("sync", 3...):
        let indexes = arguments[3...].map { index in
            let parts = index.split(separator: "/", maxSplits: 1).map(String.init)
            return (set: parts[0], path: parts[parts.count - 1])
        }
        try firstSync(service: arguments[1], file: arguments[2], indexes: indexes)
    case ("reads", 5):
        guard let rounds = Int(arguments[3]), let bound = Int64(arguments[4]) else { return false }
        try LocalReads(file: arguments[2]).run(arguments[1], rounds: rounds, bound: bound)
    case ("writes", 4):
        guard let rounds = Int(arguments[3]) else { return false }
        try LocalWrites(file: arguments[2]).run(arguments[1], rounds: rounds)
    case ("live", 3):
        guard let rounds = Int(arguments[2]) else { return false }
        try LiveReaction().run(file: arguments[1], rounds: rounds)
    case ("livepage", 3):
        guard let rounds = Int(arguments[2]) else { return false }
        try LiveReaction().run(file: arguments[1], rounds: rounds, top: 100)
    case ("neighbour", 3):
        guard let rounds = Int(arguments[2]) else { return false }
        try LiveNeighbour.watch(file: arguments[1], rounds: rounds)
    case ("neighbourwrites", 3):
        guard let rounds = Int(arguments[2]) else { return false }
        try LiveNeighbour.write(file: arguments[1], rounds: rounds)
    case ("download", 3):
        try download(service: arguments[1], file: arguments[2])
    case ("during", 3):
        try DuringSync().run(service: arguments[1], file: arguments[2])
    case ("queue", 4):
        guard let count = Int(arguments[3]) else { return false }
        try LocalWrites(file: arguments[2]).queue(arguments[1], count: count)
    case ("upload", 4):
        try upload(
            service: arguments[2], file: arguments[3], isBatched: arguments[1] == "batches")
    case ("rekey", 3):
        try changeKey(file: arguments[1], to: arguments[2])
    case ("open", 2):
        try opening(file: arguments[1])
    case ("unchanged", 4):
        guard let rounds = Int(arguments[3]) else { return false }
        try nothingChanged(service: arguments[1], file: arguments[2], rounds: rounds)
    case (_, 2):
        try firstSync(service: arguments[0], file: arguments[1])
    default:
        return false
    }
    return true
}

// Blocking calls belong on a thread of their own.
let thread = Thread {
    do {
        guard try run(Array(CommandLine.arguments.dropFirst())) else {
            print("usage: Client WHAT ARGUMENTS, see main.swift")
            exit(2)
        }
        exit(0)
    } catch {
        print("Client: \(error)")
        exit(1)
    }
}
thread.start()
while true { sleep(1_000) }
