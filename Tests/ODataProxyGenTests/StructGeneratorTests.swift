import Foundation
import ODataProxyGen
import ODataServer
import ODataTesting
import ODataText
import ODataWire
import Synchronization
import Testing

/// What documents become as structs, looked at as text.
@Suite struct StructGeneratorTests {
    static func files(
        _ metadata: [UInt8], _ options: GenerationOptions = GenerationOptions(serviceName: "Shop")
    ) throws -> [String: String] {
        let output = try StructGenerator.generate(metadata: metadata, options: options)
        return Dictionary(uniqueKeysWithValues: output.files.map { ($0.name, $0.text) })
    }

    @Test func theCommittedStructsAreThoseThatTheGeneratorMakes() async throws {
        let metadata = try await Self.sampleMetadata(SampleService.adjust)
        try CommittedFiles("Tests/GeneratedStructs").expect(
            try StructGenerator.generate(
                metadata: metadata, options: GenerationOptions(serviceName: "FieldService")
            ).files
                + StructGenerator.generate(
                    metadata: Array(Depot.metadata(withLoans: false).utf8), options: Depot.options
                ).files)
    }

    @Test func theExampleHasWhatTheGeneratorMakes() async throws {
        let options = GenerationOptions(
            serviceName: "FieldService", access: .internal,
            only: ["WorkOrders", "Sites", "Customers"])
        try CommittedFiles("Examples/FirstList/Model").expect(
            try StructGenerator.generate(
                metadata: try await Self.sampleMetadata { _ in }, options: options
            ).files)
    }

    private static func sampleMetadata(
        _ adjust: @escaping @Sendable (inout ServiceConfiguration) -> Void
    ) async throws -> [UInt8] {
        let metadata = Mutex<[UInt8]>([])
        try await ServiceWorkplace.run(adjust: adjust) { place in
            let text = Array(CSDLWriter.xml(place.service.graph).utf8)
            metadata.withLock { $0 = text }
        }
        return metadata.withLock { $0 }
    }

