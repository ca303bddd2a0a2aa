import ODataModel

/// One property, or one member of a complex property, and the column that holds it.
package struct ColumnMapping: Sendable, Hashable {
    /// Property names joined by `/`, as `Address/City`.
    package var path: String
    /// The slot in the entity, then in each complex value on the way.
    package var slots: [Int]
    /// The entity type that the first slot counts in: the table's type, or the derived type that declares it.
    package var owner: StructureID
    package var type: TypeReference
    package var encoding: ColumnEncoding
    /// The column's name, unquoted.
    package var name: String
    /// `P#order`, where the encoding has one.
    package var orderColumn: String?
    /// `P#offset`, where the encoding has one.
    package var offsetColumn: String?
    /// True where a Decimal or a duration is of a type that orders itself, and needs no companion for that.
    package var isSelfOrdered = false
    /// The column as its owner made it; nil where it is read as it is.
    package var native: NativeColumn?
    /// The integers that the type has, where the column may hold others; those are null then. Nil where it holds none.
    package var range: ClosedRange<Int64>?
    /// False when the database refuses writes to it (generated columns, views).
    package var isWritable = true

    package init(
        path: String, slots: [Int], owner: StructureID, type: TypeReference,
        encoding: ColumnEncoding, name: String? = nil
    ) {
        let name = name ?? path
        self.path = path
        self.slots = slots
        self.owner = owner
        self.type = type
        self.encoding = encoding
        self.name = name
        orderColumn = encoding.hasOrderCompanion ? name + "#order" : nil
        offsetColumn = encoding.hasOffsetCompanion ? name + "#offset" : nil
    }

    /// The column to compare, sort and index by.
    package var comparedColumn: String { orderColumn ?? name }

    /// The column and its companions, in the order in which values are bound and read.
    package var storedColumns: [String] {
        [name] + [orderColumn, offsetColumn].compactMap { $0 }
    }

    /// How many ``storedColumns`` there are.
    package var storedCount: Int {
        1 + (orderColumn == nil ? 0 : 1) + (offsetColumn == nil ? 0 : 1)
    }
}
