import ODataModel
import ODataQuery

/// What a query gave. The accessors throw when the result has another shape than the one they name.
open class QueryResult: ObjectBase, @unchecked Sendable {
    // Immutable but for `messages`, which the provider sets before it hands the result out.
    /// The query that was executed.
    public final let query: DataQuery
    /// What it gave, whatever shape it has; nil for null.
    public final let result: DataValue?
    /// The HTTP status; 0 when there was none.
    public final let status: Int
    /// Why the query failed; nil when it did not.
    public final let error: DataServiceError?

    /// What the service says beside its answer (the headers `sap-message` and `sap-messages`).
    public final package(set) var messages: ErrorResponseList {
        get { givenMessages ?? ErrorResponseList() }
        set { givenMessages = newValue }
    }
    private final var givenMessages: ErrorResponseList?

    /// Creates a result.
    public init(
        query: DataQuery, result: DataValue?, status: Int = 0, error: DataServiceError? = nil
    ) {
        self.query = query
        self.result = result
        self.status = status
        self.error = error
        super.init()
    }

    /// The result, after the error was thrown if there is one.
    ///
    /// - Throws: The error that the query failed with.
    open func checkedResult() throws -> DataValue? {
        if let error { throw error }
        return result
    }

    /// Throws the error of a failed query.
    ///
    /// - Throws: The error that the query failed with.
    open func check(_ fixOptions: Int = 0) throws { _ = try checkedResult() }

    private func value<Value>(_ what: String, as type: Value.Type) throws -> Value? {
        guard let value = try checkedResult() else { return nil }
        guard let typed = value as? Value else {
            throw QueryResultError(message: "Expected \(what), found \(Swift.type(of: value)).")
        }
        return typed
    }

    private func required<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw QueryResultError(message: "Expected \(what), found none.") }
        return value
    }

    /// A list of one entity stands for the entity, as services answer a filter on a key.
    private func single<Item: DataValue>(_ what: String, as type: Item.Type) throws -> Item? {
        let result = try checkedResult()
        if let item = result as? Item { return item }
        guard let list = result as? ValueList<Item> else { return try value(what, as: type) }
        guard list.length <= 1 else {
            throw QueryResultError(message: "Expected \(what), found \(list.length).")
        }
        return list.isEmpty ? nil : list.first()
    }

    // MARK: Shapes

    /// The entities; a single entity is a list of one, nothing is an empty list.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for anything but
    ///   entities.
    open func entityList() throws -> EntityValueList {
        if let entity = try checkedResult() as? EntityValue {
            return EntityValueList.fromArray([entity])
        }
        return try value("a list of entities", as: EntityValueList.self) ?? EntityValueList()
    }

    /// The entity.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for none, for several,
    ///   and for anything else.
    open func requiredEntity() throws -> EntityValue {
        try required(try optionalEntity(), "an entity")
    }

    /// The entity; nil when there is none.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for several entities, or
    ///   anything else.
    open func optionalEntity() throws -> EntityValue? {
        try single("one entity", as: EntityValue.self)
    }

    /// The complex values.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for anything but complex
    ///   values.
    open func complexList() throws -> ComplexValueList {
        try value("a list of complex values", as: ComplexValueList.self) ?? ComplexValueList()
    }

    /// The complex value.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for none, for several,
    ///   and for anything else.
    open func requiredComplex() throws -> ComplexValue {
        try required(try optionalComplex(), "a complex value")
    }

    /// The complex value; nil when there is none.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for several complex
    ///   values, or anything else.
    open func optionalComplex() throws -> ComplexValue? {
        try value("a complex value", as: ComplexValue.self)
    }

    /// The primitive values.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for anything but
    ///   primitive values.
    open func basicList() throws -> DataValueList {
        guard let list = try value("a list of values", as: ListBase.self) else {
            return DataValueList()
        }
        return DataValueList.fromArray(list.dataValues().compactMap { $0 })
    }

    /// The primitive value.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for none, for several,
    ///   and for anything else.
    open func requiredBasic() throws -> DataValue { try required(try optionalBasic(), "a value") }

    /// The primitive value; nil for null.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for several values, or
    ///   anything else.
    open func optionalBasic() throws -> DataValue? {
        guard let value = try checkedResult() else { return nil }
        guard !(value is ListBase), !(value is StructureBase) else {
            throw QueryResultError(
                message: "Expected a primitive value, found \(type(of: value)).")
        }
        return value
    }

    // MARK: Numbers and links

    /// How many entities there are: the number that was asked for, or else the length of the list.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` where there is neither a
    ///   number nor a list.
    open func count() throws -> Int64 {
        if let list = try checkedResult() as? ListBase { return Int64(list.length) }
        guard case .integer(let number)? = try optionalBasic()?.scalarValue() else {
            throw QueryResultError(message: "Expected a number.")
        }
        return number
    }

    /// How many entities there are in all (Protocol 4.01, section 11.2.6.5).
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` where no number came.
    open func inlineCount() throws -> Int64 {
        try required(try entityList().totalCount, "an inline count")
    }

    /// Where the next page is; nil on the last (Protocol 4.01, section 11.2.6.7).
    open func nextLink() -> String? { (result as? EntityValueList)?.nextLink }

    /// Where later changes are read; nil where the service gave none (Protocol 4.01, section 11.3).
    open func deltaLink() -> String? { (result as? EntityValueList)?.deltaLink }

    /// The entities one by one.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for anything but
    ///   entities.
    open func entityStream() throws -> EntityStream { EntityStream(try entityList()) }

    /// The changes one by one.
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` for anything but
    ///   entities.
    open func deltaStream() throws -> DeltaStream { DeltaStream(try entityList()) }

    /// The query for the next page (Protocol 4.01, section 11.2.6.7).
    ///
    /// - Throws: The error that the query failed with; `QueryResultError` on the last page.
    open func nextQuery() throws -> DataQuery {
        let next = query.copy()
        next.url = try required(nextLink(), "a next link")
        return next
    }

    /// The result as text.
    open override func toString() -> String { result?.toString() ?? "null" }
}
