import SAPOData

/// A V4 document of about `bytes` bytes: entity types of twenty properties with relations, labels and a set each.
func metadataDocument(bytes: Int) -> String {
    let types = [
        "Edm.Int32", "Edm.String", "Edm.Decimal", "Edm.DateTimeOffset", "Edm.Boolean", "Ws.Size",
    ]
    var schema = """
        <ComplexType Name="Size"><Property Name="Height" Type="Edm.Int32"/>\
        <Property Name="Width" Type="Edm.Int32"/></ComplexType>

        """
    var sets = ""
    var count = 0
    while schema.utf8.count + sets.utf8.count < bytes {
        schema += """
            <EntityType Name="Type\(count)"><Key><PropertyRef Name="ID"/></Key>\
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>

            """
        for number in 0..<20 {
            let type = types[number % types.count]
            schema += """
                  <Property Name="Property\(number)" Type="\(type)" Nullable="false">\
                <Annotation Term="Core.Description" String="Property \(number) of type \(count)"/></Property>

                """
        }
        schema += """
              <NavigationProperty Name="Next" Type="Ws.Type\(max(0, count - 1))"/>
              <NavigationProperty Name="Others" Type="Collection(Ws.Type\(count))"/>
            </EntityType>

            """
        sets += """
            <EntitySet Name="Set\(count)" EntityType="Ws.Type\(count)">\
            <NavigationPropertyBinding Path="Others" Target="Set\(count)"/></EntitySet>

            """
        count += 1
    }
    return """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:Reference Uri="Core.xml"><edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
        <edmx:DataServices><Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        \(schema)<EntityContainer Name="Container">
        \(sets)</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}

func parser() -> CSDLParser {
    let parser = CSDLParser()
    parser.csdlOptions = CSDLOption.processMixedVersions | CSDLOption.ignoreUndefinedTerms
    parser.logWarnings = false
    return parser
}

/// Reads a document of so many bytes again and again.
func loadMetadata(rounds: Int, bytes: Int) throws {
    let text = metadataDocument(bytes: bytes)
    let before = peakKiB()
    let document = try parser().parse(text, url: "")
    let growth = peakKiB() - before
    guard document.entitySet(withName: "Set0").entityType.propertyList.length == 23 else {
        fatalError("Expected the properties of the document.")
    }
    let start = cpuSeconds()
    for _ in 0..<rounds { _ = try parser().parse(text, url: "") }
    let seconds = (cpuSeconds() - start) / Double(rounds)
    let times = Double(growth) * 1024 / Double(text.utf8.count)
    print("seconds=\(seconds) bytes=\(text.utf8.count) memory_times=\(times) peak_kib=\(peakKiB())")
}
