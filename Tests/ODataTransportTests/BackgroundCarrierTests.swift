import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataWire
import ODataWorld
import Synchronization
import Testing

@testable import ODataTransport

/// Transfers in the files of a folder that the test ends itself.
private final class FolderTransfers: BackgroundTransfer {
    let folder: TransferFolder
    let begun = Mutex(0)
    /// What becomes of what is begun, at once.
    private let answer: @Sendable (TransferFolder, String) throws -> Void

    init(
        _ place: URL,
        answer: @escaping @Sendable (TransferFolder, String) throws -> Void = { _, _ in }
    ) throws {
        folder = try TransferFolder(path: place.path)
        self.answer = answer
    }

    var count: Int { begun.withLock { $0 } }

    func state(of name: String) -> BackgroundState? { folder.state(of: name) }

    func begin(_ name: String, _ request: RequestMessage, _ body: (any RequestContent)?) throws {
        begun.withLock { $0 += 1 }
        try folder.noteBeginning(of: name)
        try answer(folder, name)
    }

    func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void) {
        if folder.state(of: name) != .running { action() }
    }

    func forget(_ name: String) { folder.forget(name) }
    func names() -> Set<String> { folder.names() }
}

/// What the system's transfers mean for one request.
@Suite struct BackgroundCarrierTests {
    private static let post = RequestMessage(method: "POST", url: "http://h/s/Items")
    private static let get = RequestMessage(method: "GET", url: "http://h/s/Items")

    private static func run(
        answer: @escaping @Sendable (TransferFolder, String) throws -> Void = {
            try keep("", in: $0, of: $1)
        },
        _ body: (FolderTransfers) throws -> Void
    ) throws {
        let place = try TestFolder.makeFast("odata-carrier-")
        defer { try? FileManager.default.removeItem(at: place) }
        try body(try FolderTransfers(place, answer: answer))
    }

