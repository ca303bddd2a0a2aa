import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct ClientOnlyDataTests {
    /// The client's own metadata: notes of its own, and drafts of the service's teachers.
    private static func metadata(_ properties: String = "") -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="Own" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Memo">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/>\(properties)
                <Annotation Term="com.sap.vocabularies.Offline.v1.ClientOnly"/>
              </EntityType>
              <EntityContainer Name="OwnContainer">
                <EntitySet Name="Memos" EntityType="Own.Memo">
                  <Annotation Term="com.sap.vocabularies.Offline.v1.ClientOnly"/>
                </EntitySet>
                <EntitySet Name="TeacherDrafts" EntityType="Database.Teachers">
                  <Annotation Term="com.sap.vocabularies.Offline.v1.LocalDraft"/>
                </EntitySet>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """
    }

    private struct Desk {
        let school: SchoolService

        func parameters(
            _ metadata: String = ClientOnlyDataTests.metadata(),
            adjust: (OfflineODataParameters) -> Void = { _ in }
        ) throws -> OfflineODataParameters {
            let file = school.folder.appendingPathComponent("own.xml")
            try metadata.write(to: file, atomically: true, encoding: .utf8)
            let parameters = school.parameters()
            parameters.clientMetadataFile = file
            parameters.enableClientOnlyMetadata = true
            adjust(parameters)
            return parameters
        }

        func open(_ parameters: OfflineODataParameters) throws -> OfflineODataProvider {
            let provider = try school.provider(parameters: parameters)
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            return provider
        }

        func create(_ set: String, _ id: Int64, _ text: String, _ service: DataService) throws {
            let set = service.entitySet(withName: set)
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            let key = set.entityType.property(withName: "ID")
            key.setLongValue(in: entity, to: id)
            let name = set.localName == "Memos" ? "Text" : "NAME"
            set.entityType.property(withName: name).setStringValue(in: entity, to: text)
            try service.createEntity(entity)
            #expect(!entity.isLocal && !entity.hasPendingChanges)
        }

        func memos() throws -> [[String?]] {
            try school.storeRows("SELECT ID, Text FROM Memos ORDER BY ID")
        }
    }

    /// PAR-055, CSP-039, CSP-040
    @Test func clientOnlyRowsAreKeptAndNeverSent() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let provider = try desk.open(try desk.parameters())
            let service = DataService(provider: provider)
            try desk.create("Memos", 1, "remember", service)
            try desk.create("TeacherDrafts", 77, "maybe", service)
            #expect(
                service.entitySet(withName: "TeacherDrafts").entityType
                    === service.entitySet(withName: "Teachers").entityType)
            let set = service.entitySet(withName: "Memos")
            let memo = try service.executeQuery(DataQuery().from(set)).requiredEntity()
            set.entityType.property(withName: "Text").setStringValue(in: memo, to: "remembered")
            try service.updateEntity(memo)
            try desk.create("Memos", 2, "gone", service)
            let second = try service.executeQuery(
                DataQuery().from(set).filter(set.entityType.property(withName: "ID") == 2)
            ).requiredEntity()
            try service.deleteEntity(second)
            #expect(try provider.requestQueueIsEmpty())
            school.service.observer.forget()
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(
                !school.service.observer.requests.contains {
                    $0.url.contains("Memos") || $0.url.contains("Drafts") || $0.method == "PATCH"
                })
            #expect(try desk.memos() == [["1", "remembered"]])
            #expect(
                try school.storeRows("SELECT ID, NAME FROM TeacherDrafts") == [["77", "maybe"]])
            #expect(try school.serviceRows("SELECT count(*) FROM Teachers") == [["3"]])
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try provider.close()
        }
    }

    /// PAR-054, PAR-056
    @Test func withoutTheSwitchTheSetIsUnknownAndItsRowsAreGone() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let first = try desk.open(try desk.parameters())
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            #expect(try desk.memos().count == 1)
            try first.close()
            let parameters = try desk.parameters { $0.enableClientOnlyMetadata = false }
            let second = try desk.open(parameters)
            #expect(second.metadata.entitySet(named: "Memos") == nil)
            #expect(second.metadata.entitySet(named: "Teachers") != nil)
            #expect(
                try school.storeRows("SELECT count(*) FROM sqlite_master WHERE name LIKE '%Memos%'")
                    == [["0"]])
            try second.close()
            let third = try desk.open(try desk.parameters())
            #expect(try desk.memos().isEmpty)
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try third.close()
        }
    }

    /// PAR-057, PAR-058
    @Test(arguments: [true, false])
    func anotherUserSeesTheDataOnlyWhenItIsShared(purges: Bool) async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let adjust: (OfflineODataParameters, String) -> Void = {
                $0.forceUploadOnUserSwitch = true
                $0.forcePurgeClientOnlyDataOnUserSwitch = purges
                $0.currentUser = $1
            }
            let first = try desk.open(try desk.parameters { adjust($0, "mia") })
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            try first.close()
            let second = try desk.open(try desk.parameters { adjust($0, "noah") })
            #expect(try desk.memos().count == (purges ? 0 : 1))
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try second.close()
        }
    }

    @Test(
        "PAR-057 the same user, and users who do not count, purge nothing",
        arguments: ["mia", "noah", nil])
    func theSameUserKeepsTheData(user: String?) async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let isSame = user == "mia"
            // Without forced upload users do not count, whatever the purge flag says.
            let adjust: (OfflineODataParameters, String?) -> Void = {
                $0.forceUploadOnUserSwitch = isSame
                $0.currentUser = $1
                #expect($0.forcePurgeClientOnlyDataOnUserSwitch)
            }
            let first = try desk.open(try desk.parameters { adjust($0, "mia") })
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            try first.close()
            let second = try desk.open(try desk.parameters { adjust($0, user) })
            #expect(try desk.memos() == [["1", "remember"]])
            try second.close()
        }
    }

    @Test("PAR-057 nobody in particular is another user")
    func nobodyIsAnotherUser() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            for user in ["mia", nil] {
                let parameters = try desk.parameters {
                    $0.forceUploadOnUserSwitch = true
                    $0.currentUser = user
                }
                let provider = try desk.open(parameters)
                #expect(try desk.memos().isEmpty)
                if user != nil {
                    try desk.create("Memos", 1, "remember", DataService(provider: provider))
                }
                try provider.close()
            }
        }
    }

    /// PAR-059
    @Test func purgingTakesClientOnlyRowsAndNothingElse() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let provider = try desk.open(try desk.parameters())
            let service = DataService(provider: provider)
            try desk.create("Memos", 1, "remember", service)
            try desk.create("TeacherDrafts", 7, "maybe", service)
            try provider.purgeClientOnlyData()
            #expect(try desk.memos().isEmpty)
            #expect(try school.storeRows("SELECT ID FROM TeacherDrafts").isEmpty)
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try provider.close()
        }
    }

    /// PAR-060, PAR-062
    @Test(arguments: [false, true])
    func aCompatibleChangeKeepsTheRows(forced: Bool) async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let first = try desk.open(try desk.parameters())
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            try first.close()
            let grown = Self.metadata(#"<Property Name="Due" Type="Edm.Date"/>"#)
            let second = try desk.open(
                try desk.parameters(grown) {
                    $0.forcePurgeClientOnlyDataOnMetadataChange = forced
                })
            #expect(
                try school.storeRows("SELECT ID, Text, Due FROM Memos") == [["1", "remember", nil]])
            try second.close()
        }
    }

    /// Notes with a value of each kind of type that only the device knows.
    private static func rich() -> String {
        let mark = "<Annotation Term=\"com.sap.vocabularies.Offline.v1.ClientOnly\"/>"
        return metadata(
            """
            <Property Name="Mood" Type="Own.Mood"/><Property Name="Label" Type="Own.Label"/>
            <Property Name="Place" Type="Own.Place"/>
            """
        ).replacing(
            "<EntityType Name=\"Memo\">",
            with: """
                <EnumType Name="Mood"><Member Name="Good" Value="0"/><Member Name="Bad" Value="1"/>\(mark)</EnumType>
                <TypeDefinition Name="Label" UnderlyingType="Edm.String">\(mark)</TypeDefinition>
                <ComplexType Name="Place"><Property Name="Room" Type="Edm.String"/>\(mark)</ComplexType>
                <EntityType Name="Memo">
                """)
    }

    /// What a later version of the app changes, and whether it only adds.
    private static let richChanges: [(old: String, new: String, keeps: Bool)] = [
        ("<Member Name=\"Bad\"", "<Member Name=\"So\" Value=\"2\"/><Member Name=\"Bad\"", true),
        ("<Member Name=\"Bad\" Value=\"1\"/>", "", false),
        ("UnderlyingType=\"Edm.String\"", "UnderlyingType=\"Edm.Int32\"", false),
        ("Name=\"Room\" Type=\"Edm.String\"", "Name=\"Room\" Type=\"Edm.Int32\"", false),
    ]

    @Test(
        "PAR-061 values of client-only enumerations, type definitions and complex types are kept",
        arguments: richChanges)
    func valuesOfClientOnlyTypesAreKept(
        change: (old: String, new: String, keeps: Bool)
    ) async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let first = try desk.open(try desk.parameters(Self.rich()))
            let service = DataService(provider: first)
            let set = service.entitySet(withName: "Memos")
            let type = set.entityType
            let memo = EntityValue.ofType(type).inSet(set)
            type.property(withName: "ID").setLongValue(in: memo, to: 1)
            type.property(withName: "Label").setStringValue(in: memo, to: "red")
            type.property(withName: "Mood").setEnumValue(
                in: memo, to: first.metadata.enumType(withName: "Own.Mood").member(name: "Bad"))
            let place = first.metadata.complexType(withName: "Own.Place")
            let value = ComplexValue.ofType(place)
            place.property(withName: "Room").setStringValue(in: value, to: "12")
            type.property(withName: "Place").setComplexValue(in: memo, to: value)
            try service.createEntity(memo)
            #expect(try first.requestQueueIsEmpty())
            try first.close()
            let stored = try school.storeRows("SELECT * FROM Memos")
            let text = Self.rich()
            #expect(text.contains(change.old))
            let later = try desk.parameters(text.replacing(change.old, with: change.new))
            if change.keeps {
                try desk.open(later).close()
            } else {
                let error = #expect(throws: OfflineODataError.self) { try desk.open(later) }
                #expect(error?.errorName == .incompatibleMetadataChange)
            }
            #expect(try school.storeRows("SELECT * FROM Memos") == stored)
            let again = try desk.open(change.keeps ? later : try desk.parameters(Self.rich()))
            let found = try DataService(provider: again).executeQuery(
                DataQuery().from(again.metadata.entitySet(withName: "Memos"))
            ).requiredEntity()
            let known = found.entityType
            #expect(known.property(withName: "Label").stringValue(from: found) == "red")
            #expect(known.property(withName: "Mood").enumValue(from: found).name == "Bad")
            let room = known.property(withName: "Place").complexValue(from: found)
            #expect(room.complexType.property(withName: "Room").stringValue(from: room) == "12")
            try again.close()
        }
    }

    private static let changed = metadata()
        .replacingOccurrences(
            of: #"Name="Text" Type="Edm.String""#, with: #"Name="Text" Type="Edm.Int32""#)

    /// PAR-061
    @Test func anIncompatibleChangeFailsTheOpeningAndKeepsTheRows() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let first = try desk.open(try desk.parameters())
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            try first.close()
            let error = #expect(throws: OfflineODataError.self) {
                _ = try desk.open(try desk.parameters(Self.changed))
            }
            #expect(error?.errorName == .incompatibleMetadataChange, "\(String(describing: error))")
            #expect(try desk.memos() == [["1", "remember"]])
            let again = try desk.open(try desk.parameters())
            #expect(try desk.memos() == [["1", "remember"]])
            try again.close()
        }
    }

    /// PAR-063
    @Test func aForcedIncompatibleChangePurgesTheRowsAndOpens() async throws {
        try await SchoolService.run { school in
            let desk = Desk(school: school)
            let first = try desk.open(try desk.parameters())
            try desk.create("Memos", 1, "remember", DataService(provider: first))
            try first.close()
            let second = try desk.open(
                try desk.parameters(Self.changed) {
                    $0.forcePurgeClientOnlyDataOnMetadataChange = true
                })
            #expect(try desk.memos().isEmpty)
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            let set = second.metadata.entitySet(named: "Memos")
            #expect(set?.entityType.property(withName: "Text").dataType.code == DataType.int)
            try second.close()
        }
    }

    /// CSP-038
    @Test func aCloudSyncStoreTakesTheFileToo() async throws {
        try await SchoolService.run { school in
            let file = school.folder.appendingPathComponent("own.xml")
            try Self.metadata().write(to: file, atomically: true, encoding: .utf8)
            let sync = try CloudSyncProvider(
                onlineProvider: OnlineODataProvider(
                    serviceName: "School", serviceRoot: school.url.absoluteString),
                offlineStore: SQLDatabaseProvider(
                    serviceName: "School",
                    databaseURL: "sqlite:" + school.folder.appendingPathComponent("cloud.db").path))
            sync.clientMetadataFile = file.path
            try sync.open()
            try sync.download(groups: StringList(), options: SyncOptions())
            let service = OfflineDataService(provider: sync)
            let set = service.entitySet(withName: "Memos")
            let memo = EntityValue.ofType(set.entityType)
            set.entityType.property(withName: "ID").setLongValue(in: memo, to: 5)
            try service.createEntity(memo)
            #expect(
                try school.storeRows("SELECT ID FROM Memos", store: "cloud") == [["5"]])
            #expect(
                try school.storeRows("SELECT count(*) FROM _odata_request", store: "cloud")
                    == [["0"]])
            try sync.upload(groups: StringList(), options: SyncOptions())
            #expect(!school.service.observer.requests.contains { $0.url.contains("Memos") })
            sync.clientMetadataFile = school.folder.appendingPathComponent("missing.xml").path
            try sync.close()
            #expect(
                failure { try sync.open() } == Failure(UsageError.self, .usage, at: "missing.xml"))
        }
    }
}
