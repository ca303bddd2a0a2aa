import ODataClasses
import Foundation
import ODataModel
import ODataQuery
import ODataText
import Testing

/// What users of the API read when something failed.
@Suite struct ErrorTests {
    @Test(arguments: [
        (
            ODataError(.invalidQuery, "Expected a name.", at: .offset(3)),
            "DataQueryError: Expected a name. (offset 3)"
        ),
        (ODataError(.malformedText, "Expected JSON."), "DataFormatError: Expected JSON."),
        (
            ODataError(.invalidMetadata, "Expected a type.", at: .position(line: 2, column: 4)),
            "CSDLError: Expected a type. (line 2, column 4)"
        ),
        (ODataError(.network, "Expected an answer."), "DataNetworkError: Expected an answer."),
        (ODataError(.storage, "Expected space."), "DataStorageError: Expected space."),
        (
            ODataError(.service, "Tool is lent out.", status: 409),
            "DataServiceError (409): Tool is lent out."
        ),
        (
            ODataError(.notFound, "Expected an entity."),
            "DataServiceError (404): Expected an entity."
        ),
        (
            ODataError(.preconditionFailed, "Expected the same ETag."),
            "DataServiceError (412): Expected the same ETag."
        ),
        (ODataError(.usage, "Expected an open store."), "UsageError: Expected an open store."),
    ])
    func packageErrorsBecomeErrorsOfTheAPI(_ error: ODataError, _ text: String) {
        #expect(ErrorBase.from(error).toString() == text)
        #expect(ErrorBase.from(any: error).description == text)
    }

    @Test func theSentenceIsTheLocalizedDescription() {
        let error: any Error = DataServiceError.withStatus(409, message: "Tool is lent out.")
        #expect(error.localizedDescription == "Tool is lent out.")
        #expect(DataServiceError.withStatus(503).message == "503 Service Unavailable")
    }

    @Test func factoriesKeepTheirClass() {
        let cause = DataNetworkError.withMessage("down")
        let error = DataStorageError.withCauseAndMessage(cause: cause, message: "no")
        #expect(error.cause as? DataNetworkError === cause)
        #expect(DataServiceError.validationError(message: "x").status == 400)
        #expect(DataServiceError.notImplemented(method: "PATCH").status == 501)
    }

    @Test func whatTheServiceSaidIsKept() {
        let response = ErrorResponse(code: "T17", message: "Tool is lent out", target: "State")
        let error = DataServiceError.withResponse(409, response: response)
        #expect(error.response === response)
        #expect(error.statusText == "409 Conflict")
    }
}
