import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPFoundation
import SAPOfflineOData
import Synchronization
import Testing

/// Notes what it is told, in order.
private final class NotingDelegate: OfflineODataDelegate, Sendable {
    struct Notes: Sendable {
        var states: [OfflineODataStoreState] = []
        var downloads: [OfflineODataProgress] = []
        var files: [OfflineODataFileDownloadProgress] = []
        var uploads: [OfflineODataProgress] = []
        var failures: [OfflineODataFailedRequest] = []
    }

    private let notes = Mutex(Notes())
    var seen: Notes { notes.withLock { $0 } }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress
    ) { notes.withLock { $0.downloads.append(progress) } }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
    ) { notes.withLock { $0.files.append(progress) } }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateUploadProgress progress: OfflineODataProgress
    ) { notes.withLock { $0.uploads.append(progress) } }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) { notes.withLock { $0.failures.append(request) } }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
    ) { notes.withLock { $0.states.append(newState) } }
}

/// Notes the steps it is told of.
private final class StepDelegate: OfflineODataProviderDelegate, Sendable {
    private let notes = Mutex<[String]>([])
    var steps: [String] { notes.withLock { $0 } }

    /// How many values apps may put into their texts for a step.
    private static let parameterCounts: [OfflineODataOperationStep: Int] = [
        .processingDefiningQueries: 2, .processingRequests: 2, .receivingDataFromServer: 1,
        .sendingDataToServer: 1, .sendingEntityStoreDatabase: 2,
    ]

    private func note(_ operation: String, _ progress: any OfflineODataProviderProgressReporting) {
        let isSound =
            !progress.operationId.isEmpty && !progress.defaultMessage.isEmpty
            && (1...progress.totalNumberOfSteps).contains(progress.currentStepNumber)
            && progress.parameters.count == Self.parameterCounts[progress.step, default: 0]
        notes.withLock { $0.append(isSound ? "\(operation) \(progress.step)" : "unsound") }
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProviderOperationProgress
    ) { note("open", progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProviderDownloadProgress
    ) { note("download", progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProviderOperationProgress
    ) { note("upload", progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProviderOperationProgress
    ) { note("send", progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) { notes.withLock { $0.append("refused \(request.httpStatusCode)") } }
}

@Suite struct OfflineDelegateTests {
    /// Changes a teacher as the service accepts it, and another as it does not.
    private static func change(_ provider: OfflineODataProvider) throws {
        let service = DataService(provider: provider)
        let teachers = service.entitySet(withName: "Teachers")
        let name = teachers.entityType.property(withName: "NAME")
        let all = try service.executeQuery(DataQuery().from(teachers)).entityList()
        for (teacher, text) in zip(all, ["accepted", "refused"]) {
            name.setStringValue(in: teacher, to: text)
            let options = RequestOptions()
            options.customTag = "tag of \(text)"
            try service.updateEntity(teacher, options: options)
        }
    }

    /// OFF-012, OFF-013, OFF-018
    @Test func statesComeInOrder() async throws {
        try await SchoolService.run { school in
            let delegate = NotingDelegate()
            let provider = try school.provider(delegate: delegate)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            try provider.close()
            #expect(
                delegate.seen.states == [
                    .opening, [.opening, .initializing, .initialCommunication],
                    [.opening, .initializing, .initialCommunication, .fileDownloading], .open,
                    [.open, .downloading], .open, [.open, .uploading], .open, .closed,
                ])
            let opening = delegate.seen.states[2]
            #expect(opening.contains(.opening) && opening.contains(.initializing))
            #expect(opening.contains(.initialCommunication) && opening.contains(.fileDownloading))
            #expect(!opening.contains(.open) && !opening.contains(.downloading))
            #expect(delegate.seen.states[4].contains(.downloading))
            #expect(delegate.seen.states[6].contains(.uploading))
            #expect(delegate.seen.states[8].contains(.closed))
            #expect(
                SchoolService.wait { provider.upload(completionHandler: $0) }?.errorName
                    == .storeNotOpen)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(delegate.seen.states.suffix(2) == [.opening, .open])
            try provider.close()
        }
    }

    /// OFF-002, OFF-008, OFF-009
    @Test func downloadsReportBytes() async throws {
        try await SchoolService.run { school in
            let delegate = NotingDelegate()
            let provider = try school.provider(delegate: delegate)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let last = try #require(delegate.seen.files.last)
            #expect(last.bytesReceived > 200 && last.fileSize == last.bytesReceived)
            // What is to come is told before it has come.
            #expect(delegate.seen.files.count > 1)
            #expect(
                delegate.seen.files.allSatisfy {
                    $0.fileSize > 0 && $0.fileSize >= $0.bytesReceived
                })
            #expect(delegate.seen.downloads.isEmpty)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            let received = delegate.seen.downloads.map(\.bytesReceived)
            #expect(received == received.sorted() && (received.last ?? 0) > 0)
            // Two queries are asked in one batch, whose body is sent.
            #expect((delegate.seen.downloads.last?.bytesSent ?? 0) > 0)
            try provider.close()
        }
    }

    /// OFF-010, OFF-011, OFF-026
    @Test func anUploadReportsBytesAndEachRefusalOnce() async throws {
        try await SchoolService.run { school in
            let delegate = NotingDelegate()
            let provider = try school.provider(delegate: delegate)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            try Self.change(provider)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            let seen = delegate.seen
            let last = try #require(seen.uploads.last)
            #expect(last.bytesSent > 0 && last.bytesReceived > 0)
            #expect(seen.failures.count == 1)
            let failure = try #require(seen.failures.first)
            #expect((400..<500).contains(failure.httpStatusCode))
            #expect(failure.customTag == "tag of refused")
            #expect(failure.requestHTTPMethod == "PATCH")
            #expect(failure.requestURL.absoluteString == school.url.absoluteString + "Teachers(2)")
            #expect(failure.requestBody?.contains("refused") == true)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers ORDER BY ID")
                    == [["accepted"], ["Blaise"], ["Carl"]])
            try provider.close()
        }
    }

