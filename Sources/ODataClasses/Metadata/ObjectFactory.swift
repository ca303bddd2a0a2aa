import ODataModel

/// Makes instances of a registered subclass, so that results are objects of the app's own classes.
///
/// The closures come from generated code and only make objects; they are called from any thread.
open class ObjectFactory: ObjectBase, @unchecked Sendable {
    /// Makes an object with default values.
    package final let create: () -> ObjectBase
    /// Makes an object that has storage only for the properties of a map.
    package final let sparse: ((SparseIndexMap) -> ObjectBase)?
    /// Makes an object from encoded text.
    package final let decode: ((any Decoder) throws -> ObjectBase)?

    private init(
        create: @escaping () -> ObjectBase, sparse: ((SparseIndexMap) -> ObjectBase)? = nil,
        decode: ((any Decoder) throws -> ObjectBase)? = nil
    ) {
        self.create = create
        self.sparse = sparse
        self.decode = decode
        super.init()
    }

    /// A factory that makes objects with default values.
    public static func with(create: @escaping () -> ObjectBase) -> ObjectFactory {
        ObjectFactory(create: create)
    }

    /// A factory that can also decode.
    public static func with(
        create: @escaping () -> ObjectBase,
        createWithDecoder decode: @escaping (any Decoder) throws -> ObjectBase
    ) -> ObjectFactory {
        ObjectFactory(create: create, decode: decode)
    }

    /// A factory that can also make sparse objects and decode.
    public static func with(
        create: @escaping () -> ObjectBase, sparse: @escaping (SparseIndexMap) -> ObjectBase,
        decode: @escaping (any Decoder) throws -> ObjectBase
    ) -> ObjectFactory {
        ObjectFactory(create: create, sparse: sparse, decode: decode)
    }
}

/// The properties that a sparse object has storage for.
open class SparseIndexMap: ObjectBase, @unchecked Sendable {
    /// Slots of the properties in ascending order.
    package final let slots: [Int]

    package init(slots: [Int]) {
        self.slots = slots.sorted()
        super.init()
    }
}

/// A read and write lock over the metadata registry of generated code.
open class MetadataLock: ObjectBase, @unchecked Sendable {
    // The lock has no state of its own; callers hold it as a token.

    /// Creates a lock that nobody holds.
    public override init() { super.init() }
}
