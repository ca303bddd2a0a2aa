import ODataModel

/// A list of entities, with what a service says about a collection as a whole (JSON Format 4.01, sections 4.6 and 15).
open class EntityValueList: ValueList<EntityValue>, EntityValueOrList, @unchecked Sendable {
    // Confined as its base class says.

    /// The type that all entities of the list have or derive from, where it is known.
    package final var itemTypeObject: EntityType?
    /// How many entities the whole collection has, paging left aside; nil unless asked for.
    public final var totalCount: Int64?
    /// Where the next page is; nil on the last.
    public final var nextLink: String?
    /// Where later changes are read; nil where the service gave none.
    public final var deltaLink: String?
    /// Where the collection was read from.
    public final var readLink: String?
    /// True when the list holds changes instead of the whole collection.
    public final var isDelta = false
    /// True when the entities are references only.
    public final var isReference = false
    /// Links that were made or removed, where the list holds changes.
    public final var changedLinks = ChangedLinkList()

    /// The type that all entities of the list have or derive from.
    public final var entityType: EntityType {
        itemTypeObject ?? (isEmpty ? nil : items[0].entityType) ?? EntityType.undefined
    }

    /// The list type.
    open override var dataType: DataType { DataType.listOf(entityType) }

    /// Says which type the entities have, and returns the list.
    @discardableResult
    public final func withItemType(_ type: EntityType) -> Self {
        itemTypeObject = type
        return self
    }

    /// The entities that have `type` or derive from it, in a new list.
    public final func withType(_ type: EntityType) -> EntityValueList {
        let list = copy()
        list.items = items.filter { $0.hasDataType(type) }
        return list.withItemType(type)
    }

    /// The same entities in a list that may have gaps.
    public final func withNulls() -> EntityValueListWithNulls {
        EntityValueListWithNulls.fromArray(items)
    }

    /// By key, unless ``ListBase/sortWith(_:)`` is given another order.
    open override var comparer: Comparer { EntityComparer.byKey }

    /// The entities of rows of a chunk, made when one is first looked at.
    package static func rows(
        _ chunk: any RowChunk, _ rows: Range<Int>, in model: MetadataModel, set: EntitySet?
    ) -> EntityValueList {
        EntityValueList(count: rows.count) {
            // Rows mostly have one type, whose factory is looked up once.
            var last: (id: StructureID, type: EntityType, factory: ObjectFactory?)?
            return rows.map { row in
                let id = chunk.type(row: row)
                if last?.id != id {
                    let type = (model[id] as? EntityType) ?? EntityType.undefined
                    last = (id, type, type.nearestFactory)
                }
                return EntityValue.make(
                    .chunk(chunk, row: row), type: last?.type ?? EntityType.undefined, in: set,
                    factory: last?.factory)
            }
        }
    }

    /// A new list of the same entities with the same links and counts.
    open override func copy() -> Self {
        let copy = super.copy()
        copy.itemTypeObject = itemTypeObject
        copy.totalCount = totalCount
        copy.nextLink = nextLink
        copy.deltaLink = deltaLink
        copy.readLink = readLink
        copy.isDelta = isDelta
        copy.isReference = isReference
        copy.changedLinks = changedLinks.copy()
        return copy
    }

    /// True when both are nil or both have equal entities in the same order.
    open class func equal(_ left: EntityValueList?, _ right: EntityValueList?) -> Bool {
        left == right
    }
}
