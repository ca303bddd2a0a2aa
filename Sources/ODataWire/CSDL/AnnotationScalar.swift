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

    /// A plain JSON value; only a path whose value is meant is an object (CSDL JSON 4.01, sections 14.3 and 14.4.1).
    ///
    /// The declared type of the term tells what a string is: where nobody declares the term it reads back as a string.
    var json: JSONValue {
        switch kind {
        case "Path": return .object(JSONObject([.init(name: "$Path", value: .string(text))]))
        case "Bool":
            return text == "true" || text == "false" ? .boolean(text == "true") : .string(text)
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
