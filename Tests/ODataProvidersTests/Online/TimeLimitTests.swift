import ODataClasses
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing

/// How long an exchange may take is what the app says.
@Suite struct TimeLimitTests {
    /// Notes the limits that it is given, and answers nothing.
    private final class NotingTransport: HTTPTransport {
        let limits = Mutex<[Duration?]>([])

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            limits.withLock { $0.append(options.totalTimeout) }
            throw ODataError(.timeout, "No answer.")
        }
    }

    @Test(arguments: [nil, Duration.seconds(90)])
    func theLimitOfTheNetworkOptionsGoesWithEachRequest(limit: Duration?) async throws {
        try await onOwnThread {
            let transport = NotingTransport()
            let provider = OnlineODataProvider(
                serviceName: "S", serviceRoot: "http://h.invalid/s/", transport: transport)
            provider.networkOptions.timeLimit = limit
            #expect(throws: DataNetworkError.self) { try provider.loadMetadata() }
            let limits = transport.limits.withLock { $0 }
            #expect(!limits.isEmpty && limits.allSatisfy { $0 == limit })
        }
    }

    /// Notes the limits that it is given, and lets the service answer.
    private final class PassingTransport: HTTPTransport {
        let limits = Mutex<[String: Set<Duration?>]>([:])

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            limits.withLock { _ = $0[request.method, default: []].insert(options.totalTimeout) }
            return try StandardTransport.shared.send(request, options: options)
        }
    }

    @Test(arguments: [true, false])
    func theLimitGoesWithDownloadsAndUploads(isBatched: Bool) async throws {
        try await ServiceWorkplace.run { place in
            let transport = PassingTransport()
            let url = try #require(place.service.url)
            let sync = ServiceWorkplace.provider(url, place.folder, transport: transport)
            sync.onlineProvider.networkOptions.timeLimit = .seconds(90)
            (sync.batchEntityDownloads, sync.batchEntityUploads) = (isBatched, isBatched)
            try sync.open()
            try sync.download()
            let set = sync.metadata.entitySet(withName: "WorkOrders")
            let title = set.entityType.property(withName: "Title")
            let orders = try sync.executeQuery(
                DataQuery().from(set).top(2), headers: .empty, options: .none
            ).entityList()
            for order in orders.toArray() {
                title.setStringValue(in: order, to: "changed")
                try sync.updateEntity(order, headers: .empty, options: .none)
            }
            try sync.upload()
            #expect(try sync.queued().isEmpty)
            try sync.close()
            let limits = transport.limits.withLock { $0 }
            #expect(Set(limits.keys) == (isBatched ? ["GET", "POST"] : ["GET", "PATCH"]))
            #expect(limits.values.allSatisfy { $0 == [.seconds(90)] }, "\(limits)")
        }
    }
}
