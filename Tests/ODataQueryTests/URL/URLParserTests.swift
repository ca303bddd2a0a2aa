import ODataModel
import ODataQuery
import ODataText
import Testing

@Suite struct URLParserTests {
    @Test func aSetAndAKeyAreTwoSegments() throws {
        let query = try URLParser.parse("Tools(7)", dialect: .v4)
        #expect(
            query.path.segments == [
                .entitySet("Tools"), .key([KeyValue(name: nil, value: .literal(.integer(7), nil))]),
            ])
    }
}