    private static func keep(
        _ text: String, _ headers: HeaderFields = [:], in folder: TransferFolder, of name: String
    ) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.body(of: name)))
        try folder.keep(status: 200, headers: headers, of: name)
    }

    private static func carrier(
        _ transfers: FolderTransfers, _ purpose: BackgroundCarrier.Purpose
    ) -> BackgroundCarrier {
        BackgroundCarrier(
            transfers, named: "a", for: purpose, world: LiveWorld(), tokenHeader: "X-CSRF-Token")
    }

    private static func failure(_ body: () throws -> any HTTPAnswer) -> ODataError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? ODataError
        }
    }

    @Test("CSP-066 a call that is cancelled proves nothing of a request that the system has")
    func cancellingProvesNothing() throws {
        try Self.run(answer: { _, _ in }) { transfers in
            let flag = CancellationFlag()
            flag.cancel()
            let options = TransportOptions(cancellation: flag)
            let unsent = Self.failure {
                try Self.carrier(transfers, .sending).send(Self.post, options: options)
            }
            #expect(unsent?.code == .cancelled && unsent?.provesNotSent() == true)
            try transfers.folder.noteBeginning(of: "a")
            let sent = Self.failure {
                try Self.carrier(transfers, .takingUp).send(Self.post, options: options)
            }
            #expect(sent?.code == .cancelled && sent?.provesNotSent() == false)
            #expect(transfers.state(of: "a") == .running)
        }
    }

    /// What ends the wait ends a read, unless the app only goes away; a sending goes on.
    @Test func whatNobodyWaitsForAnyMoreGoesOnWhereItIsOfUse() throws {
        for (purpose, isLeft, goesOn) in [
            (BackgroundCarrier.Purpose.read, false, false), (.read, true, true),
            (.sending, false, true), (.takingUp, false, true),
        ] {
            try Self.run(answer: { _, _ in }) { transfers in
                try transfers.folder.noteBeginning(of: "a")
                let carrier = BackgroundCarrier(
                    transfers, named: "a", for: purpose, world: LiveWorld(), isLeft: { isLeft })
                let error = Self.failure {
                    try carrier.send(Self.get, options: TransportOptions(totalTimeout: .zero))
                }
                #expect(error?.code == .timeout)
                #expect(transfers.names().isEmpty == !goesOn, "\(purpose) \(isLeft)")
            }
        }
    }

    @Test("CSP-066 the answer to a sending stays until it is recorded, that to a read does not")
    func answersStayUntilTheyAreRecorded() throws {
        try Self.run { transfers in
            let read = Self.carrier(transfers, .read)
            _ = try read.send(Self.get, options: TransportOptions()).readAll()
            #expect(transfers.names().isEmpty)
            let sending = Self.carrier(transfers, .sending)
            _ = try sending.send(Self.post, options: TransportOptions()).readAll()
            #expect(transfers.names() == ["a"] && transfers.count == 2)
            // Another process finds it; the same call sends again what was not looked at.
            let next = Self.carrier(transfers, .takingUp)
            _ = try next.send(Self.post, options: TransportOptions()).readAll()
            #expect(transfers.count == 2)
            _ = try sending.send(Self.post, options: TransportOptions()).readAll()
            #expect(transfers.count == 3)
        }
    }

    @Test func whatIsTakenUpIsNotBegun() throws {
        try Self.run { transfers in
            let error = Self.failure {
                try Self.carrier(transfers, .takingUp).send(
                    Self.post, options: TransportOptions())
            }
            #expect(error?.provesNotSent() == false)
            #expect(transfers.count == 0)
        }
    }

    /// Nothing is answered twice over, and nothing hangs on what is not there.
    @Test func aHeadWithoutItsBodyIsNoAnswer() throws {
        try Self.run { transfers in
            try transfers.folder.noteBeginning(of: "a")
            try transfers.folder.keep(status: 200, headers: [:], of: "a")
            let error = Self.failure {
                try Self.carrier(transfers, .takingUp).send(
                    Self.post, options: TransportOptions())
            }
            #expect(error?.code == .network && error?.provesNotSent() == false)
            #expect(transfers.names().isEmpty && transfers.count == 0)
            try transfers.folder.noteBeginning(of: "a")
            try transfers.folder.keep(status: 200, headers: [:], of: "a")
            let answer = try Self.carrier(transfers, .read).send(
                Self.get, options: TransportOptions())
            #expect(answer.status == 200 && transfers.count == 1)
        }
    }

    /// The step at which the system's last try ended says nothing of those before.
    @Test func noFailureProvesThatASendingStayedHere() throws {
        try Self.run(answer: { try $0.keep(failure: .connect, of: $1) }) { transfers in
            let sent = Self.failure {
                try Self.carrier(transfers, .sending).send(Self.post, options: TransportOptions())
            }
            #expect(sent?.code == .network && sent?.provesNotSent() == false)
            let read = Self.failure {
                try Self.carrier(transfers, .read).send(Self.get, options: TransportOptions())
            }
            #expect((read?.underlying as? NetworkFailure)?.phase == .connect)
            #expect(transfers.names().isEmpty)
        }
    }

    /// An answer may have waited for weeks.
    @Test func oldAnswersSetNeitherClockNorSession() throws {
        let headers: HeaderFields = [
            "Date": "Fri, 27 Nov 2026 20:00:00 GMT", "Set-Cookie": "a=b", "X-CSRF-Token": "old",
            "ETag": "1",
        ]
        try Self.run(answer: { try Self.keep("", headers, in: $0, of: $1) }) { transfers in
            let own = try Self.carrier(transfers, .sending).send(
                Self.post, options: TransportOptions())
            #expect(
                own.headers.fields.map(\.name).sorted() == ["ETag", "Set-Cookie", "X-CSRF-Token"])
            let old = try Self.carrier(transfers, .takingUp).send(
                Self.post, options: TransportOptions())
            #expect(old.headers.fields.map(\.name) == ["ETag"])
            try Self.keep("", ["X-CSRF-Token": "Required"], in: transfers.folder, of: "a")
            let demand = try Self.carrier(transfers, .takingUp).send(
                Self.post, options: TransportOptions())
            #expect(demand.headers["X-CSRF-Token"] == "Required")
        }
    }

    /// Where only carried answers came, the service is still to be asked for its time.
    @Test func carriedAnswersTellNoTime() throws {
        try Self.run(answer: {
            try Self.keep("", ["OData-Version": "4.0"], in: $0, of: $1)
        }) { transfers in
            let connection = ServiceConnection(
                root: "http://h/s",
                transport: LoopbackTransport { _ in
                    ResponseMessage(status: 200, headers: ["OData-Version": "4.0"])
                })
            let carrier = Self.carrier(transfers, .read)
            _ = try connection.carried { _ in carrier }.exchange(Self.get)
            #expect(connection.hasSeenVersion && !connection.clock.isAsked)
            _ = try connection.exchange(Self.get)
            #expect(connection.clock.isAsked)
        }
    }

    @Test func aNameThatIsForgottenLeavesNothing() throws {
        try Self.run { transfers in
            let folder = transfers.folder
            try folder.noteBeginning(of: "a", nonce: "n1")
            #expect(folder.nonce(of: "a") == "n1" && folder.nonce(of: "b") == nil)
            for path in [folder.sentBody(of: "a"), folder.body(of: "a")] {
                try Data([1]).write(to: URL(fileURLWithPath: path))
            }
            folder.forget("a")
            #expect(folder.names().isEmpty && folder.nonce(of: "a") == nil)
            try folder.noteBeginning(of: "a", nonce: "n2")
            #expect(folder.nonce(of: "a") == "n2" && folder.state(of: "a") == .running)
        }
    }
}