    @Test func theSameDocumentGivesTheSameStructs() throws {
        let options = GenerationOptions(serviceName: "Shop")
        let first = try StructGenerator.generate(
            metadata: Samples.everything, options: options
        ).files
        for _ in 0..<3 {
            #expect(
                try StructGenerator.generate(metadata: Samples.everything, options: options).files
                    == first)
        }
        #expect(first.map(\.name) == first.map(\.name).sorted())
        for file in first {
            #expect(file.text.hasPrefix(GeneratedFile.marker(service: "Shop") + "\n"))
        }
    }

    /// What generated code and apps beside it name, no type of a document takes.
    @Test func typesOfTheFaceAreReserved() throws {
        let listing = try String(
            contentsOf: Package.folder.appendingPathComponent("docs/api/OData.txt"), encoding: .utf8
        )
        for match in listing.matches(
            of: #/(?m)^(\w+)\t(?:\w+ )*(?:struct|enum|protocol|class|actor) /#)
        {
            #expect(StructNames.types.contains(String(match.output.1)), "\(match.output.1)")
        }
        let files = try Self.files(Samples.everything)
        let own = Set(files.keys.map { String($0.dropLast(".swift".count)) })
        for (name, text) in files {
            for word in Code.typeWords(text) where !own.contains(word) {
                #expect(StructNames.types.contains(word), "\(name): \(word)")
            }
        }
    }

    @Test func collisionsAreToldApart() throws {
        let files = try Self.files(
            GeneratorTests.document(
                GeneratorTests.entity(
                    "Task",
                    """
                    <Property Name="ref" Type="Edm.String"/><Property Name="Row" Type="Edm.String"/>
                    <Property Name="values" Type="Edm.String"/><Property Name="path" Type="Edm.String"/>
                    <Property Name="class" Type="Edm.String"/><Property Name="write" Type="Edm.Int32"/>
                    <Property Name="a_b" Type="Edm.String"/><Property Name="aB" Type="Edm.String"/>
                    """) + GeneratorTests.entity("TASK") + GeneratorTests.entity("Fields")
                    + GeneratorTests.entity("Date"),
                container: """
                    <EntitySet Name="Tasks" EntityType="S.Task"/><EntitySet Name="TASKS" EntityType="S.TASK"/>
                    <EntitySet Name="Link" EntityType="S.Task"/><EntitySet Name="F" EntityType="S.Fields"/>
                    <EntitySet Name="D" EntityType="S.Date"/>
                    """))
        #expect(
            files.keys.sorted() == [
                "Date_.swift", "Fields_.swift", "Link_.swift", "TASK1.swift", "Task.swift",
            ])
        let task = try #require(files["Task.swift"])
        for text in [
            "var ref_: String?", "var row_: String?", "var values: String?", "var path: String?",
            "var `class`: String?", "var write_: Int?", "var aB: String?", "var aB1: String?",
            "let id: Int\n", "func write(to _values: inout Values)", "private let _path: FieldPath",
        ] {
            #expect(task.contains(text), "\(text)")
        }
        #expect(!task.contains("Identifiable"))
    }

    @Test func onlyTheSetsThatAreAskedForHaveStructs() throws {
        let metadata = Array(Depot.metadata(withLoans: false).utf8)
        var options = GenerationOptions(serviceName: "")
        options.only = ["OldParts"]
        let output = try StructGenerator.generate(metadata: metadata, options: options)
        // The names are those that they have beside all others.
        #expect(
            output.files.map(\.name) == [
                "Box.swift", "CountOf.swift", "Kind.swift", "OldParts.swift",
                "OldPartsMachine.swift", "Rights.swift", "Scrap.swift",
            ])
        // Another service with a container C keeps its files in the same folder.
        let mark = GeneratedFile.marker(service: "D.C") + "\n"
        #expect(output.serviceName == "D.C" && output.files.allSatisfy { $0.text.hasPrefix(mark) })
        let text = try #require(output.files.first { $0.name == "OldParts.swift" }?.text)
        #expect(text.contains("// Without `Shelf`, Shelves was not asked for."))
        #expect(output.notes.contains("OldParts: without `Shelf`, Shelves was not asked for."))
        #expect(!text.contains("struct Draft") && !text.contains("var name: String"))
        options.only = ["OldParts", "Shelves"]
        let both = try Self.files(metadata, options)
        #expect(both["OldParts.swift"]?.contains("let shelf: Link<Shelf>") == true)
        #expect(both["Shelf.swift"]?.contains("<Part>") == false)
        options.only = ["Nothing"]
        #expect(throws: ODataError.self) {
            try StructGenerator.generate(metadata: metadata, options: options)
        }
    }

    @Test("SWI-063 Contained entities, singletons, streams and open types have their places")
    func containedEntitiesSingletonsStreamsAndOpenTypesHaveTheirPlaces() throws {
        let files = try Self.files(
            GeneratorTests.document(
                """
                <EntityType Name="Order" OpenType="true" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false"/><Property Name="Dynamic" Type="Edm.String"/>
                <Property Name="Scan" Type="Edm.Stream"/>
                <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/></EntityType>
                """
                    + GeneratorTests.entity(
                        "Line",
                        #"<NavigationProperty Name="Of" Type="S.Line" ContainsTarget="true"/>"#
                            + #"<NavigationProperty Name="Tax" Type="S.Tax"/>"#)
                    + GeneratorTests.entity("Tax"),
                container: """
                    <EntitySet Name="Orders" EntityType="S.Order">
                    <NavigationPropertyBinding Path="Lines/Tax" Target="Taxes"/></EntitySet>
                    <EntitySet Name="Taxes" EntityType="S.Tax"/><EntitySet Name="OldTaxes" EntityType="S.Tax"/>
                    <Singleton Name="Latest" Type="S.Order"/>
                    """))
        #expect(
            files.keys.sorted() == [
                "Latest.swift", "LatestLines.swift", "Line.swift", "OldTaxes.swift", "Order.swift",
                "Tax.swift",
            ])
        func expect(_ file: String, _ texts: [String], _ line: SourceLocation = #_sourceLocation) {
            for text in texts {
                #expect(files[file]?.contains(text) == true, "\(text)", sourceLocation: line)
            }
        }
        expect(
            "Order.swift",
            [
                "struct Order: OpenEntity {", "var dynamic: DynamicProperties",
                "var dynamic_: String?", "let scan: MediaStream", "let content: MediaStream",
                "content = try row.content(of: Order.self)", "let lines: Links<Line>",
                "var lines: [Line.Draft]\n", "values.insert(\"Lines\", lines)",
            ])
        expect(
            "Line.swift",
            [
                "static let entitySet = \"Orders/Lines\"", "var tax: Link<Tax>",
                "// Without `Of`, what it contains is beneath itself",
            ])
        expect(
            "Latest.swift", ["static let entitySet = \"Latest\"", "let lines: Links<LatestLines>"])
        expect("LatestLines.swift", ["static let entitySet = \"Latest/Lines\""])
        #expect(files["Latest.swift"]?.contains("Draft: EntityDraft") == false)
    }

    @Test func annotationsSayWhatIsWritten() throws {
        let files = try Self.files(
            Array(
                """
                <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData">
                <edmx:DataServices m:DataServiceVersion="2.0"><Schema Namespace="Z" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
                <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
                <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Free" Type="Edm.String"/><Property Name="At" Type="Edm.DateTime" Nullable="false"/>
                <Property Name="Once" Type="Edm.String" sap:updatable="false"/>
                <Property Name="Never" Type="Edm.Time" Nullable="false" sap:creatable="false" sap:updatable="false"/>
                <Property Name="Later" Type="Edm.Decimal" sap:creatable="false"/></EntityType>
                <EntityContainer Name="E" m:IsDefaultEntityContainer="true">
                <EntitySet Name="Orders" EntityType="Z.Order"/>
                <EntitySet Name="Fixed" EntityType="Z.Order" sap:creatable="false" sap:updatable="false"/>
                </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """.utf8))
        let order = try #require(files["Order.swift"])
        for text in [
            "let id: Int\n", "var free: String?\n", "var at: WallDateTime\n", "let once: String?\n",
            "let never: ClockTime?\n", "var later: ExactDecimal?\n",
            "            at: WallDateTime,\n            id: Int? = nil,\n            free: String? = nil,\n"
                + "            once: String? = nil\n",
        ] {
            #expect(order.contains("public " + text) || order.contains(text), "\(text)")
        }
        #expect(
            !order.contains("values.set(\"Never\"") && !order.contains("values.set(\"Id\", id)"))
        let fixed = try #require(files["Fixed.swift"])
        #expect(
            fixed.contains("let free: String?")
                && fixed.contains("write(to values: inout Values) {}"))
        #expect(!fixed.contains("EntityDraft"))
    }

    @Test func whatIsTooMuchIsRefused() {
        let derived = (1...300).map { #"<EntityType Name="D\#($0)" BaseType="S.A"/>"# }.joined()
        let sets = (1...300).map { #"<EntitySet Name="S\#($0)" EntityType="S.A"/>"# }.joined()
        let options = GenerationOptions(serviceName: "Shop")
        for metadata in [
            [UInt8](repeating: 0x20, count: ProxyGenerator.maximumBytes + 1),
            GeneratorTests.document(GeneratorTests.entity("A") + derived, container: sets),
        ] {
            let error = #expect(throws: ODataError.self) {
                try StructGenerator.generate(metadata: metadata, options: options)
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func importsOfWhatIsNotDefinedAreLeftOutAndSaidInBothStyles() throws {
        let metadata = GeneratorTests.document(
            GeneratorTests.entity("A") + #"<Action Name="Go"/>"#,
            container: """
                <EntitySet Name="As" EntityType="S.A"/><ActionImport Name="Go" Action="S.Go"/>
                <FunctionImport Name="Gone" Function="S.Gone"/>
                """)
        for style in GenerationOptions.Style.allCases {
            let output = try Generator.generate(
                style, metadata: metadata, options: GenerationOptions(serviceName: "Shop"))
            #expect(output.notes.contains("Gone: left out, its operation is not defined."))
            #expect(output.notes.filter { $0.contains("left out") }.count == 1)
        }
    }

    @Test func whatOnlyTheOtherStyleHasIsRefused() throws {
        let metadata = GeneratorTests.document(
            GeneratorTests.entity("A"), container: #"<EntitySet Name="As" EntityType="S.A"/>"#)
        let some = GenerationOptions(serviceName: "Shop", only: ["As"])
        let classes = #expect(throws: ODataError.self) {
            try Generator.generate(.proxy, metadata: metadata, options: some)
        }
        let structs = #expect(throws: ODataError.self) {
            try Generator.generate(
                .swift, metadata: metadata, definitions: metadata, options: some)
        }
        #expect(classes?.code == .usage && structs?.code == .usage)
        #expect(
            try Generator.generate(.swift, metadata: metadata, options: some).files.map(\.name)
                == ["A.swift"])
    }

    @Test func operationsThatCannotBeCalledAreLeftOutAndSaid() throws {
        let output = try StructGenerator.generate(
            metadata: GeneratorTests.document(
                GeneratorTests.entity("A") + """
                    <Action Name="Take"><Parameter Name="a" Type="S.A"/></Action>
                    <Function Name="Sum"><Parameter Name="of" Type="Collection(Edm.Int32)"/>
                    <ReturnType Type="Edm.Int32"/></Function>
                    <Action Name="Store"><Parameter Name="all" Type="Collection(Edm.Int32)" Nullable="false"/>
                    <Parameter Name="note" Type="Edm.String"/></Action>
                    <Function Name="Next" IsBound="true"><Parameter Name="a" Type="S.A"/>
                    <ReturnType Type="S.A"/></Function>
                    """,
                container: """
                    <EntitySet Name="As" EntityType="S.A"/><ActionImport Name="Take" Action="S.Take"/>
                    <FunctionImport Name="Sum" Function="S.Sum"/><ActionImport Name="Keep" Action="S.Store"/>
                    """), options: GenerationOptions(serviceName: "Shop"))
        #expect(output.files.map(\.name) == ["A.swift", "Keep.swift", "Next.swift"])
        #expect(
            output.notes.map { $0.prefix { $0 != "," } } == ["Take: left out", "Sum: left out"])
        let text = output.files.map(\.text).joined()
        for code in [
            "public init(all: [Int], note: String? = nil) {",
            "arguments.set(\"note\", ifPresent: note)", "public init(on entity: Ref<A>) {",
            "public static let name = \"S.Next\"", "throws(ODataError) -> A? {",
        ] {
            #expect(text.contains(code), "\(code)")
        }
    }

    /// Complex types whose members have rules, and what holds values of them.
    static let ruled = GeneratorTests.document(
        """
        <EnumType Name="Kind"><Member Name="A" Value="0"/></EnumType>
        <ComplexType Name="Box"><Property Name="Tags" Type="Collection(Edm.String)" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <Property Name="Made" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Kind" Type="S.Kind" Nullable="false" DefaultValue="A"/>
        <Property Name="Size" Type="Edm.Int32" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
        <Property Name="Note" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Plain"><Property Name="Made" Type="Edm.Int32">
        <Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Others" Type="Collection(S.Plain)" Nullable="false"/></ComplexType>
        <ComplexType Name="Outer"><Property Name="Boxes" Type="Collection(S.Box)" Nullable="false"/></ComplexType>
        """
            + GeneratorTests.entity(
                "Thing",
                """
                <Property Name="Box" Type="S.Box"/>
                <Property Name="Boxes" Type="Collection(S.Box)" Nullable="false"/>
                <Property Name="Plains" Type="Collection(S.Plain)" Nullable="false"/>
                <Property Name="Outer" Type="S.Outer"/>
                """)
                + """
                <Action Name="Move" IsBound="true"><Parameter Name="thing" Type="S.Thing"/>
                <Parameter Name="entity" Type="Edm.String" Nullable="false"/></Action>
                """,
        container: #"<EntitySet Name="Things" EntityType="S.Thing"/>"#)

    @Test(
        "SWI-062 A complex value says all that its initialiser takes, and no null for what the service makes"
    )
    func complexValuesSayWhatTheirInitialisersTake() throws {
        let files = try Self.files(Self.ruled)
        let box = try #require(files["Box.swift"])
        for text in [
            "var tags: [String] = []\n", "values.set(\"Made\", made)", "var kind: Kind?\n",
            "values.set(\"Kind\", ifPresent: kind)", "values.set(\"Size\", ifPresent: size)",
            "values.set(\"Note\", note)",
        ] {
            #expect(box.contains(text), "\(text)")
        }
        #expect(!box.contains("values.set(\"Tags\""))
        // Items replace what was there: those that are not said as a whole are for reading only, wherever they are.
        let thing = try #require(files["Thing.swift"])
        for text in [
            "public var box: Box?", "public let boxes: [Box]\n", "public var plains: [Plain]\n",
            "public let outer: Outer?\n",
        ] {
            #expect(thing.contains(text), "\(text)")
        }
        #expect(thing.contains("boxes: [Box] = []"))
    }

    @Test func derivedTypesOfWhatIsContainedAreNotBoundByTheSet() throws {
        let files = try Self.files(
            GeneratorTests.document(
                GeneratorTests.entity(
                    "Order",
                    #"<NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>"#
                ) + GeneratorTests.entity("Line", #"<Property Name="Note" Type="Edm.String"/>"#)
                    + #"<EntityType Name="Gift" BaseType="S.Line"/>"#,
                container: """
                    <EntitySet Name="Orders" EntityType="S.Order">
                    <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions">
                    <Record><PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
                    <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions">
                    <Record><PropertyValue Property="Updatable" Bool="false"/></Record></Annotation>
                    </EntitySet>
                    """))
        #expect(files["Order.swift"]?.contains("EntityDraft") == false)
        for name in ["Line.swift", "Gift.swift"] {
            let text = try #require(files[name])
            #expect(text.contains("struct Draft: EntityDraft"), "\(name)")
            #expect(text.contains("public var note: String?"), "\(name)")
        }
    }

    @Test func aParameterHasAnotherNameThanWhatAnOperationIsCalledOn() throws {
        let move = try #require(try Self.files(Self.ruled)["Move.swift"])
        #expect(move.contains("init(on entity: Ref<Thing>, entity_: String) {"))
    }

    /// Types, properties and members of one spelling, in a script without capitals.
    static let uncased = GeneratorTests.document(
        """
        <EntityType Name="会社"><Key><PropertyRef Name="番号"/></Key>
        <Property Name="番号" Type="Edm.Int32" Nullable="false"/><Property Name="会社" Type="S.色"/>
        <Property Name="色" Type="S.色" Nullable="false"/><Property Name="住所" Type="S.住所"/>
        <NavigationProperty Name="社員" Type="Collection(S.社員)"/></EntityType>
        <EntityType Name="社員"><Key><PropertyRef Name="会社"/></Key>
        <Property Name="会社" Type="Edm.String" Nullable="false"/><Property Name="社員" Type="S.住所"/>
        <NavigationProperty Name="住所" Type="S.会社"/></EntityType>
        <EnumType Name="色"><Member Name="色" Value="0"/><Member Name="会社" Value="1"/></EnumType>
        <ComplexType Name="住所"><Property Name="住所" Type="Edm.String"/>
        <Property Name="色" Type="S.色" Nullable="false"/></ComplexType>
        <Function Name="社員" IsBound="true"><Parameter Name="会社" Type="S.会社"/>
        <Parameter Name="色" Type="S.色"/><ReturnType Type="Collection(S.社員)"/></Function>
        <Function Name="会社"><Parameter Name="会社" Type="S.色"/><ReturnType Type="S.会社"/></Function>
        """,
        container: """
            <EntitySet Name="会社" EntityType="S.会社"/><EntitySet Name="社員" EntityType="S.社員"/>
            <FunctionImport Name="会社" Function="S.会社"/>
            """)

    @Test func membersOfScriptsWithoutCapitalsHideNoTypes() throws {
        let structs = try Self.files(Self.uncased)
        #expect(structs["会社.swift"]?.contains("var 会社_: 色?") == true)
        #expect(structs["色.swift"]?.contains("static let 会社_ = 色(") == true)
        let classes = try GeneratorTests.files(Self.uncased)
        #expect(classes["会社.swift"]?.contains("open var 会社_: 色?") == true)
    }

    /// Names that a parser without name validation takes, and descriptions, are no code.
    @Test func nothingOfADocumentBecomesCode() throws {
        for (name, text) in try Self.files(Samples.hostile) {
            for line in text.split(whereSeparator: \.isNewline) {
                let code = Code.withoutLiterals(String(line))
                #expect(!code.contains("fatalError("), "\(name): \(line)")
                #expect(!code.contains("`\\"), "\(name): \(line)")
            }
        }
    }
}
