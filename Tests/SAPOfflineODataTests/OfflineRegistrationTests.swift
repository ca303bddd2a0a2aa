import Foundation
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import SAPOData
import SAPOfflineOData
import Testing

/// The client that registers itself when a store is opened.
@Suite struct OfflineRegistrationTests {
    private static let schema =
        SchoolService.schema
        + "CREATE TABLE ClientRegistrationSet (ClientID INTEGER NOT NULL PRIMARY KEY,"
        + " ClientGUID UUID NOT NULL);"

    /// PAR-052
    @Test(arguments: [false, true])
    func theStoreRegistersItsClientWhereAskedTo(isOn: Bool) async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let name = "registration-" + UUID().uuidString
            defer { try? PrivateFolder().remove("~/ClientRegistration/\(name).json") }
            let parameters = school.parameters(name: name)
            #expect(!parameters.autoRegisterClient)
            parameters.autoRegisterClient = isOn
            for _ in 0..<2 {
                let provider = try school.provider([("T", "Teachers")], parameters: parameters)
                #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
                try provider.close()
            }
            let clients = try school.serviceRows("SELECT ClientGUID FROM ClientRegistrationSet")
            #expect(clients.count == (isOn ? 1 : 0))
            let reads = school.service.observer.requests.filter { $0.url.contains("Teachers") }
            #expect(!reads.isEmpty)
            #expect(reads.allSatisfy { $0.headers["Client-Instance-ID"] == clients.first?[0] })
        }
    }
}
