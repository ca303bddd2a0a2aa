import Foundation
import ODataCommand
import ODataTesting
import Testing

/// Options of the service from a file and from the environment.
@Suite struct ServeSettingsTests {
    private static func expanded(
        _ arguments: [String], file: String = "", _ environment: [String: String] = [:]
    ) throws -> [String] {
        try ServeSettings.expanded(arguments, environment: environment) { _ in Array(file.utf8) }
    }

    @Test func theCommandLineCountsBeforeTheEnvironmentAndThatBeforeTheFile() throws {
        let file = """
            {"port": 1, "page-size": 10, "host": "a b", "read-only": true, "csrf": false, "include": ["A", "B*"],
             "exclude": ["C"], "requests-per-second": 0.5}
            """
        let environment = [
            "ODATA_OPTION_PAGE_SIZE": "20", "ODATA_OPTION_PORT": "2", "ODATA_OPTION_CSRF": "1",
            "ODATA_OPTION_V2": "false", "OTHER": "x",
        ]
        let own = ["--configuration", "f.json", "--port", "3", "--include=D"]
        #expect(
            try Self.expanded(["serve"] + own, file: file, environment)
                == [
                    "serve", "--host=a b", "--read-only", "--exclude=C",
                    "--requests-per-second=0.5", "--csrf", "--page-size=20",
                ] + own)
        #expect(
            try Self.expanded(
                ["serve"], file: #"{"port": 1}"#, ["ODATA_OPTION_CONFIGURATION": "f.json"])
                == ["serve", "--port=1"])
        // What is off in the environment is off, whatever the file says.
        #expect(
            try Self.expanded(
                ["serve", "--configuration=f"], file: #"{"v2": true, "insecure": true}"#,
                ["ODATA_OPTION_V2": "false", "ODATA_OPTION_INSECURE": ""])
                == ["serve", "--configuration=f"])
        // Other commands have nothing to do with it.
        let query = ["query", "--configuration", "f.json"]
        #expect(try Self.expanded(query, file: file, environment) == query)
    }

    @Test(arguments: [
        (#"{"port": {}}"#, "port"), (#"{"port": true}"#, "port"),
        (#"{"read-only": "yes"}"#, "read-only"),
        (#"{"include": [[]]}"#, "include"), (#"{"host": null}"#, "host"),
        (#"{"configuration": "g.json"}"#, "configuration"), ("[]", "object"),
        (#"{"port": 1"#, "JSON"), ("", "JSON"),
    ])
    func whatIsNoOptionsIsNamed(file: String, named: String) {
        let error = #expect(throws: (any Error).self) {
            try Self.expanded(["serve", "--configuration=f.json"], file: file)
        }
        #expect("\(String(describing: error))".contains("f.json"))
        #expect("\(String(describing: error))".contains(named))
    }

    @Test func aServiceRunsByItsFile() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-serve-file")
            defer { folder.remove() }
            let file = folder.file("serve.json")
            try Data(
                #"{"sample": "fieldservice", "scale": 100, "read-only": true, "exclude": ["TimeEntries"]}"#
                    .utf8
            ).write(to: URL(fileURLWithPath: file))
            let service = try ServeProcess(["--configuration", file])
            defer { service.end() }
            let curl = { (arguments: String...) in
                try Child.run(
                    "/usr/bin/env",
                    ["curl", "-s", "-m", "30", "-o", "/dev/null", "-w", "%{http_code}"] + arguments
                ).output
            }
            #expect(try curl(service.url + "Sites(1)") == "200")
            #expect(try curl("-X", "DELETE", service.url + "Sites(1)") == "405")
            #expect(try curl(service.url + "TimeEntries") == "404")
            for (text, status) in [("{\"prot\": 1}", 2), ("{\"port\": []", 2)] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let result = try Child.run(Child.command, ["serve", "--configuration", file])
                #expect(Int(result.status) == status, "\(result)")
            }
        }
    }
}
