// The companion service as a program that the benchmarks start like their own: usage: Server FILE
// Prints the port it listens on, then serves until its standard input ends.
import Foundation
import ODataServer

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print("usage: Server FILE")
    exit(2)
}
do {
    let service = try CompanionService(database: arguments[1])
    let url = try service.start()
    FileHandle.standardOutput.write(Data("\(url.port ?? 0)\n".utf8))
    while readLine() != nil {}
    try service.close()
} catch {
    print("Server: \(error)")
    exit(1)
}
