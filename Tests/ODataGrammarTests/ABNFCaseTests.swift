import ConformanceData
import Foundation
import ODataGrammar
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
        let rule: String
        let input: String
        let failAt: Int?

        enum CodingKeys: String, CodingKey {
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
        var (right, unknown, surprises) = (0, 0, [String]())
        for item in file.cases {
            var failure: ODataError?
            do {
                try RuleCheck.check(rule: item.rule, text: item.input)
            } catch let error as ODataError {
                failure = error
            }
            if failure?.code == .notImplemented { unknown += 1 }
            if (failure == nil) == (item.failAt == nil) {
                right += 1
            } else if !Self.exceptions.contains(item.input) {
                surprises.append(
                    "\(item.rule) | \(item.input) | \(failure.map { "\($0)" } ?? "ok")")
            }
        }
        print("ABNF cases, \(title): \(right) as expected, \(count - right) not")
        #expect(unknown == 0)
        #expect(file.cases.count == count)
        #expect(surprises.isEmpty)
    }
}
