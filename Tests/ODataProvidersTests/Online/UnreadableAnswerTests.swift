import ODataQuery
import ODataText
import SAPOData
import Testing

/// An answer that cannot be read is named: set, resource and place within it, or who else answered.
@Suite struct UnreadableAnswerTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="At" Type="Edm.Date"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func error(_ answer: ResponseMessage) throws -> ErrorBase {
        let provider = ScriptedService { _ in answer }.makeProvider(model)
        try provider.loadMetadata(headers: .empty, options: .none)
        let query = DataQuery().from(provider.metadata.entitySet(withName: "Items"))
        do {
            _ = try provider.executeQuery(query, headers: .empty, options: .none).entityList()
        } catch let error as ErrorBase {
            return error
        }
        throw FatalError(message: "Expected an error.")
    }

    @Test(arguments: [
        (#"{"value":[{"Id":1,}]}"#, ErrorBase.Code.malformedText),
        (#"{"value":[{"Id":"one"}]}"#, ErrorBase.Code.invalidPayload),
        (#"{"value":[{"Id":1,"At":"2024-02-31"}]}"#, ErrorBase.Code.invalidPayload),
    ]) func aPayloadNamesSetResourceAndPlace(body: String, code: ErrorBase.Code) throws {
        let error = try Self.error(.json(body, ["OData-Version": "4.0"]))
        #expect(error is DataFormatError, "\(error)")
        #expect(!(error is DataServiceError))
        #expect(error.code == code)
        #expect(error.place?.host == "h" && error.place?.path == "/s/Items")
        let message = try #require(error.message)
        #expect(message.contains("in the answer for entity set Items"), "\(message)")
        #expect(message.contains("(h/s/Items)"), "\(message)")
    }

    @Test func aMalformedTextNamesItsOffset() throws {
        let error = try Self.error(.json(#"{"value":[{"Id":1,}]}"#, ["OData-Version": "4.0"]))
        #expect(error.message?.contains("Items at offset 18") == true, "\(error)")
    }

    @Test func aPageForPeopleIsNotTheService() throws {
        let page = "<!DOCTYPE html><html><head><TITLE lang='en'>Sign\n in</TITLE></head></html>"
        let error = try Self.error(
            ResponseMessage(
                status: 200, headers: ["Content-Type": "text/html; charset=utf-8"],
                body: Array(page.utf8)))
        #expect(error is DataNetworkError, "\(error)")
        #expect(
            error.message?.hasPrefix("Not the service: text/html (Sign in) from h to GET.") == true,
            "\(error)")
    }

    @Test func aRefusalByAPageHasItsTitle() throws {
        let page = "<html><title>Bad Gateway - proxy 7</title><body>secret</body></html>"
        let error = try Self.error(
            ResponseMessage(
                status: 502, headers: ["Content-Type": "text/html"], body: Array(page.utf8)))
        let refusal = try #require(error as? DataServiceError)
        #expect(refusal.status == 502)
        #expect(
            refusal.response?.message == "HTTP 502 Bad Gateway with a page (Bad Gateway - proxy 7)")
        #expect(!error.toString().contains("secret"))
    }
}
