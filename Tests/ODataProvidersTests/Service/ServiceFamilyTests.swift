import Foundation
import ODataTesting
import SAPOData
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import Synchronization
import Testing

/// A service whose requests wait until they are let through or cancelled.
private final class Gate: Sendable {
    private let monitor = LiveWorld().makeMonitor()
    private let state = Mutex((isOpen: false, waiting: 0))

    var waiting: Int { state.withLock { $0.waiting } }

    func open() {
        state.withLock { $0.isOpen = true }
        monitor.withLock { monitor.signal() }
    }

    func pass() {
        state.withLock { $0.waiting += 1 }
        monitor.withLock {
            while !state.withLock({ $0.isOpen }) { _ = monitor.wait(timeout: .seconds(5)) }
        }
    }
}

/// A transport on which every request waits for its cancellation.
private struct SilentTransport: HTTPTransport {
    let started: @Sendable () -> Void

    func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        started()
        // Longer than a busy machine may take to come to the test's next line.
        _ = LiveWorld().sleep(.seconds(600), token: options.cancellation)
        throw ODataError(.cancelled, "The request was cancelled.", at: .resource(of: request.url))
    }
}

@Suite struct ServiceFamilyTests {
    private func service(
        _ answer: @escaping @Sendable (RequestMessage) throws -> ResponseMessage
    ) -> (OnlineODataProvider, EntitySet) {
        let provider = ScriptedService(answer).makeProvider(OnlineWireTests.v4)
        try? provider.loadMetadata()
        return (provider, provider.metadata.entitySet(withName: "Items"))
    }

