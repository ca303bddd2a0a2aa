import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct NestingTests {
    private func nested(_ depth: Int) -> [UInt8] {
        let open = String(repeating: #"{"Id":1,"Parts":["#, count: depth)
        return Array((open + String(repeating: "]}", count: depth)).utf8)
    }

    @Test func nestedEntitiesAreReadToTheLimit() throws {
        let reader = EntityJSONReader(Workshop.v4)
        var value = try reader.entity(nested(60), of: Workshop.tool)
        var depth = 1
        while let next = value["Parts"]?.list?.first?.structure {
            value = next
            depth += 1
        }
        #expect(depth == 60)
    }

    @Test(arguments: [65, 1_000, 100_000])
    func deeperDocumentsAreRefused(depth: Int) {
        let reader = EntityJSONReader(Workshop.v4)
        #expect {
            try reader.entity(nested(depth), of: Workshop.tool)
        } throws: { ($0 as? ODataError)?.code == .limitExceeded }
        let page = Array(#"{"value":["#.utf8) + nested(depth) + Array("]}".utf8)
        #expect(
            failure { try reader.page(page, of: Workshop.tool) }
                == Failure(.limitExceeded, at: .offset(1082)))
    }
}
