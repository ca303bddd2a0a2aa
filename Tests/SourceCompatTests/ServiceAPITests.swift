import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import Synchronization
import Testing

/// Answers requests with what the function says.
private final class Answers: HTTPHandler, @unchecked Sendable {
    // Constant.
    private let body: @Sendable (HTTPHandler.Request) -> (Int, String)

    init(_ body: @escaping @Sendable (HTTPHandler.Request) -> (Int, String)) {
        self.body = body
        super.init()
    }

    override func send(_ request: HTTPHandler.Request) throws -> HTTPHandler.Response {
        let (status, text) = body(request)
        let headers = HTTPHeaders()
        headers.setHeader(withName: "Content-Type", value: "application/json")
        return HTTPHandler.Response(
            status: status, headers: headers,
            content: ByteStream.fromBinary(data: Data(text.utf8)))
    }
}

@Suite struct ServiceAPITests {
    private static let ann = #"{"value":[{"ID":7,"Name":"Ann"}]}"#

    private func provider(
        _ body: @escaping @Sendable (HTTPHandler.Request) -> (Int, String)
    ) -> OnlineODataProvider {
        let provider = OnlineODataProvider(
            serviceName: "S", serviceRoot: "http://h/s", httpHandler: Answers(body))
        provider.serviceOptions.metadataText = APIModel.text
        provider.serviceOptions.checkVersion = false
        provider.serviceOptions.requiresToken = nil
        provider.networkOptions.tunneledMethods.append("MERGE")
        return provider
    }

    @Test func tokensAndRegistrationHaveHandlersToo() async {
        let seen = Mutex<[String]>([])
        let online = provider { request in
            seen.withLock { $0.append(request.method) }
            return (200, "{}")
        }
        online.serviceOptions.requiresToken = "X-CSRF-Token"
        let service = OnlineDataService(provider: online)
        service.completionQueue = OperationQueue()
        let token: Result<Void, any Error> = await withCheckedContinuation { continuation in
            service.acquireToken { continuation.resume(returning: $0) }
        }
        #expect(throws: Never.self) { try token.get() }
        #expect(seen.withLock { $0 } == ["GET"])
        let registration: Result<Void, any Error> = await withCheckedContinuation { continuation in
            service.registerClient { continuation.resume(returning: $0) }
        }
        // The model has no set of registrations.
        #expect(throws: DataQueryError.self) { try registration.get() }
        let isKnown: Result<Bool, any Error> = await withCheckedContinuation { continuation in
            service.isClientRegistered { continuation.resume(returning: $0) }
        }
        #expect((try? isKnown.get()) == false)
        let leave: Result<Void, any Error> = await withCheckedContinuation { continuation in
            service.unregisterClient(deleteFromServer: false) {
                continuation.resume(returning: $0)
            }
        }
        #expect(throws: Never.self) { try leave.get() }
    }

