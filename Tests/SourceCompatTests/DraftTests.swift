import Foundation
import ODataTesting
import SAPOfflineOData
import Testing

/// Drafts that stay on the device until the app makes entities for the service of them.
@Suite struct DraftTests {
    private static func metadata(_ annotation: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="Own" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityContainer Name="OwnContainer">
                <EntitySet Name="TeacherDrafts" EntityType="Database.Teachers">
                  \(annotation)
                </EntitySet>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """
    }

    private static let plain = #"<Annotation Term="com.sap.vocabularies.Offline.v1.LocalDraft"/>"#
    private static let naming = """
        <Annotation Term="com.sap.vocabularies.Offline.v1.ClientOnly">
        <Record Type="com.sap.vocabularies.Offline.v1.LocalDraft">
        <PropertyValue Property="ActiveEntitySet" String="Teachers"/></Record></Annotation>
        """

    @Test("CSP-040 a draft becomes an entity for the service", arguments: [plain, naming])
    func aDraftBecomesAnEntityForTheService(_ annotation: String) async throws {
        try await SchoolService.run { school in
            let file = school.folder.appendingPathComponent("own.xml")
            try Self.metadata(annotation).write(to: file, atomically: true, encoding: .utf8)
            let parameters = school.parameters()
            parameters.clientMetadataFile = file
            parameters.enableClientOnlyMetadata = true
            let provider = try school.provider(parameters: parameters)
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            let service = DataService(provider: provider)
            let teachers = service.entitySet(withName: "Teachers")
            let drafts = service.entitySet(withName: "TeacherDrafts")
            #expect(drafts.isLocalDraft && !teachers.isLocalDraft)
            #expect(drafts.activeEntitySet === teachers && teachers.localDraftSet === drafts)
            let name = teachers.entityType.property(withName: "NAME")
            let teacher = EntityValue.ofType(teachers.entityType)
            #expect(teacher.entitySet === teachers)
            teachers.entityType.property(withName: "ID").setLongValue(in: teacher, to: 9)
            name.setStringValue(in: teacher, to: "Nina")
            let draft = try teacher.asDraft()
            #expect(draft.isLocalDraft && draft.isNew && !teacher.isLocalDraft)
            try service.createEntity(draft)
            #expect(try provider.requestQueueIsEmpty())
            #expect(
                try school.storeRows("SELECT ID, NAME FROM TeacherDrafts") == [["9", "Nina"]])
            let active = try service.activateDraft(draft)
            #expect(active.entitySet === teachers && name.stringValue(from: active) == "Nina")
            #expect(try school.storeRows("SELECT ID FROM TeacherDrafts").isEmpty)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 9") == [["Nina"]])
            #expect(throws: UsageError.self) { try service.activateDraft(active) }
            try provider.close()
        }
    }

    @Test func withoutASetOfDraftsThereAreNone() async throws {
        try await SchoolService.run { school in
            let service = DataService(
                provider: OnlineODataProvider(serviceName: "S", serviceRoot: school.url))
            let teachers = service.entitySet(withName: "Teachers")
            let students = teachers.entityType.property(withName: "Students")
            let student = EntityValue.ofType(students.itemEntityType)
            let teacher = EntityValue.ofType(teachers.entityType)
            #expect(throws: UsageError.self) { try teacher.asDraft() }
            students.itemEntityType.property(withName: "ID").setLongValue(in: student, to: 50)
            teachers.entityType.property(withName: "ID").setLongValue(in: teacher, to: 9)
            try service.createEntity(teacher.withDeepCreate(students, student))
            #expect(
                try school.serviceRows("SELECT TEACHER FROM Students WHERE ID = 50") == [["9"]])
        }
    }
}
