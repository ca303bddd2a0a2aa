import Foundation
import ODataModel
import ODataQuery
import ODataSync
import ODataTransport
import SAPOData
import Testing

/// The root of a service as a provider has it.
@Suite struct ServiceRootTests {
    @Test func credentialsInTheRootBecomeTheLogin() throws {
        let script = ScriptedService { _ in
            .json(#"{"value":[]}"#, status: 200, ["OData-Version": "4.0"])
        }
        let provider = OnlineODataProvider(
            serviceName: "Script", serviceRoot: "http://user:w%40rd@h/s",
            transport: LoopbackTransport { try script.respond($0) },
            folder: PrivateFolder(path: "/nowhere"))
        #expect(provider.serviceRoot == "http://h/s/")
        #expect(provider.connection.root == "http://h/s/")
        #expect(provider.login?.credentials == .basic(user: "user", password: "w@rd"))
        try provider.pingServer()
        #expect(script.requests.map(\.url).allSatisfy { $0.hasPrefix("http://h/s/") })
        #expect(
            script.requests.map { $0.headers["Authorization"] } == ["Basic dXNlcjp3QHJk"])
    }

    @Test func soDoThoseOfEveryInitialiser() throws {
        let url = try #require(URL(string: "https://user:word@h/s"))
        for provider in [
            OnlineODataProvider(serviceName: "s", serviceRoot: url.absoluteString),
            OnlineODataProvider(serviceName: "s", serviceRoot: url),
            OnlineODataProvider(serviceRoot: url),
        ] {
            #expect(provider.serviceRoot == "https://h/s/")
            #expect(provider.connection.root == "https://h/s/")
            #expect(provider.login?.credentials == .basic(user: "user", password: "word"))
        }
        #expect(OnlineODataProvider(serviceName: "s", serviceRoot: "https://h/s").login == nil)
    }
}
