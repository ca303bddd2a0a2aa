import ODataModel

/// A list of value objects in which items may be missing, as those of a collection of a nullable type (CSDL 4.01,
/// section 7.2.1).
open class ValueListWithNulls<Item: DataValue>: TypedList<Item?>, @unchecked Sendable {
    // Confined as its base class says.
    override package func dataValues() -> [DataValue?] { items }

    override package func assign(_ values: [DataValue?]) {
        items = values.map { value in
            guard let value else { return nil }
            guard let item = value as? Item else {
                preconditionFailure("Expected \(Item.self), found \(Self.className(value)).")
            }
            return item
        }
    }

    /// The items that are there, in order.
    package final var present: [Item] { items.compactMap { $0 } }
}

/// A list of values of any class in which items may be missing.
open class DataValueListWithNulls: ValueListWithNulls<DataValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.dataValue) }

    /// The items that are there, in a list without gaps.
    public final func withoutNulls() -> DataValueList { DataValueList.fromArray(present) }
}

/// A list of complex values in which items may be missing.
open class ComplexValueListWithNulls: ValueListWithNulls<ComplexValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType {
        DataType.listOf(present.first?.complexType ?? BasicType.dataValue)
    }

    /// The items that are there, in a list without gaps.
    public final func withoutNulls() -> ComplexValueList { ComplexValueList.fromArray(present) }
}

/// A list of entities in which items may be missing.
open class EntityValueListWithNulls: ValueListWithNulls<EntityValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType {
        DataType.listOf(present.first?.entityType ?? EntityType.undefined)
    }

    /// The items that are there, in a list without gaps.
    public final func withoutNulls() -> EntityValueList { EntityValueList.fromArray(present) }
}

/// A list of texts in which items may be missing.
open class StringListWithNulls: TypedList<String?>, @unchecked Sendable {
    // Confined as its base class says.
    override package func dataValues() -> [DataValue?] {
        items.map { StringValue.of(optional: $0) }
    }

    override package func object(of item: String?) -> AnyObject? { StringValue.of(optional: item) }

    override package func assign(_ values: [DataValue?]) {
        items = values.map { StringValue.optional($0) }
    }

    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.string) }

    /// The texts that are there, in a list without gaps.
    public final func withoutNulls() -> StringList { StringList.fromArray(items.compactMap { $0 }) }
}