    /// OFF-027
    @Test func anUploadWithoutServiceFailsAndKeepsTheQueue() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            try Self.change(provider)
            school.service.observer.setFaults { _, _ in .loseRequest }
            guard
                case .communicationError? = SchoolService.wait({
                    provider.upload(completionHandler: $0)
                })
            else {
                Issue.record("Expected communicationError.")
                return
            }
            #expect(try provider.hasPendingUpload())
            #expect(try school.storeRows("SELECT count(*) FROM _odata_request") == [["2"]])
            try provider.close()
        }
    }

    @Test(arguments: [true, false]) func stepsOfTheUploadFollowTheParameters(isOn: Bool)
        async throws
    {
        try await SchoolService.run { school in
            let (delegate, parameters) = (StepDelegate(), school.parameters())
            parameters.enableRequestQueueOptimization = isOn
            parameters.enableTransactionBuilder = isOn
            parameters.enableUndoLocalCreation = isOn
            let provider = try OfflineODataProvider(
                serviceRoot: school.url, parameters: parameters,
                sapURLSession: SAPURLSession(), delegate: delegate)
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "T", query: "Teachers", automaticallyRetrievesStreams: false))
            let opened = SchoolService.wait { provider.open(completionHandler: $0) }
            let uploaded = SchoolService.wait { provider.upload(completionHandler: $0) }
            #expect(opened == nil && uploaded == nil)
            let merges = [
                "upload performingRequestQueueMerge", "upload performingTransactionMerge",
                "upload performingCreateDeleteMerge",
            ]
            let steps = delegate.steps.filter { $0.hasPrefix("upload") }
            #expect(steps.filter { merges.contains($0) } == (isOn ? merges : []))
            try provider.close()
        }
    }

    @Test func stepsAreReported() async throws {
        try await SchoolService.run { school in
            let delegate = StepDelegate()
            let provider = try OfflineODataProvider(
                serviceRoot: school.url, parameters: school.parameters(),
                sapURLSession: SAPURLSession(), delegate: delegate)
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "T", query: "Teachers", automaticallyRetrievesStreams: false))
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            try Self.change(provider)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            school.service.observer.setFaults { request, _ in
                request.url.hasSuffix("$database") ? .answer(ResponseMessage(status: 204)) : nil
            }
            #expect(SchoolService.wait { provider.sendStore(completionHandler: $0) } == nil)
            let steps = delegate.steps
            #expect(steps.count { $0.hasPrefix("refused 4") } == 1)
            // Each as often as something came of it.
            let told = steps.filter { !$0.hasPrefix("refused") }.reduce(into: [String]()) {
                if $0.last != $1 { $0.append($1) }
            }
            #expect(
                told == [
                    "open creatingRequestQueueDatabase", "open buildingEntityStore",
                    "open loadingMetadata", "open processingDefiningQueries",
                    "open receivingDataFromServer", "open analyzingReceivedData",
                    "upload sendingDataToServer", "upload processingRequests",
                    "download loadingMetadata", "download processingDefiningQueries",
                    "download receivingDataFromServer", "download analyzingReceivedData",
                    "download removingDeletedRelationships", "download reapplyingChanges",
                    "download erasingExpiredRequests", "send sendingEntityStoreDatabase",
                ])
            try provider.close()
        }
    }
}
