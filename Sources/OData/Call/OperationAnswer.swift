import ODataModel
import ODataSyncPlan

/// What the service answered to an operation, in no type of Swift yet.
public struct OperationAnswer: Sendable {
    private let content: AnswerContent
    private let model: RowModel
    /// Finds the row that an entity has in the store.
    private let row: @Sendable (_ set: String, StructureValue) -> Int64?

    init(
        _ content: AnswerContent, _ model: RowModel,
        _ row: @escaping @Sendable (_ set: String, StructureValue) -> Int64?
    ) {
        self.content = content
        self.model = model
        self.row = row
    }

    /// Whether the service answered without a value.
    public var isNothing: Bool {
        switch content {
        case .nothing: true
        case .value(let value, _): value.isNull
        default: false
        }
    }

    /// A value, or a list of values: `Int.self`, `[String].self`, an `OpenEnum`, a `ComplexValue`, or an optional of these.
    ///
    /// - Throws: `wrongType` for an answer of another kind, `unexpectedNull` for none.
    public func value<Value: FieldValue>(
        as type: Value.Type = Value.self
    ) throws(ODataError) -> Value {
        switch content {
        case .nothing: return try Value.fieldValue(from: .null)
        case .number(let number): return try Value.fieldValue(from: StoredValue(.integer(number)))
        case .value(let value, let type):
            let enumeration = type.enumeration.map { model.graph[$0] }
            return try Value.fieldValue(from: StoredValue(value, enumeration, model))
        case .entities, .entity, .stream: throw Self.mismatch("a value")
        }
    }

    /// An entity; nil where the service answered with none. Its ref is that of the entity in the store; of one that is not
    /// there it leads nowhere, and links are unknown.
    ///
    /// - Throws: `wrongType` for an answer of another kind; what reading the entity throws.
    public func entity<E: Entity>(as type: E.Type = E.self) throws(ODataError) -> E? {
        switch content {
        case .nothing: return nil
        case .entity(let entity): return try read(entity)
        case .value(let value, _) where value.isNull: return nil
        case .entities(let pages):
            let all: [E] = try read(pages)
            guard all.count <= 1 else { throw Self.mismatch("an entity") }
            return all.first
        case .number, .value, .stream: throw Self.mismatch("an entity")
        }
    }

    /// Entities in the order of the answer; see ``entity(as:)``.
    ///
    /// - Throws: As that.
    public func entities<E: Entity>(of type: E.Type = E.self) throws(ODataError) -> [E] {
        switch content {
        case .nothing: return []
        case .entities(let pages): return try read(pages)
        case .entity(let entity): return [try read(entity)]
        case .number, .value, .stream: throw Self.mismatch("entities")
        }
    }

    private func read<E: Entity>(_ pages: [AnswerPage]) throws(ODataError) -> [E] {
        var result: [E] = []
        for page in pages {
            for value in page.rows {
                result.append(try read(AnswerEntity(value: value, set: page.set)))
            }
        }
        return result
    }

    private func read<E: Entity>(_ entity: AnswerEntity) throws(ODataError) -> E {
        guard model.isType(entity.value.type, of: E.self) else {
            throw Self.mismatch("an entity of \(E.typeName ?? E.entitySet)")
        }
        // Metadata need not say of which set they are; then the type of Swift does.
        let set = entity.set.map { model.graph[$0].name } ?? E.entitySet
        let known = set == E.entitySet ? row(set, entity.value) : nil
        return try E(Row(entity.value, id: known ?? Ref<E>.outside(), [], model))
    }

    private static func mismatch(_ expected: String) -> ODataError {
        ODataError(.wrongType, "Expected \(expected) as the answer, found another.")
    }
}
