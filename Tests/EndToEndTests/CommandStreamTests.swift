import ChildFixture
import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Synchronization
import Testing

/// What becomes of results that nobody takes, and of a command that is asked to end.
@Suite struct CommandStreamTests {
    /// Runs a line of the shell, in which `$ODATA`, `$STORE` and `$URL` stand for what they say.
    private static func shell(_ line: String, _ place: CommandPlace) throws -> Child.Result {
        try Child.run(
            "/usr/bin/env",
            [
                "ODATA=\(Child.command)", "STORE=\(place.store)", "URL=\(place.url)", "bash", "-c",
                line,
            ])
    }

    @Test func aReaderThatGoesAwayEndsTheCommandWithoutACrash() async throws {
        try await CommandPlace.synchronised { place in
            for query in ["WorkOrders", "WorkOrders --json"] {
                let result = try Self.shell(
                    "$ODATA query --store $STORE \(query) | true; echo ${PIPESTATUS[0]}", place)
                #expect(["0", "1"].contains(result.output.trimmingCharacters(in: .newlines)))
                #expect(result.errors.isEmpty, "\(result.errors)")
            }
            let closed = try Self.shell(
                "$ODATA query --store $STORE WorkOrders >&-; echo $?", place)
            #expect(closed.output == "1\n")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here"))
    func aFullDiskIsSaid() async throws {
        try await CommandPlace.synchronised { place in
            let result = try Self.shell(
                "$ODATA query --store $STORE WorkOrders > /dev/full; echo $?", place)
            #expect(result.output == "1\n")
            #expect(
                result.errors == "odata: standard output: No space left on device\n",
                "\(result.errors)")
            let errors = try Self.shell("$ODATA query --store $STORE Nothing 2> /dev/full", place)
            #expect(errors.status == 2)
        }
    }

    @Test func tablesAreWholeWhereAProgramReadsThem() async throws {
        try await CommandPlace.synchronised { place in
            let long = String(repeating: "a long name ", count: 20)
            let change = try place.odata(["update", "Sites(1)", #"{"Name":"\#(long)"}"#])
            #expect(change.status == 0, "\(change.errors)")
            let table = try Self.shell(
                "$ODATA query --store $STORE 'Sites?$filter=Id%20eq%201'", place)
            #expect(table.output.contains(long.trimmingCharacters(in: .whitespaces)))
            #expect(!table.output.contains("…"))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func whoIsAskedToEndSaysSo(signal: Int32) async throws {
        let isDone = Mutex(false)
        // Another test may have got the port of the service that stopped.
        for _ in 0..<5 where !isDone.withLock({ $0 }) {
            try await CommandPlace.synchronised { place in
                let done = try Self.endsCommands(of: place, by: signal)
                isDone.withLock { $0 = done }
            }
        }
        #expect(isDone.withLock { $0 }, "The port of the service was taken five times.")
    }

    /// - Returns: false where nobody can listen in place of the service.
    private static func endsCommands(of place: CommandPlace, by signal: Int32) throws -> Bool {
        let change = try place.odata(["update", "Sites(1)", #"{"Name":"kept"}"#])
        #expect(change.status == 0, "\(change.errors)")
        let port = try #require(URL(string: place.url)?.port)
        place.service.stop()
        guard let listener = SilentListener(port: UInt16(port)) else { return false }
        defer { listener.close() }
        for command in [["upload"], ["download"], ["sync", place.url]] {
            listener.forgetWaiting()
            let result = try Self.run(
                command + ["--store", place.store], until: listener.accept, signal)
            #expect(result.status == 128 + signal, "\(command): \(result)")
            #expect(result.errors.contains("cancelled"), "\(command): \(result.errors)")
        }
        let queue = try place.odata("queue", "list")
        #expect(queue.output.contains("Sites(1)"))
        return true
    }

    /// Runs the command until `isReady` returns, and then sends it a signal.
    private static func run(
        _ arguments: [String], until isReady: () -> Void, _ signal: Int32
    ) throws -> (status: Int32, errors: String) {
        let process = try ChildProcess(Child.command, arguments, errors: .pipe)
        isReady()
        process.send(signal: signal)
        let text = try process.errors()
        return (try process.wait().number, text)
    }
}

/// A port on which connections are taken and nothing is ever answered.
private struct SilentListener {
    private let descriptor: Int32

    init?(port: UInt16) {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var reuse: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0
            }
        }
        guard isBound, listen(descriptor, 16) == 0 else {
            close()
            return nil
        }
    }

    /// Waits for a connection, and keeps it open without a word.
    func accept() { _ = Foundation.accept(descriptor, nil, nil) }

    /// A command that has ended may have begun more connections than were taken: they are not the next one's.
    func forgetWaiting() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0 {
            let connection = Foundation.accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            _ = Foundation.close(connection)
        }
    }

    func close() { _ = Foundation.close(descriptor) }
}
