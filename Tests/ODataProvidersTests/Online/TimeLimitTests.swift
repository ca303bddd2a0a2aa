import ODataQuery
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
}
