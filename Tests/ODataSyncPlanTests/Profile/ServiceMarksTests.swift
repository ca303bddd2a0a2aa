import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// Who an answer comes from.
@Suite struct ServiceMarksTests {
    private func origin(
        _ status: Int, _ headers: HeaderFields = HeaderFields(), _ body: String = "",
        to question: ServiceMarks.Question, learned: Bool = false
    ) -> ServiceMarks.Origin {
        ServiceMarks(sendsVersion: learned).origin(
            of: ResponseMessage(status: status, headers: headers, body: Array(body.utf8)),
            to: question)
    }

    private static let login =
        "<!DOCTYPE html><html><head><title>Log  on</title></head><body></body></html>"

    @Test(arguments: [
        ServiceMarks.Question.metadata, .data, .create, .update, .delete, .batch,
    ])
    func aPageIsNoAnswerOfAService(to question: ServiceMarks.Question) {
        #expect(origin(200, ["Content-Type": "text/html"], Self.login, to: question) == .foreign)
        #expect(origin(200, HeaderFields(), Self.login, to: question) == .foreign)
        #expect(origin(200, to: question) == .foreign)
        #expect(origin(302, ["Location": "/login"], to: question) == .foreign)
    }

    @Test(arguments: ["OData-Version", "DataServiceVersion"])
    func aVersionHeaderIsEnough(_ name: String) {
        let headers = HeaderFields([.init(name: name, value: "4.0")])
        #expect(origin(204, headers, to: .update) == .service)
        #expect(origin(500, headers, "broken", to: .batch) == .service)
    }

    @Test func aBareSuccessIsDoubtful() {
        #expect(origin(204, to: .update) == .doubtful)
        #expect(origin(204, to: .delete) == .doubtful)
        #expect(origin(204, to: .create) == .doubtful)
        #expect(origin(204, to: .batch) == .foreign)
        #expect(origin(204, ["ETag": "\"1\""], to: .update) == .service)
        #expect(origin(204, ["OData-EntityId": "Orders(1)"], to: .create) == .service)
    }

    @Test func bodiesOfServicesWithoutHeadersAreKnown() {
        let json: HeaderFields = ["Content-Type": "application/json"]
        #expect(origin(200, json, #"{"@odata.context":"x","value":[]}"#, to: .data) == .service)
        #expect(origin(200, json, #"{ "d" : {"results":[]}}"#, to: .data) == .service)
        #expect(origin(201, json, #"{"Id":1}"#, to: .create) == .service)
        #expect(origin(201, json, #"{"Id":1}"#, to: .create, learned: true) == .doubtful)
        #expect(origin(200, json, #"{"Id":1}"#, to: .update) == .doubtful)
        #expect(origin(200, HeaderFields(), "17", to: .data) == .doubtful)
        #expect(origin(200, HeaderFields(), "17", to: .data, learned: true) == .foreign)
        #expect(
            origin(200, HeaderFields(), "<edmx:Edmx Version=\"4.0\">", to: .metadata) == .service)
        #expect(origin(202, ["Content-Type": "multipart/mixed"], "--b", to: .batch) == .service)
    }

    @Test func errorsAreTheServicesWhenTheyAreOfItsKind() {
        #expect(
            origin(
                500, ["Content-Type": "application/json"], #"{"error":{"code":"1","message":"m"}}"#,
                to: .update) == .service)
        #expect(
            origin(
                400, HeaderFields(),
                #"<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>1</code></error>"#,
                to: .batch) == .service)
        #expect(origin(502, ["Content-Type": "text/html"], Self.login, to: .update) == .foreign)
        #expect(
            origin(
                400, ["Content-Type": "application/json"], #"{"error":"invalid_token"}"#,
                to: .update) == .foreign)
    }

    @Test func whoAnsweredIsSaidWithoutSecrets() {
        let answer = ResponseMessage(
            status: 200, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: Array(Self.login.utf8))
        let error = ForeignAnswer.error(
            answer, of: "http://user:word@example.com:81/odata/Orders?token=1", method: "POST")
        #expect(error.code == .network)
        #expect(
            error.description
                == "network at example.com:81/odata/Orders: Not the service: text/html (Log on)"
                + " from example.com:81 to POST.")
    }

    @Test func aStrangersAnswerToAChangeNamesTheResource() throws {
        let message = RequestMessage(method: "PATCH", url: "Orders(7)", headers: [:])
        let attempt = Attempt(
            id: 1, message: message, members: [Attempt.Member(request: 1)], frozenAt: 0)
        let outcome = SendingOutcome.of(
            .success(
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "text/html"],
                    body: Array(Self.login.utf8))),
            to: attempt, asking: .update, marks: ServiceMarks(), root: "http://example.com/odata/")
        guard case .doubtful(_, let error) = outcome else {
            Issue.record("Expected a doubtful answer, found \(outcome).")
            return
        }
        #expect(error.location == .resource(host: "example.com", path: "/odata/Orders"))
    }
}
