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

/// Media entities behind defining queries.
@Suite struct OfflineStreamTests {
    private static let schema = """
        CREATE TABLE Pictures (ID INTEGER PRIMARY KEY, NAME TEXT, Content MEDIA);
        INSERT INTO Pictures VALUES (1, 'Lake', x'01020304');
        """

    /// OFF-006
    @Test(arguments: [true, false])
    func definingQueriesBringStreamsWhereTheySaySo(retrieves: Bool) async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let provider = try school.provider([])
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "pictures", query: "Pictures", automaticallyRetrievesStreams: retrieves))
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            let service = DataService(provider: provider)
            let set = service.entitySet(withName: "Pictures")
            let picture = try service.executeQuery(DataQuery().from(set)).entityList()[0]
            school.service.stop()
            if retrieves {
                let stream = try service.downloadMedia(entity: picture)
                #expect(try stream.readAndClose() == Data([1, 2, 3, 4]))
            } else {
                #expect(
                    failure { try service.downloadMedia(entity: picture) }
                        == Failure(UndefinedError.self, .notLoaded, at: "Pictures"))
                #expect(
                    try school.storeRows("SELECT count(*) FROM _odata_stream_part") == [["0"]])
            }
            try provider.close()
        }
    }
}
