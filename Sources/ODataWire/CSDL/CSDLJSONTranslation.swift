import ODataModel
import ODataText

/// Puts a CSDL JSON document (CSDL JSON 4.01) into the elements of CSDL XML, so that one reader gives both their
/// meaning. Every element's offset is an index into ``paths``.
struct CSDLJSONTranslation {
    /// Where each element stood in the JSON text, as a path of member names.
    private(set) var paths: [String] = []
    let root: JSONObject
    var types = AnnotationTypes.standard
    private var aliases: [String: String] = [:]
    /// V2 and V3 documents keep their own namespace.
    private(set) var namespace = CSDLBuilder.edmNamespaces[0]

    /// Notes versions, aliases and the types of terms.
    ///
    /// - Throws: `invalidMetadata` when the value is no CSDL JSON document.
    init(_ value: JSONValue) throws {
        guard let object = value.object, object["$Version"] != nil else {
            throw ODataError(
                .invalidMetadata, "Expected the member $Version of a CSDL JSON document.")
        }
        root = object
        let version = object["$Version"]?.string ?? ""
        if version == "2.0" || version == "3.0" { namespace = Self.oldNamespace }
        collectAliases()
        collectTypes()
    }

    static let oldNamespace = "http://schemas.microsoft.com/ado/2009/11/edm"

    private mutating func collectAliases() {
        for reference in root["$Reference"]?.object?.members ?? [] {
            for include in reference.value["$Include"]?.array ?? [] {
                guard let alias = include["$Alias"]?.string else { continue }
                aliases[alias] = include["$Namespace"]?.string
            }
        }
        for schema in schemas {
            if let alias = schema.value["$Alias"]?.string { aliases[alias] = schema.name }
        }
    }

    private mutating func collectTypes() {
        for schema in schemas {
            for member in schema.value.object?.members ?? [] {
                let name = "\(schema.name).\(member.name)"
                switch member.value["$Kind"]?.string {
                case "Term": types.declare(term: name, typeName(member.value))
                case "EnumType": types.declare(enumeration: name)
                case "ComplexType", "EntityType":
                    if let base = member.value["$BaseType"]?.string {
                        types.declare(base: unaliased(base), of: name)
                    }
                    for property in member.value.object?.members ?? []
                    where property.value.object != nil && !property.name.contains("@") {
                        types.declare(
                            property: property.name, of: name, typeName(property.value))
                    }
                default: continue
                }
            }
        }
    }

    private var schemas: [JSONObject.Member] {
        root.members.filter { !$0.name.hasPrefix("$") && !$0.name.hasPrefix("@") }
    }

    private func typeName(_ value: JSONValue) -> String {
        let item = unaliased(value["$Type"]?.string ?? "Edm.String")
        return value["$Collection"]?.boolean == true ? "Collection(\(item))" : item
    }

    /// The name with the namespace that its alias stands for.
    func unaliased(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
        let prefix = String(name[..<dot])
        return (aliases[prefix] ?? CSDLBuilder.customaryAliases[prefix] ?? prefix) + name[dot...]
    }

    // MARK: - Elements

    /// An element whose offset remembers `path`.
    mutating func element(
        _ name: String, _ attributes: [(String, String?)] = [], _ children: [XMLElement] = [],
        text: String = "", at path: String
    ) -> XMLElement {
        paths.append(path)
        return XMLElement(
            XMLName(name, namespace: namespace),
            attributes: attributes.compactMap { name, value in
                value.map { XMLAttribute(name: XMLName(name), value: $0) }
            }, children: children, text: text, offset: paths.count - 1)
    }

    /// The text of a member that may be a string, a number or a Boolean; nil when it is absent.
    func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text), .number(let text): text
        case .boolean(let flag): String(flag)
        default: nil
        }
    }

    func error(_ message: String, at path: String) -> ODataError {
        ODataError(.invalidMetadata, message, at: .path(path))
    }

    // MARK: - Document

    /// The whole document.
    mutating func document() throws -> XMLElement {
        let version = root["$Version"]?.string ?? ""
        var children: [XMLElement] = []
        for member in root["$Reference"]?.object?.members ?? [] {
            children.append(try reference(member))
        }
        var content: [XMLElement] = []
        for schema in schemas { content.append(try self.schema(schema)) }
        var services = element("DataServices", [], content, at: "")
        let isOld = version == "2.0" || version == "3.0"
        if isOld {
            services.attributes.append(
                XMLAttribute(
                    name: XMLName(
                        "DataServiceVersion", namespace: CSDLBuilder.metadataNamespace),
                    value: version))
        }
        children.append(services)
        var frame = element(
            "Edmx", [("Version", isOld ? "1.0" : version)], children, at: "$Version")
        frame.name = XMLName("Edmx", namespace: CSDLBuilder.edmxNamespaces[isOld ? 1 : 0])
        return frame
    }

    private mutating func reference(_ member: JSONObject.Member) throws -> XMLElement {
        let path = "$Reference/\(member.name)"
        var children: [XMLElement] = []
        for include in member.value["$Include"]?.array ?? [] {
            var node = element(
                "Include",
                [
                    ("Namespace", include["$Namespace"]?.string),
                    ("Alias", include["$Alias"]?.string),
                ], at: path)
            try annotate(&node, include.object, at: path)
            children.append(node)
        }
        for include in member.value["$IncludeAnnotations"]?.array ?? [] {
            children.append(
                element(
                    "IncludeAnnotations",
                    [
                        ("TermNamespace", include["$TermNamespace"]?.string),
                        ("TargetNamespace", include["$TargetNamespace"]?.string),
                        ("Qualifier", include["$Qualifier"]?.string),
                    ], at: path))
        }
        var node = element("Reference", [("Uri", member.name)], children, at: path)
        try annotate(&node, member.value.object, at: path)
        return node
    }

    private mutating func schema(_ member: JSONObject.Member) throws -> XMLElement {
        guard let object = member.value.object else {
            throw error("Expected an object for the schema \(member.name).", at: member.name)
        }
        var children: [XMLElement] = []
        for item in object.members where !item.name.hasPrefix("$") && !item.name.hasPrefix("@") {
            let path = "\(member.name).\(item.name)"
            if let overloads = item.value.array {
                for overload in overloads {
                    children.append(try operation(overload, named: item.name, at: path))
                }
            } else {
                children.append(try definition(item, at: path))
            }
        }
        for target in object["$Annotations"]?.object?.members ?? [] {
            var node = element(
                "Annotations", [("Target", target.name)], at: "\(member.name)/$Annotations")
            try annotate(&node, target.value.object, at: target.name)
            children.append(node)
        }
        var node = element(
            "Schema", [("Namespace", member.name), ("Alias", object["$Alias"]?.string)], children,
            at: member.name)
        try annotate(&node, object, at: member.name)
        return node
    }
}
