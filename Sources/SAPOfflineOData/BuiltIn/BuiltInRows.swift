import FoundationEssentials
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSyncPlan

/// The rows of the built-in sets as values, made from queue and history when they are read.
struct BuiltInRows {
    let sync: CloudSyncProvider
    let graph: MetadataGraph

    /// How many events the EventLog shows, the newest ones.
    static let eventLimit = 100

    /// - Parameter id: reads this row only.
    func values(of set: BuiltInModel.Set) throws -> [StructureValue] {
        switch set {
        case .errorArchive: try failed().compactMap(errorEntry)
        case .requestQueue: try all().compactMap(queueEntry)
        case .eventLog: try events()
        }
    }

    // MARK: Requests

    func failed() throws -> [PendingRequest] {
        try sync.failedRequests(matching: nil, headers: nil, options: nil).toArray()
    }

    func all() throws -> [PendingRequest] {
        let queued = try sync.queuedRequests(matching: nil, headers: nil, options: nil).toArray()
        return (queued + (try failed())).sorted { $0.requestID < $1.requestID }
    }

    private func errorEntry(_ request: PendingRequest) -> StructureValue? {
        let failure = request.request?.state.failure
        return value(
            .errorArchive, key: request.requestID,
            [
                .integer(request.requestID), text(request.customTag),
                failure.map { .integer(Int64($0.status)) }, text(failure?.code),
                text(request.errorMessage), text(failure?.innerError),
                .string(Self.domain(of: request)), .string(request.httpMethod),
                .string(request.requestURL), Self.body(of: request), nil, nil,
            ])
    }

    private static func domain(of request: PendingRequest) -> String {
        switch request.request?.state {
        case .blocked: "dependency"
        case .unknown: "client"
        default: "backend"
        }
    }

    private func queueEntry(_ request: PendingRequest) -> StructureValue? {
        value(
            .requestQueue, key: request.requestID,
            [
                .integer(request.requestID), .string(Self.status(of: request)),
                .string(request.httpMethod), .string(request.requestURL),
                Self.body(of: request), text(request.customTag), nil, nil, nil,
            ])
    }

    /// A request without a body, as a deletion, has an empty one: apps read the bodies of all entries alike.
    private static func body(of request: PendingRequest) -> Scalar {
        .string(request.requestBody ?? "")
    }

    private static func status(of request: PendingRequest) -> String {
        switch request.request?.state {
        case .frozen: "sent"
        case .failed, .unknown: "failed"
        case .blocked: "blocked"
        case .waiting, nil: "queued"
        }
    }

    // MARK: Events

    private func events() throws -> [StructureValue] {
        try sync.eventHistory(matching: nil).toArray()
            .filter { ["download", "upload"].contains($0.type) }
            .suffix(Self.eventLimit)
            .compactMap { event in
                value(
                    .eventLog, key: event.eventID,
                    [
                        .integer(event.eventID), .string(event.type.capitalized),
                        event.time.scalar,
                        event.type == "download" ? text(details(event)) : nil,
                    ])
            }
    }

    /// Names of many queries are longer than the property may be.
    private func details(_ event: SyncEvent) -> String? {
        let limit = BuiltInModel.maximumDetails
        guard let details = event.details, details.utf16.count > limit else { return event.details }
        var end = details.startIndex
        while let next = details.index(end, offsetBy: 1, limitedBy: details.endIndex),
            details[..<next].utf16.count < limit
        {
            end = next
        }
        return details[..<end] + "\u{2026}"
    }

    // MARK: Values

    private func text(_ text: String?) -> Scalar? { text.map(Scalar.string) }

    /// Navigation properties stay unset; nil of the others is null.
    private func value(
        _ set: BuiltInModel.Set, key: Int64, _ scalars: [Scalar?]
    ) -> StructureValue? {
        guard let type = graph.structure(named: set.qualifiedTypeName) else { return nil }
        let properties = graph[type].properties
        var value = StructureValue(
            type: type,
            slots: zip(properties, scalars).map { property, scalar in
                property.isNavigation ? nil : .scalar(scalar ?? .null)
            })
        value.control.readLink = "\(set.rawValue)(\(key))"
        value.control.id = value.control.readLink
        return value
    }

    /// The header fields that the app gave a request, numbered from 1 on.
    func headers(of request: PendingRequest) -> [StructureValue] {
        guard let type = graph.structure(named: BuiltInModel.header) else { return [] }
        return (request.request?.headers.fields ?? []).enumerated().map { position, field in
            StructureValue(
                type: type,
                slots: [
                    .scalar(.integer(Int64(position + 1))), .scalar(.string(field.name)),
                    .scalar(.string(field.value)),
                ])
        }
    }

    /// The requests that cannot do without this one.
    func dependents(of id: Int64) throws -> Set<Int64> {
        let requests = try all().compactMap(\.request)
        let dependencies = RequestDependencies(requests, keepsAll: true)
        return Set(
            dependencies.order.filter { dependencies.dependencies(of: $0).contains(id) })
    }
}
