import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import ODataText
import Testing

/// The cases of the OASIS ABNF repository: what the grammar accepts and refuses.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct ABNFCaseTests {
    struct File: Decodable {
        let cases: [Case]

        enum CodingKeys: String, CodingKey { case cases = "TestCases" }
    }

    struct Case: Decodable {
        let name: String?
        let rule: String
        let input: String
        let failAt: Int?

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case rule = "Rule"
            case input = "Input"
            case failAt = "FailAt"
        }
    }

    /// What only a model can tell; docs/conformance.md gives the reasons.
    private static let exceptions: Set<String> = [
        "Categories(1)/Thumbnail/$value", "$apply=aggregate(Amount as Total)",
        "$apply=aggregate(Amount from Time with average as DailyAverage)",
        "$apply=groupby((Product/Price/Quantity))", "$apply=join(ShipTo as Detail,identity)",
    ]

    @Test(arguments: [
        ("core", "abnf", 420), ("aggregation", "aggregation", 101), ("temporal", "temporal", 7),
    ])
    func casesAreAcceptedAndRefusedAsTheGrammarSays(
        _ title: String, _ name: String, _ count: Int
    ) throws {
        let file = try Conformance.json("abnf/odata-\(name)-cases.json", as: File.self)
        var right = 0
        var inputs: Set<String> = []
        var (wrong, unknown) = ([String](), 0)
        for item in file.cases {
            var isAccepted = true
            var reason = ""
            do {
                try URLParser.check(rule: item.rule, text: item.input)
            } catch let error as ODataError where error.code == .notImplemented {
                unknown += 1
                continue
            } catch {
                isAccepted = false
                reason = "\(error)"
            }
            if isAccepted == (item.failAt == nil) {
                right += 1
            } else {
                inputs.insert(item.input)
                wrong.append("\(item.rule) | \(item.input) | \(item.failAt ?? -1) | \(reason)")
            }
        }
        print(
            "ABNF cases, \(title): \(right) as expected, \(wrong.count) not, \(unknown) of rules not checked"
        )
        wrong.forEach { print("  \($0)") }
        #expect(unknown == 0)
        #expect(file.cases.count == count)
        let surprises = inputs.subtracting(Self.exceptions)
        #expect(surprises.isEmpty)
    }

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
