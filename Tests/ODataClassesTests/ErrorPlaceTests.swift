import ODataClasses
import ODataText
import Testing

/// What an error of the API says to programs: a code, a place without keys, and what lies beneath it.
@Suite struct ErrorPlaceTests {
    private struct Beneath: Error {}

    @Test(arguments: [
        (
            "https://h.example/s/Customers('A''B')/Orders(7)?$filter=Name eq 'x'", "h.example",
            "/s/Customers/Orders"
        ),
        ("http://u:secret@h:8080/s/$metadata", "h:8080", "/s/$metadata"),
        ("http://h", "h", ""),
        ("http://h?x=1", "h", ""),
        ("Customers(Id=1,Name='a')/Orders", nil, "Customers/Orders"),
        ("Customers('a/b(c')/Orders", nil, "Customers/Orders"),
        ("Customers(%27a/b)%27)/Orders?$top=1", nil, "Customers/Orders"),
        ("Customers('never closed/Orders", nil, "Customers"),
        ("Customers", nil, "Customers"),
        ("Sales.Customer/Name", nil, "Sales.Customer/Name"),
    ])
    func aPlaceNamesNoEntityAndNoUser(text: String, host: String?, path: String) {
        let error = ErrorBase.from(ODataError(.service, "Expected more.", at: .path(text)))
        #expect(error.place?.host == host)
        #expect(error.place?.path == path)
        #expect(error.message == "Expected more. (\((host ?? "") + path))")
    }

    @Test func aPositionInATextIsAPlace() {
        let error = ErrorBase.from(
            ODataError(.malformedText, "Expected more.", at: .position(line: 2, column: 3)))
        #expect(error is DataFormatError && error.code == .malformedText)
        #expect(error.place?.description == "line 2, column 3")
    }

    @Test(arguments: [
        ODataError.Code.network, .timeout, .cancelled, .storage, .usage, .invalidQuery,
        .unknownName, .notFound, .conflict, .preconditionFailed, .notImplemented, .service,
        .limitExceeded, .invalidMetadata, .invalidPayload, .malformedText, .notLoaded,
        ODataError.Code("ofALaterVersion"),
    ])
    func everyCodeStaysTheSame(code: ODataError.Code) {
        let error = ErrorBase.from(any: ODataError(code, "No.", underlying: Beneath()))
        #expect(error.code == ErrorBase.Code(rawValue: code.description))
        #expect(error.cause is Beneath)
        #expect(error.place == nil)
    }

    @Test func errorsThatAppsMakeHaveTheCodeOfTheirClass() {
        #expect(DataNetworkError(message: "x").code == .network)
        #expect(DataServiceError.withStatus(404).code == .service)
        #expect(DataStorageError().code == .storage)
        #expect(CSDLError.cannotFetch("u").code == .invalidMetadata)
        #expect(DataError().code == .other && ErrorBase().code == .other)
    }

    @Test func aCancelledTaskIsToldFromAFailure() {
        let cancelled = ErrorBase.from(any: CancellationError())
        #expect(cancelled is DataNetworkError && cancelled.code == .cancelled)
        #expect(ErrorBase.forTask(cancelled) is CancellationError)
        #expect(ErrorBase.forTask(ODataError(.cancelled, "No.")) is CancellationError)
        let timeout = ErrorBase.from(ODataError(.timeout, "No."))
        #expect(ErrorBase.forTask(timeout) as? ErrorBase === timeout)
    }
}
