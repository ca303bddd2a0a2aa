import Foundation
import ODataCommand
import ODataTesting
import Testing

/// Services that a CSDL document describes, from outside.
@Suite struct CommandModelTests {
    private static let document = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
          <ComplexType Name="Size"><Property Name="Width" Type="Edm.Int32"/></ComplexType>
          <EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Size" Type="Shop.Size"/></EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Things" EntityType="Shop.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test func aModelIsServedWithItsRows() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-command")
            defer { folder.remove() }
            try Self.write(Self.document, to: folder.file("model.xml"))
            let rows = folder.file("rows")
            try FileManager.default.createDirectory(
                atPath: rows, withIntermediateDirectories: true)
            try Self.write(#"[{"Id":7,"Size":{"Width":3}}]"#, to: rows + "/Things.json")
            let arguments = [
                "--model", folder.file("model.xml"), "--database", folder.file("shop.db"),
            ]
            for options in [arguments + ["--rows", rows], arguments] {
                let service = try ServeProcess(options)
                let found = try Child.odata("query", "--online", service.url, "Things(7)")
                #expect(found.output.contains("Width"), "\(found.output) \(found.errors)")
                service.end()
            }
            try Self.write(
                Self.document.replacing(#"<Property Name="Size" Type="Shop.Size"/>"#, with: ""),
                to: folder.file("less.xml"))
            let refused = try Child.odata(
                "serve", "--model", folder.file("less.xml"), "--database", folder.file("shop.db"),
                "--port", "0")
            #expect(refused.status != 0)
            #expect(refused.errors.contains("Things.Size"), "\(refused.errors)")
        }
    }

    @Test func aDocumentOfADatabaseIsWrittenCheckedAndServed() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-command")
            defer { folder.remove() }
            let (database, model) = (folder.file("tools.db"), folder.file("tools.xml"))
            let made = try Child.run(
                "/usr/bin/env",
                [
                    "sqlite3", database,
                    "CREATE TABLE T (Id INTEGER PRIMARY KEY, Name TEXT); INSERT INTO T VALUES (1, 'saw')",
                ])
            #expect(made.status == 0, "\(made.errors)")
            let written = try Child.odata("service", "init", "--database", database, "--out", model)
            #expect(written.status == 0, "\(written.errors)")
            let again = try Child.odata("service", "init", "--database", database, "--out", model)
            #expect(again.status == 2, "\(again.errors)")
            let fits = try Child.odata("service", "check", "--database", database, "--model", model)
            #expect(fits.status == 0, "\(fits.output) \(fits.errors)")
            var text = try String(contentsOfFile: model, encoding: .utf8)
            text = text.replacing(#"<EntitySet Name="T""#, with: #"<EntitySet Name="Gear""#)
            text = text.replacing(#"<Property Name="Name""#, with: #"<Property Name="Label""#)
            try Self.write(text, to: model)
            let service = try ServeProcess(["--model", model, "--database", database])
            let found = try Child.odata("query", "--online", service.url, "Gear(1)")
            #expect(found.output.contains("Label"), "\(found.output) \(found.errors)")
            service.end()
            try Self.write(text.replacing(#"String="Name""#, with: #"String="Gone""#), to: model)
            let misfit = try Child.odata(
                "service", "check", "--database", database, "--model", model)
            #expect(misfit.status == 1)
            #expect(misfit.output.contains("Gear/Label"), "\(misfit.output)")
        }
    }
}
