import ODataModel

/// A value of a complex type (CSDL 4.01, section 9).
open class ComplexValue: StructureBase, @unchecked Sendable {
    // Confined as its base class says.

    init(_ storage: StructureStorage, _ type: StructureType) {
        super.init(storage, type, readsDefaults: false)
    }

    /// Creates a value of the type; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, type: ComplexType? = nil) {
        let type = type ?? ComplexType.undefined
        super.init(.empty(type), type, readsDefaults: withDefaults)
    }

    /// As ``init(withDefaults:type:)``; storage is made for set properties only, whatever the map lists.
    public init(withDefaults: Bool, type: ComplexType?, withIndexMap: SparseIndexMap?) {
        let type = type ?? ComplexType.undefined
        super.init(.empty(type), type, readsDefaults: withDefaults)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public override init(from decoder: (any Decoder)?) throws {
        try super.init(from: decoder)
    }

    /// A new value of the type, or of the subclass registered for it.
    open class func ofType(_ type: ComplexType) -> ComplexValue {
        (type.makeObject() as? ComplexValue) ?? ComplexValue(withDefaults: true, type: type)
    }

    /// The type of the value.
    open var complexType: ComplexType { (typeObject as? ComplexType) ?? ComplexType.undefined }

    /// The values before the changes of the app; nil when none were remembered.
    open var oldComplex: ComplexValue? {
        get { detailsIfAny?.old as? ComplexValue }
        set { details.old = newValue }
    }

    /// A copy that shares nothing mutable with this value.
    open func copyComplex() -> ComplexValue {
        (StructureBase.make(.value(structuralCopy()), typeObject) as? ComplexValue)
            ?? ComplexValue(.value(structuralCopy()), typeObject)
    }

    /// The same as ``copyComplex()``.
    open override func copyStructure() -> StructureBase { copyComplex() }

    /// True when both are nil or both are equal.
    open class func equal(_ left: ComplexValue?, _ right: ComplexValue?) -> Bool { left == right }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    public static func castOptional(_ value: AnyObject?) -> Self? {
        value.map { castRequired($0) }
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    public static func castRequired(_ value: AnyObject?) -> Self {
        guard let result = value as? Self else {
            preconditionFailure("Expected \(Self.self), found \(className(value)).")
        }
        return result
    }
}

/// A list of complex values.
open class ComplexValueList: ValueList<ComplexValue>, @unchecked Sendable {
    /// The list type; of unknown items while the list is empty.
    open override var dataType: DataType {
        DataType.listOf(items.first?.dataType ?? ComplexType.undefined)
    }
}

extension StructureStorage {
    /// An empty value of the type.
    static func empty(_ type: StructureType) -> StructureStorage {
        .value(StructureValue(type: type.structureID, in: type.model.graph))
    }
}
