import ODataText

/// What attributes of a name may say, told once for each name of a document: most properties have none of these, and
/// comparing each of their attributes with each of the names was an eighth of loading.
struct CSDLMarks: OptionSet {
    let rawValue: UInt8

    /// A facet of a type.
    static let facet = CSDLMarks(rawValue: 1)
    /// A default, a concurrency token or a kind of collection.
    static let detail = CSDLMarks(rawValue: 2)
    /// In a namespace, and so kept as an annotation.
    static let foreign = CSDLMarks(rawValue: 4)

    static func mark(_ name: XMLName) -> UInt8 {
        guard name.namespace.isEmpty else { return foreign.rawValue }
        return switch name.localName {
        case "MaxLength", "Precision", "Scale", "SRID", "Unicode", "FixedLength": facet.rawValue
        case "DefaultValue", "Default", "ConcurrencyMode", "CollectionKind": detail.rawValue
        default: 0
        }
    }
}

extension XMLNode {
    /// True when an attribute has one of the marks.
    func has(_ marks: CSDLMarks) -> Bool { attributeMarks & marks.rawValue != 0 }
}
