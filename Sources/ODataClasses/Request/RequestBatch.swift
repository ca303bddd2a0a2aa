import ODataModel
import ODataQuery

/// Queries and change sets that go to the service in one request (Protocol 4.01, section 11.7).
///
/// ```swift
/// let batch = RequestBatch()
/// batch.addQuery(query)
/// batch.addChanges(changes)
/// try service.processBatch(batch)
/// let entities = try batch.queryResult(for: query).entityList()
/// if let error = changes.error { throw error }
/// ```
///
/// Parts stand or fall alone; only a ``ChangeSet`` is all or nothing. `processBatch` throws what keeps the batch as a whole
/// from being carried out. What a query failed with is thrown by ``queryResult(for:)``, and a failed change set has its
/// ``ChangeSet/error``.
///
/// A local store carries out the parts one by one in their order, without any request; functions are not implemented there.
/// One thread at a time builds and reads a batch.
open class RequestBatch: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time builds and reads a batch, as callers promise.

    /// One part with how it is sent and, later, what came of it.
    package struct Member {
        package enum Part {
            case query(DataQuery)
            case function(DataQuery)
            case changes(ChangeSet)
        }

        package var part: Part
        package var headers: HTTPHeaders
        package var options: RequestOptions
        package var result: QueryResult?
        package var error: (any Error)?
    }

    package final var members: [Member] = []
    /// The HTTP status of the whole; 0 before it was sent.
    public final package(set) var status = 0
    /// Why the whole failed; nil when it did not.
    public final package(set) var error: DataServiceError?

    /// Creates a batch without parts.
    public override init() { super.init() }

    private func add(_ part: Member.Part, _ headers: HTTPHeaders?, _ options: RequestOptions?) {
        members.append(
            Member(
                part: part, headers: HTTPHeaders.emptyIfNull(headers: headers),
                options: RequestOptions.noneIfNull(options: options)))
    }

    /// Adds a query; its result is read with ``queryResult(for:)``.
    open func addQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) {
        add(.query(query), headers, options)
    }

    /// Adds a change set; whether it failed stands on the change set.
    open func addChanges(
        _ changes: ChangeSet, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) {
        add(.changes(changes), headers, options)
    }

    /// Adds a call of a function; its result is read with ``queryResult(for:)`` (Protocol 4.01, section 11.5.4).
    @discardableResult
    open func invokeFunction(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) -> DataQuery {
        let query = DataQuery().invoke(method, parameters)
        add(.function(query), headers, options)
        return query
    }

    /// The result of a query of this batch, once the batch was sent.
    ///
    /// - Throws: What the query failed with; `QueryResultError` when the query is not part of the batch or was not answered.
    open func queryResult(for query: DataQuery) throws -> QueryResult {
        let member = members.first { member in
            switch member.part {
            case .query(let candidate), .function(let candidate): candidate === query
            case .changes: false
            }
        }
        if let error = member?.error { throw error }
        guard let result = member?.result else {
            throw QueryResultError(message: "Expected an answered query of this batch.")
        }
        return result
    }

    /// How many parts there are.
    open var size: Int { members.count }

    /// True when the part at this position is a query.
    open func isDataQuery(_ index: Int) -> Bool {
        if case .query = part(index) { true } else { false }
    }

    /// True when the part at this position is a call of a function.
    open func isFunction(_ index: Int) -> Bool {
        if case .function = part(index) { true } else { false }
    }

    /// True when the part at this position is a change set.
    open func isChangeSet(_ index: Int) -> Bool {
        if case .changes = part(index) { true } else { false }
    }

    /// The part at this position; nil when there is none.
    private func part(_ index: Int) -> Member.Part? {
        members.indices.contains(index) ? members[index].part : nil
    }

    /// The query at this position, or the call of a function. A change set, and a position without a part, are programming
    /// errors and trap; see ``isDataQuery(_:)`` and ``isFunction(_:)``.
    open func dataQuery(_ index: Int) -> DataQuery {
        switch part(index) {
        case .query(let query), .function(let query): return query
        default: preconditionFailure("Expected a query at position \(index) of \(size).")
        }
    }

    /// The change set at this position. A part of another kind, and a position without one, are programming errors and
    /// trap; see ``isChangeSet(_:)``.
    open func changeSet(_ index: Int) -> ChangeSet {
        guard case .changes(let changes) = part(index) else {
            preconditionFailure("Expected a change set at position \(index) of \(size).")
        }
        return changes
    }
}

extension RequestBatch {
    /// The same as ``isDataQuery(_:)``.
    public final func isDataQuery(at index: Int) -> Bool { isDataQuery(index) }

    /// The same as ``isFunction(_:)``.
    public final func isFunction(at index: Int) -> Bool { isFunction(index) }

    /// The same as ``isChangeSet(_:)``.
    public final func isChangeSet(at index: Int) -> Bool { isChangeSet(index) }

    /// The same as ``dataQuery(_:)``, and traps where it does.
    public final func dataQuery(at index: Int) -> DataQuery { dataQuery(index) }

    /// The same as ``changeSet(_:)``, and traps where it does.
    public final func changeSet(at index: Int) -> ChangeSet { changeSet(index) }
}
