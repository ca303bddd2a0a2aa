import Foundation
import SAPOData
import ODataTesting
import Testing
import WorkplaceFixture

/// Headers of the app that change from one download to the next.
@Suite struct VolatileHeaderTests {
    /// Downloads with one value of a header, and again with another.
    private static func run(
        _ name: String, volatile: [String] = [],
        _ body: @escaping @Sendable (ServiceWorkplace) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            func set(_ value: String) {
                let headers = HTTPHeaders()
                headers.setHeader(withName: name, value: value)
                place.sync.onlineProvider.httpHeaders = headers
            }
            place.sync.volatileHeaders = volatile
            set("first-value")
            try place.prepare()
            set("second-value")
            try place.sync.download()
            try body(place)
        }
    }

    @Test(arguments: [("X-Request-ID", []), ("X-Turn", ["x-turn"])] as [(String, [String])])
    func aNameOfOneRequestLeavesTheDeltaLinks(name: String, volatile: [String]) async throws {
        try await Self.run(name, volatile: volatile) { place in
            #expect(!place.requests("GET ").contains("GET Sites"))
            #expect(place.requests("GET Sites").contains { $0.contains("$deltatoken") })
        }
    }

    @Test func anotherHeaderLeadsToAFullRead() async throws {
        try await Self.run("X-Tenant") { place in
            #expect(!place.requests("GET Sites").contains { $0.contains("$deltatoken") })
        }
    }

    @Test(arguments: ["Cookie", "X-API-Key"])
    func noCredentialsStandInTheStore(name: String) async throws {
        try await Self.run(name) { place in
            try place.retitle(1, "changed")
            try place.sync.close()
            let file = try Data(contentsOf: URL(fileURLWithPath: place.storePath))
            for value in ["first-value", "second-value"] {
                #expect(file.range(of: Data(value.utf8)) == nil)
            }
        }
    }
}
