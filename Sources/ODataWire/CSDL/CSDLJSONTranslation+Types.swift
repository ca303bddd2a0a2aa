import ODataModel
import ODataText

// Types, properties and operations (CSDL JSON 4.01, sections 6 to 12).

extension CSDLJSONTranslation {
    mutating func definition(_ member: JSONObject.Member, at path: String) throws -> XMLElement {
        guard let object = member.value.object else {
            throw error("Expected an object or an array.", at: path)
        }
        switch object["$Kind"]?.string {
        case "EntityType": return try structure("EntityType", member.name, object, at: path)
        case "ComplexType": return try structure("ComplexType", member.name, object, at: path)
        case "EnumType": return try enumeration(member.name, object, at: path)
        case "TypeDefinition":
            var node = element(
                "TypeDefinition",
                [("Name", member.name), ("UnderlyingType", object["$UnderlyingType"]?.string)]
                    + facets(
                        object, isDecimal: object["$UnderlyingType"]?.string == "Edm.Decimal"),
                at: path)
            try annotate(&node, object, at: path)
            return node
        case "Term":
            let appliesTo = (object["$AppliesTo"]?.array ?? []).compactMap(\.string)
            var node = element(
                "Term",
                [("Name", member.name)] + type(object) + [
                    ("BaseTerm", object["$BaseTerm"]?.string),
                    ("DefaultValue", text(object["$DefaultValue"])),
                    ("AppliesTo", appliesTo.isEmpty ? nil : appliesTo.joined(separator: " ")),
                ], at: path)
            try annotate(&node, object, at: path)
            return node
        case "EntityContainer": return try container(member.name, object, at: path)
        // A single overload without its array (seen).
        case "Action", "Function": return try operation(member.value, named: member.name, at: path)
        default: throw error("Expected a known $Kind.", at: path)
        }
    }

    private mutating func structure(
        _ kind: String, _ name: String, _ object: JSONObject, at path: String
    ) throws -> XMLElement {
        var children: [XMLElement] = []
        let key = object["$Key"]?.array ?? []
        if !key.isEmpty {
            var references: [XMLElement] = []
            for item in key {
                let pair = item.object?.members.first
                references.append(
                    element(
                        "PropertyRef",
                        [("Name", item.string ?? pair?.value.string), ("Alias", pair?.name)],
                        at: path))
            }
            children.append(element("Key", [], references, at: path))
        }
        for member in object.members
        where !member.name.hasPrefix("$") && !member.name.contains("@") {
            guard let value = member.value.object else {
                throw error("Expected an object for a property.", at: "\(path)/\(member.name)")
            }
            children.append(try property(member.name, value, at: "\(path)/\(member.name)"))
        }
        var node = element(
            kind,
            [
                ("Name", name), ("BaseType", object["$BaseType"]?.string),
                ("Abstract", text(object["$Abstract"])), ("OpenType", text(object["$OpenType"])),
                ("HasStream", text(object["$HasStream"])),
            ], children, at: path)
        try annotate(&node, object, at: path)
        return node
    }

    private mutating func property(
        _ name: String, _ object: JSONObject, at path: String
    ) throws -> XMLElement {
        let isNavigation = object["$Kind"]?.string == "NavigationProperty"
        var children: [XMLElement] = []
        let constraints = object["$ReferentialConstraint"]?.object
        for pair in constraints?.members ?? [] where !pair.name.contains("@") {
            var node = element(
                "ReferentialConstraint",
                [("Property", pair.name), ("ReferencedProperty", pair.value.string)], at: path)
            try annotate(&node, constraints, of: pair.name, at: path)
            children.append(node)
        }
        // The spelling of XML in an array (seen).
        for pair in object["$ReferentialConstraint"]?.array ?? [] {
            children.append(
                element(
                    "ReferentialConstraint",
                    [
                        ("Property", pair["Property"]?.string),
                        ("ReferencedProperty", pair["ReferencedProperty"]?.string),
                    ], at: path))
        }
        if let action = object["$OnDelete"]?.string {
            var node = element("OnDelete", [("Action", action)], at: path)
            try annotate(&node, object, of: "$OnDelete", at: path)
            children.append(node)
        }
        var node = element(
            isNavigation ? "NavigationProperty" : "Property",
            [("Name", name)] + type(object) + [
                ("Partner", object["$Partner"]?.string),
                ("ContainsTarget", text(object["$ContainsTarget"])),
                ("DefaultValue", text(object["$DefaultValue"])),
            ], children, at: path)
        try annotate(&node, object, at: path)
        return node
    }

    private mutating func enumeration(
        _ name: String, _ object: JSONObject, at path: String
    ) throws -> XMLElement {
        var children: [XMLElement] = []
        for member in object.members
        where !member.name.hasPrefix("$") && !member.name.contains("@") {
            var node = element(
                "Member", [("Name", member.name), ("Value", text(member.value))],
                at: "\(path)/\(member.name)")
            try annotate(
                &node, object, of: member.name, at: "\(path)/\(member.name)")
            children.append(node)
        }
        var node = element(
            "EnumType",
            [
                ("Name", name), ("UnderlyingType", object["$UnderlyingType"]?.string),
                ("IsFlags", text(object["$IsFlags"])),
            ], children, at: path)
        try annotate(&node, object, at: path)
        return node
    }