    private func item(_ set: EntitySet, _ id: Int) -> EntityValue {
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: id)
        return entity
    }

    @Test func handlersGetResultsOnTheQueueOfTheirChoice() async throws {
        let (provider, set) = service { _ in .json(#"{"value":[{"Id":1}]}"#) }
        let service = DataService(provider: provider)
        service.completionQueue = OperationQueue()
        let queue = service.completionQueue
        let (length, isThere) = await withCheckedContinuation { continuation in
            service.executeQuery(DataQuery().from(set)) { result in
                let length = (try? result.get().entityList().length) ?? -1
                continuation.resume(returning: (length, OperationQueue.current === queue))
            }
        }
        #expect(length == 1)
        #expect(isThere)
    }

    @Test func metadataIsForgottenWithAHandlerToo() async throws {
        let (provider, _) = service { _ in .json("{}") }
        let service = DataService(provider: provider)
        #expect(service.hasMetadata)
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            service.unloadMetadata { continuation.resume(returning: $0) }
        }
        try result.get()
        #expect(!service.hasMetadata)
    }

    @Test func handlersOfTheLegacyFamilyTakeValueAndError() async throws {
        let (provider, set) = service { request in
            request.method == "GET"
                ? ResponseMessage(status: 200, body: [5]) : ResponseMessage(status: 409)
        }
        let service = LegacyDataService(provider: provider)
        service.completionQueue = OperationQueue()
        #expect(service.provider === provider)
        let item = item(set, 1)
        let error: (any Error)? = await withCheckedContinuation { continuation in
            service.deleteEntity(item) { error in continuation.resume(returning: error) }
        }
        #expect((error as? DataServiceError)?.status == 409)
        let data: Data? = await withCheckedContinuation { continuation in
            service.downloadMedia(
                entity: item, completionHandler: { data, _ in continuation.resume(returning: data) }
            )
        }
        #expect(data == Data([5]))
    }

    @Test func theLegacyFamilyHasAServiceForProvidersOfAnyClass() async throws {
        let (provider, set) = service { _ in .json(#"{"value":[{"Id":1}]}"#) }
        let some: any DataServiceProvider = provider
        let service = LegacyAnyDataService(provider: some)
        service.completionQueue = OperationQueue()
        #expect(service.provider === provider)
        let length: Int? = await withCheckedContinuation { continuation in
            service.executeQuery(DataQuery().from(set)) { result, error in
                continuation.resume(
                    returning: error == nil ? try? result?.entityList().length : nil)
            }
        }
        #expect(length == 1)
    }

    @Test func changesOfOneServiceGoOneAfterTheOther() async throws {
        let order = Mutex<[String]>([])
        let (provider, set) = service { request in
            order.withLock { $0.append(request.url) }
            return ResponseMessage(status: 204)
        }
        let service = DataService(provider: provider)
        service.completionQueue = OperationQueue()
        await withTaskGroup(of: Void.self) { _ in
            await withCheckedContinuation { continuation in
                for id in 1...20 {
                    service.deleteEntity(item(set, id)) { _ in
                        if id == 20 { continuation.resume() }
                    }
                }
            }
        }
        #expect(order.withLock { $0 } == (1...20).map { "http://h/s/Items(\($0))" })
    }

    @Test func manyWaitingCallsDoNotHoldUpOtherTasks() async throws {
        let gate = Gate()
        let (provider, set) = service { _ in
            gate.pass()
            return .json(#"{"value":[]}"#)
        }
        let service = DataServiceAsync(provider: provider)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await service.executeQuery(DataQuery().from(set)).entityList().length
                }
            }
            // With ten calls waiting inside and the rest in the queue, tasks still get their turn.
            while gate.waiting < 10 { try await Task.sleep(for: .milliseconds(5)) }
            gate.open()
            var count = 0
            for try await length in group {
                #expect(length == 0)
                count += 1
            }
            #expect(count == 64)
        }
        #expect(gate.waiting == 64)
    }

    @Test func aCancelledTaskCancelsItsCall() async throws {
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let provider = OnlineODataProvider(
            serviceName: "Silent", serviceRoot: "http://h/s",
            transport: SilentTransport { continuation.yield() })
        provider.serviceOptions.metadataText = OnlineWireTests.v4
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let service = DataServiceAsync(provider: provider)
        let task = Task { try await service.executeQuery(DataQuery().from(set)) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTokenStopsABlockingCallToo() async throws {
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let provider = OnlineODataProvider(
            serviceName: "Silent", serviceRoot: "http://h/s",
            transport: SilentTransport { continuation.yield() })
        provider.serviceOptions.metadataText = OnlineWireTests.v4
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let token = CancelToken()
        async let failure: ErrorBase? = OnlineFixture.onThread {
            let options = RequestOptions().cancelable(token)
            do {
                _ = try provider.executeQuery(DataQuery().from(set), options: options)
                return nil
            } catch {
                return error as? ErrorBase
            }
        }
        for await _ in started { break }
        token.cancel()
        let error = try await failure
        #expect(error is DataNetworkError && error?.code == .cancelled)
        #expect(error?.place?.host == "h" && error?.place?.path == "/s/Items")
    }

    @Test func twoCallsWithOneSetOfOptionsAreCancelledEachByItsTask() async throws {
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let provider = OnlineODataProvider(
            serviceName: "Silent", serviceRoot: "http://h/s",
            transport: SilentTransport { continuation.yield() })
        provider.serviceOptions.metadataText = OnlineWireTests.v4
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let service = DataServiceAsync(provider: provider)
        let token = CancelToken()
        for options in [RequestOptions(), RequestOptions().cancelable(token)] {
            let ended = EndedCalls()
            let tasks = (0..<2).map { number in
                Task {
                    defer { ended.numbers.withLock { $0.append(number) } }
                    _ = try await service.executeQuery(DataQuery().from(set), options: options)
                }
            }
            var calls = 0
            for await _ in started {
                calls += 1
                if calls == 2 { break }
            }
            #expect(options.cancelToken === (options.cancelToken == nil ? nil : token))
            tasks[0].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            #expect(ended.numbers.withLock { $0 } == [0])
            tasks[1].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[1].value }
        }
        #expect(!token.isCancelled)
    }

    @Test func anAsyncCallKeepsTheIdentityOfItsRequestInTheOptions() async throws {
        let names = Mutex<[String?]>([])
        let (provider, set) = service { request in
            names.withLock { $0.append(request.headers["Repeatability-Request-ID"]) }
            return ResponseMessage(status: 204)
        }
        let service = DataServiceAsync(provider: provider)
        let options = RequestOptions()
        options.repeatable = true
        try await service.deleteEntity(item(set, 1), options: options)
        let kept = options.requestID
        #expect(kept != nil && names.withLock { $0 } == [kept])
        try await service.deleteEntity(item(set, 1), options: options)
        options.repeatable = true
        try await service.deleteEntity(item(set, 2), options: options)
        let seen = names.withLock { $0 }
        #expect(seen[1] == kept && seen[2] != nil && seen[2] != kept)
    }

    @Test func asyncCallsDoWhatBlockingOnesDo() async throws {
        let fixture = try await OnlineFixture.onThread { try OnlineFixture() }
        let service = OnlineDataServiceAsync(provider: fixture.provider)
        try await service.loadMetadata()
        let axe = fixture.newTool("Axe")
        try await service.createEntity(axe)
        fixture.tool("Title").setStringValue(in: axe, to: "Adze")
        try await service.updateEntity(axe)
        let mia = try await service.executeQuery(
            DataQuery().from(fixture.members).withKey(fixture.key(1))
        ).requiredEntity()
        try await service.loadProperty(fixture.member("Tools"), into: mia)
        #expect(fixture.titles(fixture.member("Tools").entityList(from: mia)) == ["Saw", "Plane"])
        try await service.deleteEntity(axe)
        #expect(
            fixture.requests == [
                "POST /Tools", "PATCH /Tools(5)", "GET /Members(1)", "GET /Members(1)/Tools",
                "DELETE /Tools(5)",
            ])
    }

    @Test func optionsOfServicesAreThoseOfTheirProvider() {
        let (provider, _) = service { _ in ResponseMessage(status: 200) }
        let service = DataService(provider: provider)
        service.serviceOptions.checkVersion = false
        service.networkOptions.tunneledMethods.append("MERGE")
        service.httpHeaders.setHeader(withName: "X", value: "1")
        service.traceRequests = true
        #expect(!provider.serviceOptions.checkVersion)
        #expect(provider.networkOptions.tunneledMethods.length == 1)
        #expect(provider.httpHeaders.header(withName: "X") == "1")
        #expect(provider.traceRequests)
        #expect(service.name == "Script")
    }

    @Test func refreshedMetadataMustStayCompatible() throws {
        let text = Mutex(OnlineWireTests.v4)
        let (provider, _) = service { _ in
            ResponseMessage(status: 200, body: Array(text.withLock { $0 }.utf8))
        }
        let service = DataService(provider: provider)
        let merged = Mutex(0)
        ProxyInternal.setMergeAction(provider: provider) { merged.withLock { $0 += 1 } }
        text.withLock {
            $0 = $0.replacing(
                #"<Property Name="Name""#,
                with: #"<Property Name="Extra" Type="Edm.String"/><Property Name="Name""#)
        }
        try service.refreshMetadata()
        let type = service.entitySet(withName: "Items").entityType
        #expect(type.propertyMap.has("Extra"))
        #expect(merged.withLock { $0 } == 1)
        text.withLock {
            $0 = $0.replacing(
                #"Name="Extra" Type="Edm.String""#, with: #"Name="Extra" Type="Edm.Int32""#)
        }
        let refused = #expect(throws: CSDLError.self) { try service.refreshMetadata() }
        #expect(refused?.code == .invalidMetadata)
        #expect(refused?.message?.contains("Extra") == true)
        #expect(service.entitySet(withName: "Items").entityType === type)
    }
}

/// The calls that are over, in the order of their ends.
private final class EndedCalls: Sendable {
    let numbers = Mutex<[Int]>([])
}
