import ODataText

/// The metadata of the drawn service, which changes while clients work: orders, and items that belong to them.
struct FieldModel: Sendable, Hashable {
    enum PropertyType: Sendable, Hashable { case text, number, truth }

    struct Property: Sendable, Hashable {
        let name: String
        var type: PropertyType
    }

    /// The properties of each set, the key left aside.
    var sets: [String: [Property]]
    let givesKeys: Bool
    let isV2: Bool
    let isRepeatable: Bool
    let hasTags: Bool

    init(_ traits: FieldTraits) {
        let properties = [
            Property(name: "Name", type: .text), Property(name: "Text", type: .text),
            Property(name: "Size", type: .number), Property(name: "Extra", type: .text),
        ]
        sets = ["Orders": properties]
        if traits.hasItems {
            sets["Items"] = [
                Property(name: "Name", type: .text), Property(name: "Text", type: .text),
                Property(name: "OrderKey", type: .number), Property(name: "Done", type: .truth),
            ]
        }
        givesKeys = traits.givesKeys
        isV2 = traits.isV2
        isRepeatable = traits.isRepeatable
        hasTags = traits.hasTags
    }

    func isDeclared(_ name: String, in set: String) -> Bool {
        name == "Key" || sets[set]?.contains { $0.name == name } == true
    }

    func type(of name: String, in set: String) -> PropertyType? {
        sets[set]?.first { $0.name == name }?.type
    }

    /// Whether the service gives the key of a row of the set.
    func givesKey(of set: String) -> Bool { givesKeys || set == "Items" }

    /// Whether a value fits; null fits everywhere.
    func fits(_ value: JSONValue, _ name: String, in set: String) -> Bool {
        if name == "Key" { return givesKey(of: set) ? value.integer != nil : value.string != nil }
        switch (type(of: name, in: set), value) {
        case (_?, .null), (.text, .string), (.truth, .boolean): return true
        case (.number, _): return value.integer != nil || Self.isKeyOfOrder(name, value)
        default: return false
        }
    }

    private static func isKeyOfOrder(_ name: String, _ value: JSONValue) -> Bool {
        name == "OrderKey" && value.string != nil
    }

    // MARK: The document

    var document: String {
        let names = sets.keys.sorted(by: >)
        let body =
            names.map(type).joined() + associations
            + "<EntityContainer Name=\"C\"\(isV2 ? " m:IsDefaultEntityContainer=\"true\"" : "")>"
            + names.map(entitySet).joined() + associationSet + supported + "</EntityContainer>"
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        guard isV2 else {
            return head
                + "<edmx:Edmx Version=\"4.0\" xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\">"
                + "<edmx:DataServices><Schema Namespace=\"F\" xmlns=\"http://docs.oasis-open.org/odata/ns/edm\">"
                + body + "</Schema></edmx:DataServices></edmx:Edmx>"
        }
        return head
            + "<edmx:Edmx Version=\"1.0\" xmlns:edmx=\"http://schemas.microsoft.com/ado/2007/06/edmx\">"
            + "<edmx:DataServices m:DataServiceVersion=\"2.0\""
            + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
            + "<Schema Namespace=\"F\" xmlns=\"http://schemas.microsoft.com/ado/2008/09/edm\">"
            + body + "</Schema></edmx:DataServices></edmx:Edmx>"
    }

    private var supported: String {
        isRepeatable
            ? "<Annotation Term=\"Org.OData.Repeatability.V1.Supported\" Bool=\"true\"/>" : ""
    }

    private func entitySet(_ name: String) -> String {
        let open = "<EntitySet Name=\"\(name)\" EntityType=\"F.\(name.dropLast())\""
        guard !isV2, name == "Items", sets["Orders"] != nil else { return open + "/>" }
        return open
            + "><NavigationPropertyBinding Path=\"Order\" Target=\"Orders\"/></EntitySet>"
    }

    private func edm(_ type: PropertyType) -> String {
        switch type {
        case .text: "Edm.String"
        case .number: "Edm.Int32"
        case .truth: "Edm.Boolean"
        }
    }

    private func type(_ set: String) -> String {
        let keyType = givesKey(of: set) ? "Edm.Int32" : "Edm.String"
        // Computed by the service, as V4 says it; V2 has no word for that.
        let computed =
            givesKey(of: set) && !isV2
            ? "><Annotation Term=\"Org.OData.Core.V1.Computed\"/></Property>" : "/>"
        var text =
            "<EntityType Name=\"\(set.dropLast())\"><Key><PropertyRef Name=\"Key\"/></Key>"
            + "<Property Name=\"Key\" Type=\"\(keyType)\" Nullable=\"false\"" + computed
        for property in sets[set] ?? [] {
            let type =
                property.name == "OrderKey" && !givesKeys ? "Edm.String" : edm(property.type)
            text += "<Property Name=\"\(property.name)\" Type=\"\(type)\"/>"
        }
        if set == "Items", sets["Orders"] != nil { text += navigation }
        return text + "</EntityType>"
    }

    private var navigation: String {
        isV2
            ? "<NavigationProperty Name=\"Order\" Relationship=\"F.Has\" FromRole=\"Item\" ToRole=\"Order\"/>"
            : "<NavigationProperty Name=\"Order\" Type=\"F.Order\"><ReferentialConstraint Property=\"OrderKey\""
                + " ReferencedProperty=\"Key\"/></NavigationProperty>"
    }

    private var isRelated: Bool { isV2 && sets["Items"] != nil && sets["Orders"] != nil }

    private var associations: String {
        guard isRelated else { return "" }
        return "<Association Name=\"Has\"><End Role=\"Item\" Type=\"F.Item\" Multiplicity=\"*\"/>"
            + "<End Role=\"Order\" Type=\"F.Order\" Multiplicity=\"0..1\"/><ReferentialConstraint>"
            + "<Principal Role=\"Order\"><PropertyRef Name=\"Key\"/></Principal>"
            + "<Dependent Role=\"Item\"><PropertyRef Name=\"OrderKey\"/></Dependent>"
            + "</ReferentialConstraint></Association>"
    }

    private var associationSet: String {
        guard isRelated else { return "" }
        return "<AssociationSet Name=\"HasSet\" Association=\"F.Has\">"
            + "<End Role=\"Item\" EntitySet=\"Items\"/><End Role=\"Order\" EntitySet=\"Orders\"/>"
            + "</AssociationSet>"
    }
}