    mutating func operation(
        _ value: JSONValue, named name: String, at path: String
    ) throws -> XMLElement {
        guard let object = value.object, var kind = object["$Kind"]?.string,
            kind == "Action" || kind == "Function"
        else { throw error("Expected an action or a function.", at: path) }
        if object["@edm.IsSideEffecting"]?.boolean == false { kind = "Function" }
        var children: [XMLElement] = []
        for item in object["$Parameter"]?.array ?? [] {
            guard let parameter = item.object else {
                throw error("Expected an object for a parameter.", at: path)
            }
            var node = element(
                "Parameter", [("Name", parameter["$Name"]?.string)] + type(parameter), at: path)
            try annotate(&node, parameter, at: path)
            children.append(node)
        }
        if let result = object["$ReturnType"]?.object {
            var node = element("ReturnType", type(result), at: path)
            try annotate(&node, result, at: path)
            children.append(node)
        }
        var node = element(
            kind,
            [
                ("Name", name), ("IsBound", text(object["$IsBound"])),
                ("IsComposable", text(object["$IsComposable"])),
                ("EntitySetPath", object["$EntitySetPath"]?.string),
            ], children, at: path)
        try annotate(&node, object, at: path)
        return node
    }

    // MARK: - Containers

    private mutating func container(
        _ name: String, _ object: JSONObject, at path: String
    ) throws -> XMLElement {
        var children: [XMLElement] = []
        for member in object.members
        where !member.name.hasPrefix("$") && !member.name.contains("@") {
            children.append(try resource(member, at: "\(path)/\(member.name)"))
        }
        var node = element(
            "EntityContainer", [("Name", name), ("Extends", object["$Extends"]?.string)], children,
            at: path)
        if let standard = root["$EntityContainer"]?.string {
            let isDefault = unaliased(standard) == path
            node.attributes.append(
                XMLAttribute(
                    name: XMLName(
                        "IsDefaultEntityContainer", namespace: CSDLBuilder.metadataNamespace),
                    value: String(isDefault)))
        }
        try annotate(&node, object, at: path)
        return node
    }

    private mutating func resource(
        _ member: JSONObject.Member, at path: String
    ) throws -> XMLElement {
        guard let object = member.value.object else {
            throw error("Expected an object in the container.", at: path)
        }
        var children: [XMLElement] = []
        for pair in object["$NavigationPropertyBinding"]?.object?.members ?? [] {
            children.append(
                element(
                    "NavigationPropertyBinding",
                    [("Path", pair.name), ("Target", pair.value.string)], at: path))
        }
        var node: XMLElement
        if let action = object["$Action"]?.string {
            node = element(
                "ActionImport",
                [
                    ("Name", member.name), ("Action", action),
                    ("EntitySet", object["$EntitySet"]?.string),
                ], children, at: path)
        } else if let function = object["$Function"]?.string {
            node = element(
                "FunctionImport",
                [
                    ("Name", member.name), ("Function", function),
                    ("EntitySet", object["$EntitySet"]?.string),
                    ("IncludeInServiceDocument", text(object["$IncludeInServiceDocument"])),
                ], children, at: path)
        } else {
            let isSet = object["$Collection"]?.boolean ?? false
            node = element(
                isSet ? "EntitySet" : "Singleton",
                [
                    ("Name", member.name),
                    (isSet ? "EntityType" : "Type", object["$Type"]?.string),
                    ("Nullable", text(object["$Nullable"])),
                    ("IncludeInServiceDocument", text(object["$IncludeInServiceDocument"])),
                ], children, at: path)
        }
        try annotate(&node, object, at: path)
        return node
    }

    // MARK: - Types of values

    /// `Type`, `Nullable` and facets; a missing type is Edm.String, missing nullability is false.
    func type(_ object: JSONObject) -> [(String, String?)] {
        let item = object["$Type"]?.string ?? "Edm.String"
        let isCollection = object["$Collection"]?.boolean ?? false
        return [
            ("Type", isCollection ? "Collection(\(item))" : item),
            ("Nullable", text(object["$Nullable"]) ?? "false"),
        ] + facets(object, isDecimal: unaliased(item) == "Edm.Decimal")
    }

    /// A missing scale is variable in JSON and 0 in XML.
    private func facets(_ object: JSONObject, isDecimal: Bool) -> [(String, String?)] {
        [
            ("MaxLength", text(object["$MaxLength"])), ("Precision", text(object["$Precision"])),
            ("Scale", text(object["$Scale"]) ?? (isDecimal ? "variable" : nil)),
            ("SRID", text(object["$SRID"])), ("Unicode", text(object["$Unicode"])),
            ("FixedLength", text(object["@edm.FixedLength"])),
        ]
    }
}
