import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import Testing

/// Requests that other clients sent.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedRequestTests {
    @Test(arguments: ["client-requests/sapjs-demo.json", "client-requests/pythonodata-demo.json"])
    func recordedRequestsOfOtherClientsParse(_ path: String) throws {
        struct Request: Decodable {
            let method: String
            let target: String
        }
        let root = "/DemoService/DemoService.svc/"
        for request in try Conformance.json(path, as: [Request].self) {
            guard request.target.hasPrefix(root) else {
                Issue.record("Unexpected target \(request.target)")
                continue
            }
            let relative = String(request.target.dropFirst(root.count))
            let query = try URLParser.parse(relative, dialect: .v4)
            #expect(relative.isEmpty || !query.path.segments.isEmpty)
        }
    }
}
