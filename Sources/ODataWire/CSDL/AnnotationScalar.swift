import ODataModel
import ODataText

/// A constant or path of an annotation, between its XML element name and its JSON value.
struct AnnotationScalar: Hashable {
    /// `String`, `Bool`, `Int`, `Decimal`, `PropertyPath`, `EnumMember` and so on.
    var kind: String
    var text: String

    static let kinds: Set<String> = [
        "String", "Bool", "Int", "Decimal", "Float", "Binary", "Date", "DateTimeOffset", "Duration",
        "Guid", "TimeOfDay", "EnumMember", "Path", "PropertyPath", "NavigationPropertyPath",
        "AnnotationPath", "ModelElementPath", "AnyPropertyPath",
    ]

    private static let pathKinds: Set<String> = [
        "PropertyPath", "NavigationPropertyPath", "AnnotationPath", "ModelElementPath",
        "AnyPropertyPath",
    ]

    private static let numberKinds: Set<String> = ["Int", "Decimal", "Float"]

    /// Kinds by the primitive types that terms declare.
    private static let kindsByType = [
        "Edm.PropertyPath": "PropertyPath", "Edm.NavigationPropertyPath": "NavigationPropertyPath",
        "Edm.AnnotationPath": "AnnotationPath", "Edm.ModelElementPath": "ModelElementPath",
        "Edm.AnyPropertyPath": "AnyPropertyPath", "Edm.Date": "Date",
        "Edm.DateTimeOffset": "DateTimeOffset", "Edm.Duration": "Duration", "Edm.Guid": "Guid",
        "Edm.TimeOfDay": "TimeOfDay", "Edm.Binary": "Binary", "Edm.Decimal": "Decimal",
        "Edm.Double": "Float", "Edm.Single": "Float",
    ]

    init(_ kind: String, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The constant or path; nil for collections, records and dynamic expressions.
    init?(_ expression: AnnotationExpression) {
        switch expression {
        case .boolean(let value): self.init("Bool", String(value))
        case .integer(let value): self.init("Int", String(value))
        case .constant(let kind, let text): self.init(kind, text)
        case .string(let text): self.init("String", text)
        case .enumMember(let text): self.init("EnumMember", text)
        case .path(let kind, let text): self.init(kind, text)
        default: return nil
        }
    }

    // MARK: - JSON

    /// What a plain JSON value stands for where a value of this type is expected; nil for null, arrays and objects.
    init?(plain value: JSONValue, expected: String?, in types: AnnotationTypes) {
        let kind = expected.flatMap { Self.kindsByType[$0] }
        switch value {
        case .boolean(let flag): self.init("Bool", String(flag))
        case .number(let text):
            if kind == "Decimal" || kind == "Float", let kind {
                self.init(kind, text)
            } else if let expected, types.isEnumeration(expected) {
                self.init("EnumMember", "\(expected)/\(text)")
            } else {
                self.init(Int64(text) != nil ? "Int" : "Decimal", text)
            }
        case .string(let text):
            if let expected, types.isEnumeration(expected) {
                let members = text.split(separator: ",").map { member in
                    "\(expected)/\(member.drop { $0 == " " })"
                }
                self.init("EnumMember", members.joined(separator: " "))
            } else {
                self.init(kind ?? "String", text)
            }
        default: return nil
        }
    }

    /// The plain JSON value where that says enough, else an object that names the kind, such as `{"$Date":"…"}`.
    func json(expected: String?, in types: AnnotationTypes) -> JSONValue {
        let plain = plainJSON
        if let plain, let read = AnnotationScalar(plain: plain, expected: expected, in: types),
            read.text == text,
            read.kind == kind || Self.pathKinds.isSuperset(of: [kind, read.kind])
                || Self.numberKinds.isSuperset(of: [kind, read.kind])
        {
            return plain
        }
        return .object(JSONObject([.init(name: "$\(kind)", value: .string(text))]))
    }

    private var plainJSON: JSONValue? {
        switch kind {
        case "Path": return nil
        case "Bool": return text == "true" || text == "false" ? .boolean(text == "true") : nil
        case "Int", "Decimal", "Float":
            guard (try? JSONValue(parsing: text))?.number == text else { return .string(text) }
            return .number(text)
        case "EnumMember":
            let members = text.split(separator: " ").map { member in
                member.split(separator: "/").last.map(String.init) ?? ""
            }
            return .string(members.joined(separator: ","))
        default: return .string(text)
        }
    }
}
