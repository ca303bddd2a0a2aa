import ODataModel

/// The facets of a type where it is used (CSDL 4.01, section 7.2), and the special values they may have.
open class TypeFacets: ObjectBase, @unchecked Sendable {
    // Constant.
    private final let values: TypeFacetValues
    /// True when a value may be null (CSDL 4.01, section 7.2.1).
    public final let isNullable: Bool

    package init(_ type: TypeReference) {
        values = type.facets
        isNullable = type.isNullable
        super.init()
    }

    package init(_ values: TypeFacetValues) {
        self.values = values
        isNullable = true
        super.init()
    }

    /// The most characters or bytes; ``anyLength`` when not stated (CSDL 4.01, section 7.2.2).
    open var maxLength: Int { values.maximumLength }

    /// The fewest characters or bytes; 0, since CSDL has no facet for it.
    open var minLength: Int { 0 }

    /// The most digits, or the digits of a second's fraction; ``anyPrecision`` when not stated (CSDL 4.01, section 7.2.3).
    open var precision: Int { values.statedPrecision }

    /// Digits behind the decimal point, ``variableScale`` or ``floatingScale`` (CSDL 4.01, section 7.2.4).
    open var scale: Int { values.statedScale }

    /// The spatial reference system, or ``variableSrid`` (CSDL 4.01, section 7.2.6).
    open var srid: Int { values.statedSRID }

    /// True unless values are restricted to ASCII (CSDL 4.01, section 7.2.5).
    open var isUnicode: Bool { values.isUnicode ?? true }

    /// True when all values have the maximum length (V2 and V3).
    open var fixedLength: Bool { values.isFixedLength ?? false }

    /// Equal when all facets are.
    public final func equals(_ other: TypeFacets) -> Bool {
        values == other.values && isNullable == other.isNullable
    }

    /// The facets that are stated, as CSDL spells them.
    open override func toString() -> String {
        var parts: [String] = isNullable ? [] : ["Nullable=false"]
        if let length = values.maxLength { parts.append("MaxLength=\(length)") }
        if let precision = values.precision { parts.append("Precision=\(precision)") }
        switch values.scale {
        case .fixed(let digits): parts.append("Scale=\(digits)")
        case .variable: parts.append("Scale=variable")
        case .floating: parts.append("Scale=floating")
        case nil: break
        }
        if let srid = values.srid {
            parts.append("SRID=\(srid == Self.variableSrid ? "variable" : "\(srid)")")
        }
        return parts.joined(separator: " ")
    }

    /// Any length: no maximum is stated.
    public static let anyLength = Int.max
    /// Any precision: none is stated.
    public static let anyPrecision = Int.max
    /// The scale is that of each value.
    public static let variableScale = -1
    /// The decimal point floats.
    public static let floatingScale = -2
    /// The reference system is that of each value.
    public static let variableSrid = TypeFacetValues.variableSRID
}

extension TypeFacetValues {
    var maximumLength: Int { maxLength ?? TypeFacets.anyLength }
    var statedPrecision: Int { precision ?? TypeFacets.anyPrecision }
    var statedSRID: Int { srid ?? 0 }

    var statedScale: Int {
        switch scale {
        case .fixed(let digits): digits
        case .variable: TypeFacets.variableScale
        case .floating: TypeFacets.floatingScale
        case nil: 0
        }
    }
}
