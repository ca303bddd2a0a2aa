/// The expressions between Swift values and values of the library.
struct ValueCode {
    let type: ProxyType
    /// The converter of an enumeration by its name.
    let converters: [String: String]

    private var name: String { type.shape.swiftType }
    private var converter: String { converters[name] ?? name + "Convert" }

    /// Reads one value that may be missing out of `source`, an expression of `DataValue?`.
    func optional(_ source: String) -> String {
        switch type.shape {
        case .plain(let wrapper, _): "\(wrapper).optional(\(source))"
        case .object(let name): "\(name).castOptional(\(source))"
        case .untyped: source
        case .stream: "StreamLink.castOptional(\(source))"
        case .enumeration: "\(converter).fromOptionalEnumValue(\(source))"
        case .complex(let name), .entity(let name): "CastOptional<\(name)>.from(\(source))"
        }
    }

    /// Reads one value out of `source`, an expression of `DataValue`.
    func required(_ source: String) -> String {
        switch type.shape {
        case .plain(let wrapper, _): "\(wrapper).unwrap(\(source))"
        case .object(let name): "\(name).castRequired(\(source))"
        case .complex(let name), .entity(let name): "CastRequired<\(name)>.from(\(source))"
        case .untyped, .stream, .enumeration: source
        }
    }

    /// The items of `source`, an expression of a `DataValueListWithNulls`; missing ones are left out.
    func items(_ source: String) -> String {
        let present = "\(source).withoutNulls().toArray()"
        switch type.shape {
        case .untyped: return present
        case .enumeration: return "\(present).compactMap { \(optional("$0")) }"
        default: return "\(present).map { \(required("$0")) }"
        }
    }

    /// A value of the library for `source`, an expression of the declared type.
    func value(_ source: String) -> String {
        if type.isCollection { return list(source) }
        return type.isOptional ? optionalValue(source) : requiredValue(source)
    }

    private func optionalValue(_ source: String) -> String {
        switch type.shape {
        case .plain(let wrapper, _): "\(wrapper).of(optional: \(source))"
        case .enumeration: "\(converter).toOptionalEnumValue(\(source))"
        default: source
        }
    }

    private func requiredValue(_ source: String) -> String {
        switch type.shape {
        case .plain(let wrapper, _): "\(wrapper).of(\(source))"
        case .enumeration: "\(converter).toRequiredEnumValue(\(source))"
        default: source
        }
    }

    private func list(_ source: String) -> String {
        switch type.shape {
        case .entity(let name):
            name == "EntityValue"
                ? "EntityValueList.fromArray(\(source))"
                : "EntityValueList.fromArray(ArrayConverter.convert(\(source), [EntityValue]()))"
        case .complex(let name):
            name == "ComplexValue"
                ? "ComplexValueList.fromArray(\(source))"
                : "ComplexValueList.fromArray(ArrayConverter.convert(\(source), [ComplexValue]()))"
        case .plain: "DataValueList.fromArray(\(source).map { \(requiredValue("$0")) })"
        case .enumeration: "EnumValueList.fromArray(\(source).map { \(requiredValue("$0")) })"
        case .object, .untyped, .stream: "DataValueList.fromArray(\(source))"
        }
    }

    /// The arrays of entities or complex values in `source`, an expression of their list.
    func array(_ source: String) -> String {
        name == "EntityValue" || name == "ComplexValue"
            ? "\(source).toArray()" : "\(name).array(from: \(source))"
    }
}
