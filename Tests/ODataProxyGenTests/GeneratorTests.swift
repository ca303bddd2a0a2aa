import Foundation
import ODataProxyGen
import ODataText
import Testing

@Suite struct GeneratorTests {
    static func document(_ schema: String, container: String = "") -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(schema)<EntityContainer Name="C">\(container)</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8)
    }

    static func entity(_ name: String, _ properties: String = "") -> String {
        """
        <EntityType Name="\(name)"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/>\(properties)</EntityType>
        """
    }

    static func files(
        _ metadata: [UInt8], _ options: GenerationOptions = GenerationOptions(serviceName: "Shop")
    ) throws -> [String: String] {
        let output = try ProxyGenerator.generate(metadata: metadata, options: options)
        return Dictionary(uniqueKeysWithValues: output.files.map { ($0.name, $0.text) })
    }

    @Test func theSameDocumentGivesTheSameFiles() throws {
        let schema = (1...40).map { Self.entity("Type\($0)") }.joined()
        let sets = (1...40).map { #"<EntitySet Name="Set\#($0)" EntityType="S.Type\#($0)"/>"# }
        let metadata = Self.document(schema, container: sets.joined())
        let options = GenerationOptions(serviceName: "Shop")
        let first = try ProxyGenerator.generate(metadata: metadata, options: options).files
        for _ in 0..<3 {
            #expect(
                try ProxyGenerator.generate(metadata: metadata, options: options).files == first)
        }
        #expect(first.map(\.name) == first.map(\.name).sorted())
        #expect(Set(first.map { $0.name.lowercased() }).count == first.count)
    }

    @Test func everyFileBeginsWithTheMarker() throws {
        for text in try Self.files(Self.document(Self.entity("A"))).values {
            #expect(text.hasPrefix(GeneratedFile.marker(service: "Shop") + "\n"))
        }
    }

    @Test func collisionsAreToldApart() throws {
        let files = try Self.files(
            Self.document(
                Self.entity(
                    "Task",
                    """
                    <Property Name="isNew" Type="Edm.Boolean"/><Property Name="class" Type="Edm.String"/>
                    <Property Name="a_b" Type="Edm.String"/><Property Name="aB" Type="Edm.String"/>
                    <Property Name="key" Type="Edm.String"/>
                    """) + Self.entity("TASK") + Self.entity("Data"),
                container: """
                    <EntitySet Name="Task" EntityType="S.Task"/>
                    <EntitySet Name="Metadata" EntityType="S.Data"/>
                    """))
        let task = try #require(files["Task.swift"])
        for declaration in [
            "open var keyID: Int64?", "open var isNew_: Bool?", "open var `class`: String?",
            "open var aB: String?", "open var aB1: String?", "open var key_: String?",
            "open class func key(id: Int64?) -> EntityKey",
        ] {
            #expect(task.contains(declaration), "\(declaration)")
        }
        #expect(files["TASK1.swift"] != nil && files["Data_.swift"] != nil)
        let service = try #require(files["Shop.swift"])
        // A set of the name of its type, and one whose call would be that of the base class.
        for call in [
            "func fetchTask(matching query: DataQuery? = nil",
            "func fetchTask1(matching query: DataQuery,", "func fetchTask1WithKey(id: Int64?",
            "func fetchMetadata_(matching query: DataQuery? = nil",
        ] {
            #expect(service.contains(call), "\(call)")
        }
    }

    /// Names that a parser without name validation takes, and descriptions, are no code.
    @Test func nothingOfADocumentBecomesCode() throws {
        let files = try Self.files(Samples.hostile)
        for (name, text) in files where name != "ShopMetadataText.swift" {
            for line in text.split(whereSeparator: \.isNewline) {
                let code = Code.withoutLiterals(String(line))
                #expect(!code.contains("fatalError("), "\(name): \(line)")
                #expect(!code.contains("`\\"), "\(name): \(line)")
            }
        }
        #expect(files["XFatalErrorHa1T.swift"] != nil)
    }

    /// What is generated names no type of the library that a type of the document could hide.
    @Test func typesThatGeneratedCodeNamesAreReserved() throws {
        for family in GenerationOptions.Family.allCases {
            for provider in GenerationOptions.Provider.allCases
            where family != .legacy || provider == .any {
                let options = GenerationOptions(
                    serviceName: "Shop", family: family, provider: provider)
                let files = try Self.files(Samples.everything, options)
                var own = Set(files.keys.map { String($0.dropLast(".swift".count)) })
                own.formUnion([
                    "EnumTypes", "EnumValues", "ComplexTypes", "EntityTypes", "EntitySets",
                    "Singletons", "Actions", "Functions", "BoundActions", "BoundFunctions",
                    "ActionImports", "FunctionImports", "CaseIterable", "ShopStructure",
                ])
                for (name, text) in files where name != "ShopMetadataText.swift" {
                    for word in Code.typeWords(text) where !own.contains(word) {
                        #expect(ReservedNames.types.contains(word), "\(name): \(word)")
                    }
                }
            }
        }
    }

    /// Many calls stand in base classes, where apps can override them.
    @Test func aServiceWithManyCallsIsDivided() throws {
        let schema = (1...60).map { Self.entity("Type\($0)") }.joined() + Self.entity("shopcalls")
        let sets = (1...60).map { #"<EntitySet Name="Set\#($0)" EntityType="S.Type\#($0)"/>"# }
        let metadata = Self.document(schema, container: sets.joined())
        for family in GenerationOptions.Family.allCases {
            let files = try Self.files(
                metadata, GenerationOptions(serviceName: "Shop", family: family))
            let parts = files.keys.filter { $0.hasPrefix("ShopCalls_") }.count
            #expect(parts > 1)
            let generic = family == .legacy ? "<Provider: DataServiceProvider>" : ""
            let argument = family == .legacy ? "<Provider>" : ""
            #expect(
                files["Shop.swift"]?.contains("class Shop\(generic): ShopCalls_\(parts)\(argument)")
                    == true)
            #expect(
                files["ShopCalls_2.swift"]?.contains(
                    "open class ShopCalls_2\(generic): ShopCalls_1\(argument)") == true)
            let calls = files.values.reduce(0) {
                $0 + $1.components(separatedBy: "open func fetchSet").count - 1
            }
            #expect(calls == (family == .async ? 60 : 120))
            for (name, text) in files where name.hasPrefix("ShopCalls_") {
                #expect(text.split(separator: "\n").count < 600, "\(name)")
            }
        }
    }

    // MARK: Refusals

    @Test(arguments: ["", "1Shop", "my shop", "class", "Data", "a\nb", "Größe"])
    func aServiceNameThatIsNoNameIsRefused(_ name: String) {
        #expect(throws: ODataError.self) {
            try ProxyGenerator.generate(
                metadata: Self.document(Self.entity("A")),
                options: GenerationOptions(serviceName: name))
        }
    }

    @Test func aDocumentThatIsNoneIsRefused() {
        for bytes in [Array("<oops".utf8), Array("{}".utf8), [0xFF, 0xFE], []] as [[UInt8]] {
            #expect(throws: ODataError.self) {
                try ProxyGenerator.generate(
                    metadata: bytes, options: GenerationOptions(serviceName: "Shop"))
            }
        }
    }

    @Test func aDocumentThatIsTooBigIsRefused() throws {
        let error = #expect(throws: ODataError.self) {
            try ProxyGenerator.generate(
                metadata: [UInt8](repeating: 0x20, count: ProxyGenerator.maximumBytes + 1),
                options: GenerationOptions(serviceName: "Shop"))
        }
        #expect(error?.code == .limitExceeded)
    }
}
