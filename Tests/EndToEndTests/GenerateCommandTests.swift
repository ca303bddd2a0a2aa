import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// `odata generate`: what it writes, what it leaves alone, and what it refuses.
@Suite struct GenerateCommandTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A folder with a document, and one for the classes.
    private struct Place {
        let folder: TemporaryFolder
        var out: String { folder.file("classes") }

        init() throws {
            folder = try TemporaryFolder("odata-generate")
            try write(GenerateCommandTests.metadata, "shop.xml")
        }

        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: out + "/" + name, encoding: .utf8)
        }

        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        }

        func generate(_ more: String...) throws -> Child.Result {
            try Child.run(
                Child.command,
                [
                    "generate", "--metadata", folder.file("shop.xml"), "--out", out,
                    "--service-name", "Shop",
                ] + more)
        }
    }

    private static let files = [
        "Item.swift", "Order.swift", "Shop.swift", "ShopFactory.swift", "ShopMetadata.swift",
        "ShopMetadataChanges.swift", "ShopMetadataParser.swift", "ShopMetadataText.swift",
    ]

    @Test func classesAreWrittenAndStayWhereNothingChanged() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.folder.remove() }
            let first = try place.generate()
            #expect(first.status == 0, "\(first)")
            #expect(first.output == "8 files written, 0 unchanged, 0 deleted\n")
            #expect(try place.names() == Self.files)
            #expect(try place.text("Order.swift").contains("open class Order: EntityValue"))
            let second = try place.generate("--json")
            #expect(second.output.hasPrefix(#"{"written":[],"unchanged":["Item.swift","#))
            let family = try place.generate("--family", "async", "--access", "internal")
            #expect(family.output.hasPrefix("4 files written, 4 unchanged"), "\(family)")
            #expect(try place.text("Shop.swift").contains("class Shop: DataServiceAsync"))
            #expect(try !place.text("Shop.swift").contains("open class"))
        }
    }

    @Test func itsOwnFilesGoAndThoseOfOthersStay() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.folder.remove() }
            #expect(try place.generate().status == 0)
            try place.write("struct Mine {}", "classes/Mine.swift")
            try place.write(
                "// odata-generate: Other. Do not edit; the next run replaces this file.\n",
                "classes/Other.swift")
            try place.write(
                Self.metadata.replacingOccurrences(of: "\"Item\"", with: "\"Article\""), "shop.xml")
            let result = try place.generate()
            #expect(result.output == "5 files written, 3 unchanged, 1 deleted\n", "\(result)")
            let names = try place.names()
            #expect(names.contains("Article.swift") && !names.contains("Item.swift"))
            #expect(names.contains("Mine.swift") && names.contains("Other.swift"))
        }
    }

    @Test func aFileThatItDidNotWriteIsNotReplaced() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.folder.remove() }
            try FileManager.default.createDirectory(
                atPath: place.out, withIntermediateDirectories: true)
            try place.write("struct Order {}", "classes/Order.swift")
            let refused = try place.generate()
            #expect(refused.status == 2 && refused.errors.contains("Order.swift"), "\(refused)")
            #expect(try place.names() == ["Order.swift"])
            #expect(try place.text("Order.swift") == "struct Order {}")
            #expect(try place.generate("--force").status == 0)
            #expect(try place.text("Order.swift").contains("open class Order"))
        }
    }

    @Test func whatCannotBeMadeIsRefused() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.folder.remove() }
            for (arguments, part) in [
                (["--style", "swift", "--family", "async"], "--family"),
                (["--style", "swift", "--only", "Orders,None"], "found None"),
                (["--only", "Orders"], "--only"), (["--family", "no"], "family"),
                (["--family", "legacy", "--provider", "offline"], "legacy"),
                (["--service-name", "my shop"], "service name"),
                (["--metadata", place.folder.file("none.xml")], "no such file"),
                (["--definitions", place.folder.file("none.xml")], "no such file"),
            ] {
                let result = try Child.run(
                    Child.command,
                    [
                        "generate", "--metadata", place.folder.file("shop.xml"), "--out", place.out,
                        "--service-name", "Shop",
                    ] + arguments)
                #expect(
                    result.status == 2 && result.errors.contains(part), "\(arguments) \(result)")
            }
            #expect(!FileManager.default.fileExists(atPath: place.out))
        }
    }

    @Test("SWI-060 structs of a service are generated, of all its sets or of some")
    func structsAreWritten() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let out = place.folder.file("structs")
            let arguments = [
                "generate", "--style", "swift", "--metadata", place.url, "--out", out, "--only",
            ]
            let first = try Child.run(Child.command, arguments + ["WorkOrders,Sites"])
            #expect(first.status == 0, "\(first)")
            let names = { try FileManager.default.contentsOfDirectory(atPath: out).sorted() }
            #expect(try names() == ["Site.swift", "WorkOrder.swift"])
            let text = try String(contentsOfFile: out + "/WorkOrder.swift", encoding: .utf8)
            #expect(text.contains("var site: Link<Site>") && !text.contains("EquipmentItem>"))
            #expect(first.output == "2 files written, 0 unchanged, 0 deleted\n")
            // What is no longer asked for goes.
            let second = try Child.run(Child.command, arguments + ["Customers"])
            #expect(second.output == "1 files written, 0 unchanged, 2 deleted\n", "\(second)")
            #expect(try names() == ["Customer.swift"])
        }
    }

    @Test("CSP-041 definitions are given as the documented option says")
    func definitionsAreCarried() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.folder.remove() }
            try place.write(
                Self.metadata.replacingOccurrences(of: "\"S\"", with: "\"Own\"")
                    .replacingOccurrences(of: "\"S.", with: "\"Own.")
                    .replacingOccurrences(of: "Order", with: "Memo")
                    .replacingOccurrences(of: "\"Item\"", with: "\"Other\""), "own.xml")
            let result = try place.generate("-X:definitions", place.folder.file("own.xml"))
            #expect(result.status == 0, "\(result)")
            #expect(try place.names().contains("Memo.swift"))
            #expect(try place.text("ShopMetadataText.swift").contains("Own.Memo"))
            let same = try place.generate("--definitions", place.folder.file("own.xml"))
            #expect(same.output.hasPrefix("0 files written"), "\(same)")
        }
    }

    @Test func aServiceIsAskedForItsMetadata() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let out = place.folder.file("classes")
            let result = try Child.odata(
                "generate", "--metadata", place.url, "--out", out, "--service-name", "FieldService")
            #expect(result.status == 0, "\(result)")
            let names = try FileManager.default.contentsOfDirectory(atPath: out)
            #expect(
                names.contains("WorkOrder.swift") && names.contains("FieldServiceMetadata.swift"))
        }
    }
}
