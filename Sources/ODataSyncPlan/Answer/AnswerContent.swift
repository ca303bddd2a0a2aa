import ODataModel
import ODataQuery

/// What an answer gave, whatever its form on the wire.
package enum AnswerContent: Sendable {
    case nothing
    /// The answer to `/$count`.
    case number(Int64)
    /// The pages of a collection that were read, in order.
    case entities([AnswerPage])
    case entity(AnswerEntity)
    case value(ODataValue, TypeReference)
    /// The content of a stream, with its headers.
    case stream(ResponseMessage)
}

/// An entity of an answer.
package struct AnswerEntity: Sendable {
    package var value: StructureValue
    package var set: EntitySetID?
    /// Only its name is known.
    package var isReference = false
    /// It is no longer part of the result.
    package var isRemoved = false

    package init(value: StructureValue, set: EntitySetID?) {
        self.value = value
        self.set = set
    }
}

/// A relationship that began or ended, between entities of which only the names are known.
package struct AnswerLink: Sendable {
    package var source: AnswerEntity
    package var sourceType: StructureID
    package var slot: Int
    package var target: AnswerEntity
    package var isDeleted: Bool
}

/// What a page of a collection or of a delta holds.
package enum AnswerItem: Sendable {
    case entity(AnswerEntity)
    case link(AnswerLink)
}

/// One page of a collection.
package struct AnswerPage: Sendable {
    /// The type that all its entities have or derive from.
    package var type: StructureID
    package var set: EntitySetID?
    /// Its entities, where there is nothing but entities of one set.
    package var rows: [StructureValue] = []
    /// What a delta or a page of references has instead.
    package var items: [AnswerItem] = []
    package var isReference = false
    /// The number of all matching entities, where asked for.
    package var count: Int64?
    /// Links relative to the service root.
    package var nextLink: String?
    package var deltaLink: String?

    package init(type: StructureID, set: EntitySetID?) {
        self.type = type
        self.set = set
    }
}

/// What the answer to a create or update says of the entity.
package struct EntityAnswer: Sendable {
    /// Its state, where the answer has one.
    package var values: StructureValue?
    /// Its tag, where the answer has no state.
    package var entityTag: String?
    /// Where it is, relative to the service root, where the answer has no state.
    package var readLink: String?
    /// Its key in key order, as its location names it.
    package var key: [Scalar]?

    package init(values: StructureValue? = nil, entityTag: String? = nil) {
        self.values = values
        self.entityTag = entityTag
    }
}
