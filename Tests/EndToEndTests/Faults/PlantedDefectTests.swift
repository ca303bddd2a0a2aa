import Foundation
import GRDB
import ODataQuery
import ODataTesting
import ODataText
import Testing

/// The harnesses find what they are there for: with a defect planted, each of them reports.
@Suite(.serialized) struct PlantedDefectTests {
    private static let good = Result { () throws -> StoryEnding in
        var story = FaultStory()
        story.rounds = 4
        return try story.run()
    }

    /// What the story finds with a defect in place, or what kept it from ending; printed, and never nothing.
    private static func expectFindings(
        _ name: String, every interval: Int, onlyWrites: Bool = false,
        _ plant: @escaping @Sendable (inout FaultStory) -> Void
    ) async throws {
        try await onOwnThread {
            var story = FaultStory(faultsEvery: interval)
            story.onlyWrites = onlyWrites
            story.rounds = 4
            plant(&story)
            let found: [String]
            do {
                let ending = try story.run()
                found = try ending.findings + ending.differences(from: good.get())
            } catch {
                found = ["the story did not end: \(error)"]
            }
            #expect(!found.isEmpty)
            let first = found.first.map { String($0.prefix(160)) } ?? "nothing"
            print("figure: planted \(name) found=\(found.count) first: \(first)")
        }
    }

    @Test func aGoodClientHasNoFindings() async throws {
        try await onOwnThread {
            let ending = try Self.good.get()
            #expect(ending.findings == [])
        }
    }

    @Test(arguments: DefectTransport.Defect.allCases)
    func theFaultHarnessFindsADefectiveClient(_ defect: DefectTransport.Defect) async throws {
        try await Self.expectFindings(defect.rawValue, every: 3, onlyWrites: true) {
            $0.defect = defect
        }
    }

    /// The attempt is forgotten whenever its answer is lost, and its requests wait as if they had never been sent.
    @Test func theFaultHarnessFindsAnUploadThatDoesNotFreeze() async throws {
        try await Self.expectFindings("forgetsAttempt", every: 3, onlyWrites: true) { story in
            story.afterFailure = { place in
                try place.changeInStore { database in
                    let ids = try Int64.fetchAll(
                        database, sql: "SELECT id FROM _odata_request WHERE state = 'frozen'")
                    for id in ids {
                        try database.execute(
                            sql: "UPDATE _odata_request SET state = 'waiting', attempt = NULL,"
                                + " first_sent = NULL, repeatability_id = ? WHERE id = ?",
                            arguments: [UUID().uuidString.lowercased(), id])
                    }
                    try database.execute(sql: "DELETE FROM _odata_attempt")
                }
            }
        }
    }

    /// An interrupted read goes on one page later than it was stored.
    @Test func theFaultHarnessFindsAResumePointThatIsAhead() async throws {
        try await Self.expectFindings("resumesAhead", every: 4) { story in
            story.afterFailure = { place in
                try place.changeInStore { try Self.advance($0, place) }
            }
        }
    }

    private static func advance(_ database: Database, _ place: FaultPlace) throws {
        for row in try Row.fetchAll(database, sql: "SELECT query, next_link FROM _odata_resume") {
            let answer = place.respond(
                to: RequestMessage(
                    method: "GET", url: row["next_link"], headers: ["Accept": "application/json"]))
            let json = try JSONValue(parsing: answer.body, duplicates: .keepLast)
            guard let link = json["@odata.nextLink"]?.string ?? json["@nextLink"]?.string else {
                continue
            }
            try database.execute(
                sql: "UPDATE _odata_resume SET next_link = ? WHERE query = ?",
                arguments: [link, row["query"] as String])
        }
    }
}
