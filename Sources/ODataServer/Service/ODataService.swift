import Dispatch
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire
import ODataWorld
import Synchronization

/// The companion service: a SQLite database as an OData V4 service (or one of V2), with change tracking.
///
/// ``respond(to:)`` is the whole of it and can be called in process; ``start()`` puts HTTP in front. Blocking calls:
/// never made from the cooperative pool.
package final class ODataService: Sendable {
    package let configuration: ServiceConfiguration
    let pool: DatabasePool
    /// What is read and changed in place of the file; nil where the file is.
    let served: (any ServedDatabase)?
    /// For what requests read.
    private let readers: ReadConnections
    private let offered: Mutex<Offered>
    /// What guards against forged requests; nil where nothing does.
    let tokens: CSRFTokens?
    /// How many groups of changes there were.
    let groups = Atomic(0)
    /// Looks at what other programs write.
    private let misfits: MisfitWatch
    private let edge: Mutex<HTTPEdge?>
    /// Where whoever watches over the service asks.
    private let management = Mutex<HTTPEdge?>(nil)
    private let isDraining = Mutex(false)
    let metrics = ServiceMetrics()
    /// Keeps the change log within its bounds.
    let trim: LogTrim
    /// Keeps that of ``served`` within them; nil where that is.
    let servedTrim: ServedTrim?
    /// Requests that are held until something changes.
    let changes: ChangeWait
    let looks: HeldLooks
    /// Changes that are on their way to the service whose data this is.
    let turns: OriginTurns
    private let stopped = DispatchSemaphore(value: 0)

    /// Opens the database (making the sample data, or what a document describes, where asked for) and adds change tracking
    /// to it.
    ///
    /// - Throws: `storage` when the file cannot be opened or is no database, `usage` for an unknown sample, `unhostable`
    ///   for a document with something that there is no place for.
    package init(_ configuration: ServiceConfiguration) throws {
        self.configuration = configuration
        try SampleSource.prepare(configuration)
        let document = try ModelDatabase.document(for: configuration)
        guard document == nil || !configuration.speaksV2 else {
            throw ODataError(.usage, "Expected V4 for a service that is made from a model.")
        }
        let hosted = try document.map { try DocumentModel($0.0, configuration, record: $0.1) }
        let pool = try ServiceDatabase.open(configuration)
        let model =
            try hosted.map { try ServiceDatabase.expose(pool, configuration, hosting: $0) }
            ?? ServiceDatabase.expose(pool, configuration)
        try configuration.access.map { try AccessControl.check($0.rules, model) }
        self.pool = pool
        served = nil
        readers = ServiceDatabase.readers(configuration)
        offered = Mutex(Offered(model, original: nil, configuration))
        tokens = configuration.guardsAgainstCSRF ? CSRFTokens(configuration) : nil
        misfits = MisfitWatch(
            after: try pool.read { try ChangeLog($0).currentSequence() },
            observer: configuration.observer)
        edge = Mutex(nil)
        trim = LogTrim(pool, configuration)
        servedTrim = nil
        changes = Self.changeWait(pool, configuration)
        turns = OriginTurns(configuration)
        looks = HeldLooks(
            isShared: !configuration.guardsAgainstCSRF && configuration.gate == nil
                && configuration.access == nil)
        trim.begin()
        // What was on its way when the service ended last, in whatever way it did.
        if !model.streams.isEmpty { sweep() }
    }

    /// Offers another service's data, which is brought in by ``mirror(_:sets:releasing:)``; to be read only, unless that
    /// one takes changes (``ServiceConfiguration/origin``).
    ///
    /// - Parameter origin: the URL of the other service, without credentials.
    /// - Throws: `storage` when the file cannot be made or opened, or holds anything else.
    package init(
        _ base: ServiceConfiguration, mirroring mirrored: MirroredModel, of origin: String
    ) throws {
        var configuration = base
        if configuration.origin == nil { configuration.isReadOnly = true }
        self.configuration = configuration
        try MirrorDatabase.prepare(configuration.databasePath, origin: origin)
        pool = try ServiceDatabase.open(configuration)
        served = nil
        readers = ServiceDatabase.readers(configuration)
        let model = try ServiceDatabase.expose(pool, configuration, mirroring: mirrored)
        try configuration.access.map { try AccessControl.check($0.rules, model) }
        offered = Mutex(Offered(model, original: mirrored.original, configuration))
        tokens =
            configuration.guardsAgainstCSRF && !configuration.isReadOnly
            ? CSRFTokens(configuration) : nil
        misfits = MisfitWatch(after: 0, observer: configuration.observer)
        edge = Mutex(nil)
        trim = LogTrim(pool, configuration)
        servedTrim = nil
        changes = Self.changeWait(pool, configuration)
        turns = OriginTurns(configuration)
        looks = HeldLooks(
            isShared: !configuration.guardsAgainstCSRF && configuration.gate == nil
                && configuration.access == nil)
        trim.begin()
    }

    /// Offers the tables of a database of another product.
    ///
    /// - Throws: `notImplemented` for what is not offered over it yet, and what `served` throws.
    package init(_ base: ServiceConfiguration, reading served: any ServedDatabase) throws {
        try Self.requireServed(base)
        let model = try ServiceDatabase.expose(served, base)
        (pool, configuration) = try ServiceDatabase.openScratch(base)
        self.served = served
        readers = ServiceDatabase.readers(configuration)
        offered = Mutex(Offered(model, original: nil, configuration))
        tokens = configuration.guardsAgainstCSRF ? CSRFTokens(configuration) : nil
        misfits = MisfitWatch(after: 0, observer: configuration.observer)
        edge = Mutex(nil)
        trim = LogTrim(pool, configuration)
        servedTrim = ServedTrim(served, configuration)
        changes = Self.changeWait(pool, configuration)
        turns = OriginTurns(configuration)
        looks = HeldLooks(isShared: false)
        servedTrim?.afterAnswer()
    }

    /// What is offered, as V4 and, where that is spoken, as V2.
    ///
    /// A reference: four threads that copied all of it under the lock waited for each other in a fifth of their time.
    private final class Offered: Sendable {
        let model: ServiceModel
        /// What puts requests of V2 into V4; nil where V4 is spoken.
        let face: V2Face?

        init(
            _ model: ServiceModel, original: MetadataGraph?, _ configuration: ServiceConfiguration
        ) {
            self.model = model
            face =
                configuration.speaksV2
                ? V2Face(model.graph, original: original, configuration) : nil
        }
    }

    // Hot: ServerFigures
    var model: ServiceModel { offered.withLock { $0 }.model }

    private var face: V2Face? { offered.withLock { $0 }.face }

    /// Offers another model from now on; requests that run go on with theirs.
    func offer(_ model: ServiceModel, original: MetadataGraph?) {
        let next = Offered(model, original: original, configuration)
        offered.withLock { $0 = next }
    }

    deinit {
        stop()
        // Before the pool, whose last connection tidies the file up.
        try? readers.close()
    }

    /// What is exposed, for tests and messages.
    package var graph: MetadataGraph { model.graph }
    package var mapping: SchemaMapping { model.mapping }
    /// What is renamed, restricted or left out of the database, and why.
    package var notes: [String] { model.notes }
    package var observer: ServiceObserver { configuration.observer }

    /// Listens and returns the port; answers come from threads of the service.
    @discardableResult
    package func start() throws -> Int {
        var settings = HTTPEdge.Configuration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.workerThreads = configuration.workerThreads
        settings.maximumBodyBytes = configuration.maximumBodyBytes
        settings.maximumWaiting = configuration.maximumWaiting
        settings.waitingTime = configuration.waitingTime
        settings.requestTime = configuration.requestTime
        settings.idleTime = configuration.idleTime
        settings.stallTime = configuration.stallTime
        settings.tls = configuration.tls
        settings.observe = observation
        if let gatekeeper = Gatekeeper(configuration) {
            settings.admit = { gatekeeper.admission($0, from: $1, mayBlock: $2) }
        }
        let created = HTTPEdge(
            settings, intake: { [weak self] in self?.intake(for: $0) },
            handle: { [weak self] in
                self?.arrived($0, $1) ?? .hangUp
            })
        let isFree = edge.withLock { edge in
            guard edge == nil else { return false }
            edge = created
            return true
        }
        guard isFree else {
            throw ODataError(.usage, "Expected a service that is stopped, found it running.")
        }
        do {
            let port = try created.start()
            isDraining.withLock { $0 = false }
            try startManagement().map { edge in management.withLock { $0 = edge } }
            return port
        } catch {
            edge.withLock { $0 = nil }
            created.stop()
            throw error
        }
    }

    /// The absolute URL of the management port; nil while nothing listens there.
    package var managementURL: String? {
        management.withLock { $0?.port }.map { "http://\(configuration.managementHost):\($0)/" }
    }

    /// Whether requests are taken.
    var takesRequests: Bool {
        edge.withLock { $0?.port != nil } && !isDraining.withLock { $0 }
    }

    var openRequests: (connections: Int, requests: Int) {
        edge.withLock { $0 }?.open ?? (0, 0)
    }

    /// Takes no connection any more, and lets requests that run go on for so long; then ``stop()`` or ``close()`` follows. Those
    /// that are held are answered at once.
    package func drain(within limit: Duration) {
        isDraining.withLock { $0 = true }
        edge.withLock { $0 }?.drain(within: limit)
    }

    /// The absolute URL of the service root; nil while nothing listens.
    package var url: String? {
        edge.withLock { $0?.port }.map {
            "\(configuration.scheme)://\(configuration.host):\($0)\(configuration.rootPath)"
        }
    }

    /// Listens until ``stop()`` is called from elsewhere.
    package func run() throws {
        try start()
        stopped.wait()
    }

    /// Closes the port and every connection; the database stays open, so that ``start()`` may follow.
    package func stop() {
        let running = edge.withLock { edge in
            defer { edge = nil }
            return edge
        }
        let watched = management.withLock { edge in
            defer { edge = nil }
            return edge
        }
        defer { watched?.stop() }
        guard let running else { return }
        running.stop()
        stopped.signal()
    }

    /// Stops, and closes the database, which gets the journal mode back that it had before.
    package func close() throws {
        stop()
        trim.finish()
        servedTrim?.finish()
        // A reader that cannot be closed keeps nothing else open.
        let closing = Result { try readers.close() }
        try pool.close()
        if let served {
            served.close()
            ServiceDatabase.removeScratch(configuration.databasePath)
        } else {
            ServiceDatabase.restoreJournalMode(configuration.databasePath)
        }
        try closing.get()
    }

    /// A request from the network, where a name may have been made to lead here (DNS rebinding).
    private func arrived(
        _ request: RequestMessage, _ intake: (any BodyIntake)?
    ) -> HTTPEdge.Outcome {
        guard let refusal = HostList(configuration).refusal(request) else {
            guard isCopy(request) else {
                return outcome(of: request, intake as? StreamIntake, holds: true)
            }
            observer.note(request, isInBatch: false)
            return .answer(copied(request, intake))
        }
        observer.note(request, isInBatch: false)
        try? intake?.abandon()
        return .answer(refusal)
    }

    private func outcome(
        of request: RequestMessage, _ intake: StreamIntake? = nil, holds: Bool = false
    ) -> HTTPEdge.Outcome {
        observer.watching(request) { watchedOutcome(of: request, intake, holds) }
    }

    private func watchedOutcome(
        of request: RequestMessage, _ intake: StreamIntake?, _ holds: Bool
    ) -> HTTPEdge.Outcome {
        switch observer.fault(for: request) {
        case .loseRequest?:
            observer.note(request, isInBatch: false)
            try? intake?.abandon()
            return .hangUp
        case .loseAnswer?:
            _ = answer(request, intake.map { StreamTransfer($0) })
            return .hangUp
        case .cutAnswer?: return .cut(answer(request, intake.map { StreamTransfer($0) }))
        case .answer(let message)?:
            observer.note(request, isInBatch: false)
            try? intake?.abandon()
            return .answer(message)
        case nil:
            if holds, let held = holding(request) { return held }
            let transfer = StreamTransfer(intake)
            let message = answer(request, transfer)
            guard let outgoing = transfer.outgoing else { return .answer(message) }
            let reader = OutgoingReader(pool, outgoing)
            return .stream(message, length: reader.length) { try reader.next() }
        }
    }

    /// Where the body of a request goes while it arrives; nil for bodies that are gathered in memory. What is refused
    /// whatever it brings gets nothing into the database.
    private func intake(for head: RequestMessage) -> (any BodyIntake)? {
        if let copy = copyIntake(for: head) { return copy }
        guard !model.streams.isEmpty, StreamPath(model).isStream(head) else { return nil }
        let limit = configuration.maximumStreamBytes
        guard !configuration.isReadOnly, HostList(configuration).refusal(head) == nil,
            tokens?.refusal(head) == nil
        else { return DroppedBody(limit: limit) }
        let type = head.headers["Content-Type"] ?? StreamColumn.defaultMediaType
        return StreamIntake(pool, mediaType: type, limit: limit)
    }

    /// Answers one request; every failure is an answer, too. Faults of the observer apply as over HTTP.
    ///
    /// - Throws: `network` only where a fault says that the exchange is lost.
    package func exchange(_ request: RequestMessage) throws -> ResponseMessage {
        let lost = ODataError(.network, "The connection was closed before the answer was complete.")
        switch outcome(of: request) {
        case .answer(let message): return message
        case .stream(var message, _, let next):
            while let part = try next() { message.body += part }
            return message
        // Nothing is held in process.
        case .hangUp, .cut, .held: throw lost
        }
    }

    /// Answers one request; every failure is an answer, too.
    package func respond(to request: RequestMessage) -> ResponseMessage { answer(request) }

    private func answer(
        _ request: RequestMessage, _ transfer: StreamTransfer? = nil
    ) -> ResponseMessage {
        observer.note(request, isInBatch: false)
        return unnotedAnswer(request, transfer)
    }

    /// The answer to a request that has been seen before.
    func unnotedAnswer(
        _ request: RequestMessage, _ transfer: StreamTransfer? = nil
    ) -> ResponseMessage {
        guard let access = configuration.access else { return admittedAnswer(request, transfer) }
        // Over the network it was admitted before its body came.
        if Client.current != nil {
            return access.completed(admittedAnswer(request, transfer))
        }
        switch access.admission(request.headers) {
        case .refused(let answer):
            try? transfer?.intake?.abandon()
            return answer
        case .admitted(let client):
            return Client.$current.withValue(client) {
                access.completed(admittedAnswer(request, transfer))
            }
        }
    }

    private func admittedAnswer(
        _ request: RequestMessage, _ transfer: StreamTransfer?
    ) -> ResponseMessage {
        if let refusal = tokens?.refusal(request) ?? configuration.gate?.refusal(request) {
            try? transfer?.intake?.abandon()
            return refusal
        }
        var answer =
            face?.respond(to: request) { answerV4($0, transfer) } ?? answerV4(request, transfer)
        configuration.gate?.mark(&answer)
        tokens?.add(to: &answer, for: request)
        return answer
    }

    private func answerV4(
        _ request: RequestMessage, _ transfer: StreamTransfer?
    ) -> ResponseMessage {
        defer { if !model.streams.isEmpty, RequestKind(request.method) == .write { sweep() } }
        var answer: ResponseMessage
        do {
            guard request.body.count <= configuration.maximumBodyBytes else {
                return ErrorAnswer.tooLarge(limit: configuration.maximumBodyBytes)
            }
            let address = try ServiceAddress(
                request, rootPath: configuration.rootPath, scheme: configuration.scheme)
            if BatchRunner.isBatch(address) {
                try SchemaVersion.require(address.relativeURL, of: model.graph)
                answer = try BatchRunner(service: self, address: address).run(request)
            } else {
                try BatchReference.refuse(address.relativeURL)
                answer = single(request, address, transfer: transfer)
            }
        } catch {
            answer = ErrorAnswer.response(for: error)
        }
        if answer.headers["OData-Version"] == nil { answer.headers["OData-Version"] = "4.0" }
        if let intake = transfer?.intake, !intake.isClaimed || !answer.isSuccess {
            try? intake.abandon()
        }
        return answer
    }

    /// Answers a request that is not a batch, or a member of one that stands alone.
    func single(
        _ request: RequestMessage, _ address: ServiceAddress, references: [String: String] = [:],
        transfer: StreamTransfer? = nil
    ) -> ResponseMessage {
        do {
            try SchemaVersion.require(address.relativeURL, of: model.graph)
            if let (read, place) = try BodyQuery.unfolded(request, address) {
                return single(read, place, references: references, transfer: transfer)
            }
        } catch {
            return ErrorAnswer.response(for: error)
        }
        guard RequestKind(request.method) == .write else {
            if let served { return read(request, address, references, from: served) }
            var sequence: Int64?
            let answer = Self.caught(request) {
                try readers.snapshot { database in
                    let exchange = try Exchange(
                        model: model, source: .sqlite(database), request: request, address: address,
                        references: references, transfer: transfer)
                    let budget = RowBudget(bytes: configuration.maximumRowBytes)
                    return try RowBudget.$current.withValue(budget) {
                        try database.untilDeadline {
                            let answer = try exchange.answered()
                            sequence = misfits.look(database, model)
                            return answer
                        }
                    }
                }
            }
            trim.afterRead(at: sequence)
            return request.method == "HEAD" ? answer.withoutBody : answer
        }
        if configuration.isReadOnly { return Self.readOnly }
        let member = GroupMember(request: request, address: address)
        return group([member], references: references, transfer: transfer).last
            ?? ErrorAnswer.response(500, code: "internal", message: "The service failed.")
    }

    private func read(
        _ request: RequestMessage, _ address: ServiceAddress, _ references: [String: String],
        from served: any ServedDatabase
    ) -> ResponseMessage {
        let deadline = RequestDeadline.current
        let answer = Self.caught(request) {
            try served.read(isOver: { deadline?.hasPassed ?? false }) { rows in
                let exchange = try Exchange(
                    model: model, source: .served(rows), request: request, address: address,
                    references: references)
                let budget = RowBudget(bytes: configuration.maximumRowBytes)
                return try RowBudget.$current.withValue(budget) { try exchange.answered() }
            }
        }
        servedTrim?.afterAnswer()
        return request.method == "HEAD" ? answer.withoutBody : answer
    }

    /// The answer to every change where clients read only.
    static let readOnly = ErrorAnswer.response(
        for: ODataError(
            ServiceCode.methodNotAllowed, "Expected a service that takes changes.", status: 405,
            underlying: AllowedMethods(list: "GET, HEAD")))

    static func caught(_ request: RequestMessage, _ body: () throws -> ResponseMessage)
        -> ResponseMessage
    {
        do {
            return try body()
        } catch {
            return ErrorAnswer.response(for: error)
        }
    }

    /// Deletes content that nothing holds any more, in slices that keep other writers waiting for a moment only.
    private func sweep() {
        do {
            try StreamTable.sweep(pool)
        } catch {
            // What is left is deleted after the next write.
            return
        }
    }

    /// Waits until what reads set about in the log is done.
    package func finishTrimming() {
        trim.finish()
        servedTrim?.finish()
    }

    /// Cuts the log to about so many bytes and seconds, as it happens by itself from time to time.
    package func purgeChanges(keepingBytes bytes: Int64, seconds: Int64, now: Int64) throws {
        if let servedTrim {
            return try servedTrim.cut(to: LogBounds(bytes: bytes, seconds: seconds, now: now))
        }
        try pool.write {
            _ = try ChangeLog($0).purge(keepingBytes: bytes, seconds: seconds, now: now)
        }
    }

    /// Cuts the log to its last changes, as it happens by itself from time to time.
    package func expireChanges(keepingLast count: Int) throws {
        if let servedTrim { return try servedTrim.cut(to: LogBounds(changes: count, now: now)) }
        try pool.write { _ = try ChangeLog($0).purge(keepingLast: count) }
    }

    var now: Int64 { configuration.world.now().seconds }
}

/// What a method does.
enum RequestKind {
    case read, write

    init(_ method: String) {
        switch method {
        case "POST", "PATCH", "PUT", "MERGE", "DELETE": self = .write
        default: self = .read
        }
    }
}

extension ResponseMessage {
    /// The answer to HEAD: everything of that to GET but the body, whose length is told.
    var withoutBody: ResponseMessage {
        var answer = self
        if answer.headers["Content-Length"] == nil, answer.status != 204, answer.status != 304 {
            answer.headers["Content-Length"] = String(body.count)
        }
        answer.body = []
        return answer
    }
}

extension Exchange {
    /// The answer with the version it is written in.
    func answered() throws -> ResponseMessage {
        var answer = try run()
        answer.headers["OData-Version"] = version == .v401 ? "4.01" : "4.0"
        return answer
    }
}
