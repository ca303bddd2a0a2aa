/// The type of a value: a name, a code for `switch`, and what kind of type it is.
open class DataType: ObjectBase, @unchecked Sendable {
    private let typeName: String
    private let typeCode: Int

    package init(name: String, code: Int) {
        typeName = name
        typeCode = code
        super.init()
    }

    /// The name of the type, qualified where it belongs to a schema.
    open var name: String { typeName }

    /// The code that stands for the type in a `switch`.
    open var code: Int { typeCode }

    /// True for primitive types.
    open var isBasic: Bool { false }

    /// The type of values whose type is not known.
    public static let unknown = DataType(name: "unknown", code: 0)

    /// The name of the type.
    open override func toString() -> String { name }
}
