import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import Testing

@Suite struct ClientRegistrationTests {
    // REG-002, REG-003, REG-005
    @Test func aDefaultClientIsRegisteredAndKeptInItsFile() async throws {
        try await OnlineFixture.run { fixture in
            #expect(try !fixture.provider.isClientRegistered())
            try fixture.provider.registerClient(nil)
            #expect(try fixture.provider.isClientRegistered())
            #expect(fixture.requests == ["POST /ClientRegistrationSet"])
            let guid = try #require(
                try fixture.value("SELECT ClientGUID FROM ClientRegistrationSet"))
            let file = fixture.directory + "/ClientRegistration/Tools.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == #"{"ClientID":1,"ClientGUID":"\#(guid)"}"#)
        }
    }

    private static func hasFile(_ fixture: OnlineFixture) -> Bool {
        FileManager.default.fileExists(
            atPath: fixture.directory + "/ClientRegistration/Tools.json")
    }

    // REG-010
    @Test func bothIdentifiersAreTakenFromTheAnswer() async throws {
        let guid = "0a1b2c3d-0000-4000-8000-00000000abcd"
        let schema =
            OnlineFixture.schema + """
                INSERT INTO ClientRegistrationSet (ClientID) VALUES (8000000000);
                CREATE TRIGGER own AFTER INSERT ON ClientRegistrationSet BEGIN
                    UPDATE ClientRegistrationSet SET ClientGUID = '\(guid)'
                        WHERE ClientID = new.ClientID;
                END;
                """
        try await OnlineFixture.run(schema: schema) { fixture in
            try fixture.provider.registerClient(nil)
            let file = fixture.directory + "/ClientRegistration/Tools.json"
            #expect(
                try String(contentsOfFile: file, encoding: .utf8)
                    == #"{"ClientID":8000000001,"ClientGUID":"\#(guid)"}"#)
            #expect(fixture.provider.serviceOptions.clientInstanceID == guid)
            try fixture.provider.unregisterClient(deleteFromServer: true)
            #expect(fixture.requests.last == "DELETE /ClientRegistrationSet(8000000001)")
        }
    }

    // REG-004
    @Test func aGivenClientIsRegisteredWithItsValues() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let set = fixture.document.entitySet(withName: "ClientRegistrationSet")
            let client = EntityValue.ofType(set.entityType)
            set.entityType.property(withName: "Device").setStringValue(in: client, to: "scanner 7")
            try fixture.provider.registerClient(client)
            #expect(try fixture.value("SELECT Device FROM ClientRegistrationSet") == "scanner 7")
            let identifier = client.optionalValue(
                for: set.entityType.property(withName: "ClientGUID"))
            #expect(
                fixture.provider.serviceOptions.clientInstanceID == identifier?.toString())
        }
    }

    // REG-001, REG-006, REG-007
    @Test func aKnownClientIsLoadedWithoutTheServiceAndNamedInEveryRequest() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.registerClient(nil)
            let identity = try #require(fixture.provider.serviceOptions.clientInstanceID)
            let count = fixture.service.observer.requestCount
            let next = fixture.makeProvider()
            #expect(try next.isClientRegistered())
            try next.registerClient(nil)
            #expect(fixture.service.observer.requestCount == count)

            try next.loadMetadata()
            let tools = next.metadata.entitySet(withName: "Tools")
            let saw = try next.executeQuery(DataQuery().from(tools)).entityList()[0]
            try next.deleteEntity(saw)
            let later = fixture.service.observer.requests.suffix(3)
            #expect(later.map(\.method) == ["GET", "GET", "DELETE"])
            #expect(later.allSatisfy { $0.headers["Client-Instance-ID"] == identity })

            fixture.service.stop()
            #expect(try fixture.makeProvider().isClientRegistered())
        }
    }

    // REG-009
    @Test(arguments: [
        "CREATE TABLE T (Id INTEGER PRIMARY KEY)",
        "CREATE TABLE ClientRegistrationSet (ClientID INTEGER PRIMARY KEY, Device TEXT)",
        "CREATE TABLE ClientRegistrationSet (Id INTEGER PRIMARY KEY, ClientGUID UUID)",
        "CREATE TABLE ClientRegistrationSet (ClientID INTEGER PRIMARY KEY, ClientGUID TEXT)",
    ])
    func aServiceWithoutSetOrPropertiesIsAnError(schema: String) async throws {
        try await OnlineFixture.run(schema: schema) { fixture in
            let error = #expect(throws: DataQueryError.self) {
                try fixture.provider.registerClient(nil)
            }
            #expect(error?.code == .unknownName)
            #expect(error?.place?.path == "ClientRegistrationSet")
            for name in ["ClientRegistrationSet", "ClientID", "ClientGUID"] {
                #expect(error?.message?.contains(name) == true)
            }
            #expect(fixture.requests.isEmpty)
            let isKnown = try fixture.provider.isClientRegistered()
            #expect(!isKnown)
        }
    }

    // REG-011
    @Test func forgettingLocallyLeavesTheServiceAlone() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.registerClient(nil)
            #expect(Self.hasFile(fixture))
            try fixture.provider.unregisterClient(deleteFromServer: false)
            #expect(!Self.hasFile(fixture))
            #expect(try !fixture.provider.isClientRegistered())
            #expect(fixture.provider.serviceOptions.clientInstanceID == nil)
            #expect(fixture.requests == ["POST /ClientRegistrationSet"])
        }
    }

    // REG-012
    @Test func forgettingEverywhereDeletesTheRegisteredKey() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.registerClient(nil)
            try fixture.provider.unregisterClient(deleteFromServer: true)
            #expect(fixture.requests.last == "DELETE /ClientRegistrationSet(1)")
            #expect(try fixture.value("SELECT count(*) FROM ClientRegistrationSet") == "0")
            #expect(!Self.hasFile(fixture))
            #expect(try !fixture.provider.isClientRegistered())
        }
    }

    // REG-013
    @Test func aRefusedDeleteIsReportedAndForgottenLocallyAllTheSame() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.registerClient(nil)
            fixture.service.observer.setFaults { request, _ in
                request.method == "DELETE"
                    ? .answer(.json(#"{"error":{"code":"x","message":"no"}}"#, status: 403)) : nil
            }
            let error = #expect(throws: DataServiceError.self) {
                try fixture.provider.unregisterClient(deleteFromServer: true)
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/ClientRegistrationSet")
            #expect(error?.status == 403)
            #expect(!Self.hasFile(fixture))
            #expect(try !fixture.provider.isClientRegistered())
        }
    }
}
