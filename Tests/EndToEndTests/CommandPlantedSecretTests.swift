import Foundation
import ODataCommand
import ODataServer
import ODataTesting
import Testing

/// Secrets in every place where the command takes one are in nothing that it writes; what it writes is its owner's alone.
@Suite struct CommandPlantedSecretTests {
    private static let key = String(repeating: "c7", count: 32)
    /// As they are given, and as headers carry them.
    private static let secrets = [
        "planted", key, Data("planted-user:planted-word".utf8).base64EncodedString(),
    ]

    @Test(arguments: [false, true])
    func whatWasPlantedIsFoundNowhere(isEncrypted: Bool) async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let (headers, keyFile) = (place.folder.file("headers"), place.folder.file("key"))
            try
                "Authorization: Bearer planted-bearer\nCookie: a=planted-cookie\nX-Api-Key: planted-file\n"
                .write(toFile: headers, atomically: true, encoding: .utf8)
            try (Self.key + "\n").write(toFile: keyFile, atomically: true, encoding: .utf8)
            let url = place.url.replacing("://", with: "://planted-user:planted-word@")
            let sealed = isEncrypted ? ["--key-file", keyFile] : []
            let given =
                ["--header-file", headers, "--header", "X-Token: planted-argument"] + sealed
            let store = ["--store", place.store]
            var said: [String] = []
            func run(_ arguments: [String], _ status: Int32) throws {
                let result = try Child.run(
                    "/bin/sh",
                    [
                        "-c", #"umask 0; export ODATA_HEADER_X_OTHER=planted-variable; exec "$@""#,
                        "sh", Child.command,
                    ] + arguments)
                #expect(result.status == status, "\(arguments): \(result)")
                said += [result.output, result.errors]
            }
            try run(["sync", url] + store + given, 0)
            try run(["sync", url] + store + given, 0)
            try run(
                ["query", "--online", url, "Sites?apikey=planted-option&$top=1"] + given.prefix(4),
                0)
            try run(["update"] + store + given + ["WorkOrders(1)", #"{"Title":"mine"}"#], 0)
            try place.execute("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            try run(["upload"] + store + given, 1)
            try run(["errors"] + store + given + ["show", "1"], 0)
            try run(["metadata", url + "nothing-here"] + given.prefix(4), 1)
            place.service.stop()
            for command in ["upload", "download"] { try run([command] + store + given, 1) }
            try run(["sync", url] + store + given, 1)
            try run(["metadata", url] + given.prefix(4), 1)
            for list in [["queue"], ["errors"], ["errors", "export"], ["events"], ["service"]] {
                try run([list[0]] + store + sealed + list.dropFirst(), 0)
                try run([list[0]] + store + sealed + ["--json"] + list.dropFirst(), 0)
            }
            try run(["store", "check", place.store] + sealed, 0)
            let found = said.filter { text in Self.secrets.contains { text.contains($0) } }
            #expect(found.isEmpty, "\(found)")
            try Self.look(at: place, except: [headers, keyFile])
        }
    }

    /// Nothing is in the files, and others may not read what belongs to the store.
    private static func look(at place: CommandPlace, except given: [String]) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: place.folder.path)
        #expect(files.contains("store.sqlite"))
        for file in files where !given.contains(place.folder.file(file)) {
            let path = place.folder.file(file)
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            for secret in secrets {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(file)")
            }
            guard file.hasPrefix("store.sqlite") else { continue }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
        }
    }
}
