#if !os(iOS)
    import ChildFixture
    import ConformanceData
    import Foundation
    import ODataModel
    import ODataText
    import ODataWire
    import Testing

    /// What the writers make, judged by the schemas of the specification.
    @Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    struct CSDLSchemaTests {
        private static let program = #"""
            import json, sys
            from jsonschema import Draft7Validator
            schema = json.loads(open(sys.argv[1]).read())
            # Classes of characters, which Python spells otherwise; "-", "." and "$" as services use them.
            def plain(value):
                if isinstance(value, dict):
                    return {pattern(k): plain(v) for k, v in value.items()}
                if isinstance(value, list):
                    return [plain(v) for v in value]
                return pattern(value) if isinstance(value, str) else value
            def pattern(text):
                text = text.replace(r"(_|\p{L}|\p{Nl}|\p{Nd}|\p{Mn}|\p{Mc}|\p{Pc}|\p{Cf})", r"[\w]")
                return text.replace(r"(_|\p{L}|\p{Nl})", r"[^\W\d]")
            validator = Draft7Validator(plain(schema))
            bad = 0
            for path in sys.argv[2:]:
                for error in validator.iter_errors(json.loads(open(path).read())):
                    print(path.split("/")[-1], "/".join(map(str, error.absolute_path))[:120], error.message[:200])
                    bad += 1
                    break
            print(len(sys.argv) - 2 - bad, "of", len(sys.argv) - 2, "valid")
            """#

        private static let hasJSONSchema =
            run("python3", ["-c", "import jsonschema; print(1)"])?.hasPrefix("1") == true
        private static let hasXMLLint = run("xmllint", ["--version"]) != nil

        @Test(.enabled(if: hasJSONSchema, "python3 has no module jsonschema"))
        func writtenDocumentsAreValid() throws {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("csdl-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var paths: [String] = []
            for file in try MetadataDocuments.files(
                "metadata/v2", "metadata/v2-s4", "metadata/v3", "metadata/v4", "vocabularies")
            {
                let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
                let target = folder.appendingPathComponent(
                    "\(paths.count)-\(file.lastPathComponent)")
                try Data(CSDLJSONWriter.json(graph).utf8).write(to: target)
                paths.append(target.path)
            }
            let script = folder.appendingPathComponent("validate.py")
            try Data(Self.program.utf8).write(to: script)
            let process = try ChildProcess(
                "/usr/bin/env",
                ["python3", script.path, Conformance.root.path + "/schemas/csdl.schema.json"]
                    + paths, output: .pipe)
            let output = try process.output()
            #expect(try process.wait() == .exit(0))
            #expect(output.split(separator: "\n") == ["\(paths.count) of \(paths.count) valid"])
            print("CSDL JSON schema: \(output)")
        }

        /// Documents of V4 as they are, those of V2 and V3 as the V4 documents that say the same.
        @Test(.enabled(if: hasXMLLint, "xmllint is not installed (Scripts/setup test)"))
        func writtenXMLIsValid() throws {
            let edm = try Conformance.bytes("schemas/edm.xsd.xml")
            let edmx = try Conformance.bytes("schemas/edmx.xsd.xml")
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("csdl-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            // The schemas name each other by addresses of their own.
            let local = String(decoding: edmx, as: UTF8.self)
                .replacing(#/schemaLocation="[^"]*edm.xsd"/#, with: "schemaLocation=\"edm.xsd\"")
            try Data(edm).write(to: folder.appendingPathComponent("edm.xsd"))
            try Data(local.utf8).write(to: folder.appendingPathComponent("edmx.xsd"))
            var paths: [String] = []
            for file in try MetadataDocuments.files(
                "metadata/v2", "metadata/v2-s4", "metadata/v3", "metadata/v4", "vocabularies",
                "csdl-pairs")
            {
                let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
                let target = folder.appendingPathComponent(
                    "\(paths.count)-\(file.lastPathComponent)")
                let text = CSDLWriter.xml(graph, version: max(graph.version, .v4))
                try Data(text.utf8).write(to: target)
                paths.append(target.path)
            }
            let schema = folder.appendingPathComponent("edmx.xsd").path
            let output =
                Self.run("xmllint", ["--noout", "--nonet", "--schema", schema] + paths) ?? ""
            let lines = output.split(separator: "\n")
            // These hold a qualifier that starts with a digit and a term without a namespace, which no document may.
            let broken = ["pyodata-tests.xml", "olingo-fromdoc3-metadata.xml"]
            let valid = lines.filter { $0.hasSuffix(" validates") }.count
            let rest = lines.filter { line in
                !line.hasSuffix(" validates") && !broken.contains { line.contains($0) }
            }
            #expect(rest == [] && valid == paths.count - broken.count)
            print("CSDL XML schema: \(valid) of \(paths.count) valid")
        }

        /// What a program prints on both channels; nil where it is not installed.
        private static func run(_ name: String, _ arguments: [String]) -> String? {
            guard
                let process = try? ChildProcess(
                    "/usr/bin/env", [name] + arguments, output: .pipe, errors: .output),
                let output = try? process.output(), let end = try? process.wait()
            else { return nil }
            return end == .exit(127) ? nil : output
        }
    }
#endif