    @Test func theBlockingServiceDoesWhatAppsCall() throws {
        let sent = Mutex<[String]>([])
        let provider = provider { request in
            sent.withLock { $0.append(request.method) }
            return switch request.method {
            case "GET": (200, Self.ann)
            case "POST" where request.url.hasSuffix("Reset"): (200, #"{"value":true}"#)
            case "POST": (201, #"{"ID":8,"Name":"Bo"}"#)
            default: (204, "")
            }
        }
        let service = DataService(provider: provider)
        try service.loadMetadata()
        #expect(service.hasMetadata && service.provider === provider && service.name == "S")
        let customers = service.entitySet(withName: "Customers")
        let found = try service.executeQuery(DataQuery().from(customers)).entityList()
        let ann = found[0]
        let name = customers.entityType.property(withName: "Name")
        name.setStringValue(in: ann, to: "Anna")
        try service.updateEntity(ann)
        try service.deleteEntity(ann)
        let bo = EntityValue.ofType(customers.entityType).inSet(customers)
        try service.createEntity(bo, headers: HTTPHeaders.empty, options: .none)
        #expect(customers.entityType.property(withName: "ID").longValue(from: bo) == 8)
        let reset = service.dataMethod(withName: "Reset")
        let parameters = ParameterList(capacity: 1).with(name: "hard", value: BooleanValue.of(true))
        let answer = try service.executeQuery(DataQuery().invoke(reset, parameters))
        #expect(BooleanValue.unwrap(try answer.checkedResult()))
        let stream = try service.entityStream(DataQuery().from(customers))
        #expect(try stream.next().entityType === customers.entityType)
        #expect(sent.withLock { $0 } == ["GET", "PATCH", "DELETE", "POST", "POST", "GET"])
        try service.unloadMetadata()
        #expect(!service.hasMetadata)
    }

    @Test func completionHandlersComeOnTheirQueue() async throws {
        let service = DataService(provider: provider { _ in (200, Self.ann) })
        let queue = OperationQueue()
        service.completionQueue = queue
        try await withCheckedThrowingContinuation { continuation in
            service.loadMetadata { outcome in
                #expect(OperationQueue.current === queue)
                continuation.resume(with: outcome)
            }
        }
        let query = DataQuery().from(service.entitySet(withName: "Customers"))
        let result = try await withCheckedThrowingContinuation { continuation in
            service.executeQuery(query) { outcome in
                #expect(OperationQueue.current === queue)
                continuation.resume(with: outcome)
            }
        }
        #expect(try result.requiredEntity().hasKey())
    }

    @Test func theLegacyServiceKnowsItsProvider() async throws {
        let service = LegacyDataService(
            provider: provider { request in
                (200, request.url.contains("(7)") ? #"{"ID":7,"Name":"Ann"}"# : Self.ann)
            })
        service.provider.networkOptions.tunneledMethods.append("PATCH")
        service.completionQueue = OperationQueue()
        let error: (any Error)? = await withCheckedContinuation { continuation in
            service.loadMetadata { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        let customers = service.entitySet(withName: "Customers")
        let name = customers.entityType.property(withName: "Name")
        let entity = try service.executeQuery(DataQuery().from(customers)).requiredEntity()
        name.setStringValue(in: entity, to: "changed")
        let loaded: (any Error)? = await withCheckedContinuation { continuation in
            service.loadEntity(entity) { continuation.resume(returning: $0) }
        }
        #expect(loaded == nil)
        #expect(name.stringValue(from: entity) == "Ann")
        await withCheckedContinuation { continuation in
            service.addBackgroundOperationForFunction { continuation.resume() }
        }
        try service.checkIfCancelled(nil)
        let token = CancelToken()
        token.cancel()
        #expect(
            failure { try service.checkIfCancelled(token) }
                == Failure(DataNetworkError.self, .cancelled, "The request was cancelled."))
        #expect(service.metadataLock === service.metadataLock)
    }

    @Test func theAsyncServiceIsAwaited() async throws {
        let service = OnlineDataServiceAsync(provider: provider { _ in (200, Self.ann) })
        try await service.loadMetadata()
        let customers = service.entitySet(withName: "Customers")
        let result = try await service.executeQuery(DataQuery().from(customers))
        #expect(try result.entityList().length == 1)
        await withCheckedContinuation { continuation in
            service.asyncFunction { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            service.asyncAction { continuation.resume() }
        }
        let sum = try await service.asyncFunction { 1 + 1 }
        #expect(sum == 2)
        try await service.unloadMetadata()
        #expect(!service.hasMetadata)
    }

    @Test func batchesAndChangeSetsAreBuiltAndRead() throws {
        let document = try APIModel.document()
        let type = document.entityType(withName: "S.Customer")
        let (ann, order) = (
            EntityValue.ofType(type), EntityValue.ofType(document.entityType(withName: "S.Order"))
        )
        let changes = ChangeSet()
        changes.createEntity(ann)
        changes.createRelatedEntity(order, in: ann, property: type.property(withName: "Orders"))
        changes.updateEntity(ann)
        changes.deleteEntity(ann)
        changes.createLink(from: ann, property: type.property(withName: "Orders"), to: order)
        #expect(changes.size == 5 && changes.isEntity(0) && changes.isLink(4))
        #expect(changes.link(4).target === order && changes.link(4).isCreated)
        #expect(changes.status == 0 && changes.error == nil)
        let batch = RequestBatch()
        let query = DataQuery().from(document.entitySet(withName: "Customers"))
        batch.addQuery(query)
        batch.addChanges(changes)
        #expect(batch.size == 2 && batch.isDataQuery(0) && batch.isChangeSet(1))
        #expect(
            failure { try batch.queryResult(for: query) }
                == Failure(
                    QueryResultError.self, .unexpectedResult,
                    "Expected an answered query of this batch."))
    }

    @Test func optionsAndHeadersHaveTheirDefaults() {
        let options = ServiceOptions()
        #expect(options.checkVersion && options.supportsBind && options.supportsPatch)
        #expect(
            options.pingMethod == "HEAD" && options.dataVersion == 0 && options.createReturnsContent
        )
        #expect(options.requiresToken == "X-CSRF-Token" && options.clientInstanceID == nil)
        #expect(options.includeSchemas.isEmpty && !options.batchAsJSON)
        let request = RequestOptions.noneIfNull(options: nil)
        #expect(request.updateMode == .merge && !request.repeatable && request.customTag == nil)
        #expect(
            request.uploadGroup == nil && request.changeSet == nil && request.cancelToken == nil)
        let headers = HTTPHeaders()
        headers.setHeader(withName: "X-A", value: "1")
        #expect(
            headers.header(withName: "x-a") == "1"
                && HTTPHeaders.emptyIfNull(headers: nil).size == 0)
        #expect(ErrorBase.withMessage("m").message == "m")
        #expect(DataServiceError.withStatus(404).status == 404)
        #expect(CSDLError.cannotFetch("u").localizedDescription.contains("u"))
    }

    @Test func errorsSayWhatTheServiceSaid() throws {
        let service = DataService(
            provider: provider { _ in (400, #"{"error":{"code":"T1","message":"No"}}"#) })
        try service.loadMetadata()
        let error = #expect(throws: DataServiceError.self) {
            try service.executeQuery(DataQuery().from(service.entitySet(withName: "Customers")))
        }
        #expect(error?.code == .service)
        #expect(error?.place?.path == "/s/Customers")
        #expect(error?.status == 400 && error?.response?.code == "T1")
        #expect(error?.localizedDescription == "No")
    }
}
