import ChildFixture
import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing

@testable import ODataCommand

/// How the command ends when somebody else ends it, or nobody lets it in.
@Suite struct CommandEndTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func answer(_ status: Int, _ type: String, _ body: String) -> HTTPEdge.Outcome {
        .answer(
            ResponseMessage(
                status: status, headers: ["Content-Type": type, "OData-Version": "4.0"],
                body: Array(body.utf8)))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalIsTheStatus(signal: Int32, status: Int32) async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-end")
            defer { folder.remove() }
            let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                if request.url.hasSuffix("$metadata") {
                    return Self.answer(200, "application/xml", Self.metadata)
                }
                reached.signal()
                _ = gate.wait(timeout: .now() + 300)
                return Self.answer(503, "application/json", "{}")
            }
            let port = try edge.start()
            let process = try ChildProcess(
                Child.command,
                ["sync", "http://127.0.0.1:\(port)/s/", "--store", folder.file("s.sqlite")])
            #expect(reached.wait(timeout: .now() + 300) == .success)
            process.send(signal: signal)
            let end = try process.wait(atMost: .seconds(60))
            for _ in 0..<16 { gate.signal() }
            edge.stop()
            #expect(end == .exit(status))
        }
    }

    /// A service that answers nothing, from its metadata or from its first rows on.
    @Test(arguments: ["$metadata", "Items"])
    func aCommandWhoseTimeIsOverSaysSo(silent: String) async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-end")
            defer { folder.remove() }
            let gate = DispatchSemaphore(value: 0)
            let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                if request.url.contains(silent) { _ = gate.wait(timeout: .now() + 300) }
                return request.url.hasSuffix("$metadata")
                    ? Self.answer(200, "application/xml", Self.metadata)
                    : Self.answer(503, "application/json", "{}")
            }
            let url = "http://127.0.0.1:\(try edge.start())/s/"
            let end = try Child.odata(
                "sync", url, "--store", folder.file("s.sqlite"), "--deadline", "0.5")
            for _ in 0..<16 { gate.signal() }
            edge.stop()
            #expect(end.status == 124, "\(end.errors)")
            #expect(end.errors.contains("The time limit of 0.5 s is over"))
            #expect(end.output.isEmpty)
            let wrong = try Child.odata(
                "sync", url, "--store", folder.file("s.sqlite"), "--deadline", "0")
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("--deadline"))
        }
    }

    /// Ctrl-C is the status of a service, too; SIGTERM is how it is ended.
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 0)] as [(Int32, Int32)])
    func aServiceThatIsInterruptedSaysSo(signal: Int32, status: Int32) async throws {
        try await onOwnThread {
            let service = try ServeProcess(["--sample", "fieldservice", "--scale", "20"])
            #expect(try service.end(by: signal) == .exit(status))
        }
    }

    /// A proxy reads its origin before it listens, for however long that takes.
    @Test func aProxyEndsInItsFirstSweep() async throws {
        try await onOwnThread {
            let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                if request.url.hasSuffix("$metadata") {
                    return Self.answer(200, "application/xml", Self.metadata)
                }
                reached.signal()
                _ = gate.wait(timeout: .now() + 300)
                return Self.answer(503, "application/json", "{}")
            }
            let port = try edge.start()
            let process = try ChildProcess(
                Child.command,
                ["serve", "--port", "0", "--proxy", "http://127.0.0.1:\(port)/s/"])
            #expect(reached.wait(timeout: .now() + 300) == .success)
            process.send(signal: SIGINT)
            let end = try process.wait()
            for _ in 0..<16 { gate.signal() }
            edge.stop()
            #expect(end == .exit(130))
        }
    }

    /// Nothing is begun for which there is no time.
    @Test func whatHasNoTimeLeftDoesNotBegin() {
        let limit = TimeLimit(seconds: 0)
        while !limit.isOver { Thread.sleep(forTimeInterval: 0.001) }
        var hasBegun = false
        let error = #expect(throws: CommandError.self) {
            try limit.stopping({}) { hasBegun = true }
        }
        #expect(error?.status == 124 && !hasBegun)
    }

    /// A part of a command that just comes to its end is no reason to begin the next one.
    @Test func whatEndsWellAfterASignalGoesNoFurther() throws {
        var hasEnded = false
        let error = #expect(throws: CommandError.self) {
            try CommandError.stoppable({ hasEnded ? 130 : nil }) { hasEnded = true }
        }
        #expect(error?.status == 130)
        #expect(try CommandError.stoppable({ nil }) { 1 } == 1)
        let failed = #expect(throws: CommandError.self) {
            try CommandError.stoppable({ nil }) { throw CommandError.failed("x") }
        }
        #expect(failed?.status == 1)
    }

    /// Sets of types that a document describes which nobody gives are listed and are the status; the others are read.
    @Test func setsOfUndefinedTypesAreListedAndTheStatus() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-end")
            defer { folder.remove() }
            let metadata = Self.metadata.replacing(
                "</EntityContainer>",
                with: "<EntitySet Name=\"Things\" EntityType=\"X.Thing\"/></EntityContainer>"
            ).replacing(
                "<edmx:DataServices>",
                with:
                    "<edmx:Reference Uri=\"gone.xml\"><edmx:Include Namespace=\"X\"/></edmx:Reference>"
                    + "<edmx:DataServices>")
            let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                if request.url.hasSuffix("$metadata") {
                    return Self.answer(200, "application/xml", metadata)
                }
                guard request.url.contains("Items") else {
                    return Self.answer(
                        404, "application/json", #"{"error":{"code":"x","message":"no"}}"#)
                }
                return Self.answer(
                    200, "application/json",
                    #"{"@odata.context":"$metadata#Items","value":[{"Id":1}]}"#)
            }
            let url = "http://127.0.0.1:\(try edge.start())/s/"
            defer { edge.stop() }
            let store = folder.file("s.sqlite")
            for arguments in [
                ["sync", url, "--store", store], ["download", "--store", store],
            ] {
                let result = try Child.run(Child.command, arguments)
                #expect(result.status == 1, "\(result)")
                #expect(
                    result.output.contains(
                        "skipped Things: its type X.Thing is in no document that could be read"),
                    "\(result)")
                #expect(
                    result.errors.contains("No metadata describes the types of Things"),
                    "\(result)")
            }
            let rows = try Child.odata("query", "--store", store, "Items")
            #expect(rows.status == 0 && rows.output.contains("1"), "\(rows)")
            let some = try Child.run(
                Child.command, ["download", "--store", store, "--group", "Items"])
            #expect(some.status == 0, "\(some)")
        }
    }

    /// Every command that asks a service says so with its status when nobody is let in, in the service's own words.
    @Test(arguments: [401, 403]) func nobodyIsLetIn(status: Int) async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-end")
            defer { folder.remove() }
            let store = folder.file("s.sqlite")
            let isClosed = Mutex(false)
            let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                if isClosed.withLock({ $0 }) {
                    return Self.answer(
                        status, "application/json",
                        #"{"error":{"code":"in","message":"Members only."}}"#)
                }
                if request.url.hasSuffix("$metadata") {
                    return Self.answer(200, "application/xml", Self.metadata)
                }
                return Self.answer(
                    200, "application/json",
                    #"{"@odata.context":"$metadata#Items","value":[{"Id":1}]}"#)
            }
            let url = "http://127.0.0.1:\(try edge.start())/s/"
            defer { edge.stop() }
            let sync = try Child.odata("sync", url, "--store", store)
            #expect(sync.status == 0, "\(sync)")
            let delete = try Child.odata("delete", "--store", store, "Items(1)")
            #expect(delete.status == 0, "\(delete)")
            isClosed.withLock { $0 = true }
            for arguments in [
                ["sync", url, "--store", store], ["upload", "--store", store],
                ["download", "--store", store], ["query", "--online", url, "Items"],
                ["metadata", url],
            ] {
                let result = try Child.run(Child.command, arguments)
                #expect(result.status == 1, "\(arguments): \(result)")
                #expect(
                    (result.output + result.errors).contains("Members only.")
                        || arguments[0] == "upload", "\(arguments): \(result)")
            }
        }
    }
}
