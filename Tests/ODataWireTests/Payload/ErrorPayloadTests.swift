import ConformanceData
import ErrorFixture
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct ErrorPayloadTests {
    private func read(_ body: String, status: Int = 400) -> ErrorPayload {
        ErrorPayload(ResponseMessage(status: status, body: Array(body.utf8)))
    }

    @Test func theV4FormIsRead() {
        let error = read(
            #"{"error":{"code":"T17","message":"Tool is lent out","target":"Tools(7)/State","#
                + #""details":[{"code":"D","message":"Since May","target":"Day"},7],"#
                + #""innererror":{"trace":["a"]},"@Ns.Term":1}}"#)
        #expect(error.code == "T17")
        #expect(error.message == "Tool is lent out")
        #expect(error.target == "Tools(7)/State")
        #expect(
            error.details == [
                ErrorPayload.Detail(code: "D", message: "Since May", target: "Day")
            ])
        #expect(error.innerError?["trace"]?.array?.count == 1)
        let thrown = error.error(status: 409)
        #expect(thrown.code == .service)
        #expect(thrown.status == 409)
        #expect(thrown.message == "Tool is lent out")
    }

    @Test func theV2FormsAreRead() {
        let error = read(
            #"{"error":{"code":"SY/530","message":{"lang":"en","value":"Locked"},"innererror":{"#
                + #""transactionid":"1","errordetails":[{"code":"C","message":"By Mia","#
                + #""propertyref":"Owner","severity":"error"}]}}}"#)
        #expect(error.code == "SY/530")
        #expect(error.message == "Locked")
        #expect(
            error.details == [
                ErrorPayload.Detail(
                    code: "C", message: "By Mia", target: "Owner", severity: "error")
            ])
        #expect(read(#"{"error":{"code":5,"message":"text"}}"#).code == "5")
        #expect(read(#"{"error":{"code":null,"message":"Nothing found."}}"#).code == "")
        #expect(read(#"{"odata.error":{"code":"X","message":{"value":"m"}}}"#).code == "X")
    }

    @Test func theXMLFormIsRead() {
        let error = read(
            """
            <?xml version="1.0"?>
            <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
              <code>T17</code><message xml:lang="en">Tool &amp; box
                 are lent</message><innererror><transactionid>1</transactionid><errordetails>
                 <errordetail><code>C</code><message>By Mia</message><severity>error</severity></errordetail>
                 </errordetails></innererror></error>
            """)
        #expect(error.code == "T17")
        #expect(error.message == "Tool & box are lent")
        #expect(
            error.details == [
                ErrorPayload.Detail(code: "C", message: "By Mia", severity: "error")
            ])
    }

    @Test(arguments: [
        "", "   ", "<html><body>Bad gateway</body></html>", "<error><code>", "{", "{}", "[]",
        "null",
        "Service unavailable", #"{"error":"text"}"#, "\u{0}\u{1}", "<!DOCTYPE x><error/>",
    ])
    func anythingElseGivesTheStatus(body: String) {
        #expect(read(body, status: 502) == ErrorPayload(code: "", message: "HTTP 502 Bad Gateway"))
    }

    @Test func errorsAreWritten() {
        let error = ErrorPayload(
            code: "T17", message: "No \"tool\"", target: "Id",
            details: [ErrorPayload.Detail(code: "D", message: "m", target: "t", severity: "info")])
        #expect(
            String(decoding: error.json(), as: UTF8.self)
                == #"{"error":{"code":"T17","message":"No \"tool\"","target":"Id","#
                + #""details":[{"code":"D","message":"m","target":"t"}]}}"#)
        #expect(
            String(decoding: error.json(isV2: true), as: UTF8.self)
                == #"{"error":{"code":"T17","message":{"lang":"en","value":"No \"tool\""},"#
                + #""innererror":{"errordetails":[{"code":"D","message":"m","target":"t","#
                + #""severity":"info"}]}}}"#)
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func conformanceErrorsAreRead() throws {
        let json = try Conformance.bytes("payloads/v4/error.json")
        let xml = try Conformance.bytes("payloads/v4/error.xml")
        for bytes in [json, xml] {
            let error = ErrorPayload(ResponseMessage(status: 501, body: bytes))
            #expect(error.code == "501")
            #expect(error.message == "Unsupported functionality")
            #expect(error.target == "query")
            #expect(error.details.map(\.code) == ["301"])
            #expect(error.details.map(\.target) == ["$search"])
        }
    }
}

@Suite struct ServiceDocumentTests {
    @Test func theV4FormIsRead() throws {
        let document = try ServiceDocument(
            json: Array(
                #"{"@odata.context":"http://h/svc/$metadata","@odata.metadataEtag":"e","value":["#
                    .utf8)
                + Array(
                    #"{"name":"Tools","kind":"EntitySet","url":"Tools"},{"name":"Me","kind":"Singleton","url":"Me"},"#
                        .utf8)
                + Array(
                    #"{"name":"Loans","title":"L"},{"name":"X","kind":"NewKind","url":"x"}]}"#.utf8)
        )
        #expect(document.context == "http://h/svc/$metadata")
        #expect(document.metadataETag == "e")
        #expect(
            document.entries == [
                .init(name: "Tools"), .init(name: "Me", kind: .singleton),
                .init(name: "Loans", title: "L"),
            ])
    }

    @Test func theV2FormsAreRead() throws {
        for json in [
            #"{"d":{"EntitySets":["Tools","Loans"]}}"#, #"{"EntitySets":["Tools","Loans"]}"#,
        ] {
            #expect(
                try ServiceDocument(json: Array(json.utf8)).entries.map(\.name)
                    == ["Tools", "Loans"])
        }
    }

    @Test(arguments: [
        ("{}", Failure(.invalidPayload, "Expected an array named value.")),
        ("[]", Failure(.invalidPayload, "Expected an array named value.")),
        (#"{"value":[{}]}"#, Failure(.invalidPayload, "Expected a name in each entry.")),
        ("", Failure(.malformedText, at: .offset(0))),
        (#"{"value":7}"#, Failure(.invalidPayload, "Expected an array named value.")),
    ])
    func otherDocumentsAreRefused(json: String, refused: Failure) {
        #expect(failure { try ServiceDocument(json: Array(json.utf8)) } == refused)
    }

    @Test func documentsAreWrittenFromTheModel() {
        let document = ServiceDocument(of: Workshop.v4)
        #expect(
            String(decoding: document.json(), as: UTF8.self).hasPrefix(
                #"{"@odata.context":"$metadata","value":[{"name":"Tools","kind":"EntitySet","url":"Tools"},"#
            ))
        #expect(
            String(decoding: document.json(dialect: .v2), as: UTF8.self)
                == #"{"d":{"EntitySets":["Tools","Members","Loans","Notes"]}}"#)
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func conformanceDocumentsAreRead() throws {
        let bytes = try Conformance.bytes("payloads/v4/serviceDocument.json")
        let entries = try ServiceDocument(json: bytes).entries
        #expect(
            entries.map(\.name)
                == ["Orders", "Order Details", "TopProducts", "Contoso", "Human Resources"])
        #expect(entries[1].url == "OrderItems")
        #expect(entries[1].kind == .entitySet)
        #expect(entries[4].kind == .serviceDocument)
        let old = try Conformance.bytes("payloads/v2/svcDocJson.json")
        #expect(try !ServiceDocument(json: old).entries.isEmpty)
    }
}

@Suite struct ContextURLTests {
    @Test(
        arguments: [
            ("http://h/svc/$metadata#Tools", "Tools", nil, ContextURL.Kind.plain, "Tools"),
            ("$metadata#Tools/$entity", "Tools", nil, .entity, "Tools"),
            (
                "$metadata#Tools(Id,Title,Owner(Name))", "Tools", "Id,Title,Owner(Name)", .plain,
                "Tools"
            ),
            ("$metadata#Tools(Id,Title)/$entity", "Tools", "Id,Title", .entity, "Tools"),
            ("$metadata#Tools(7)/Title", "Tools(7)/Title", nil, .plain, "Tools"),
            ("#Tools/$delta", "Tools", nil, .delta, "Tools"),
            ("#$delta", "", nil, .delta, ""),
            ("$metadata#Tools(Id)/$delta", "Tools", "Id", .delta, "Tools"),
            ("$metadata#Tools/$deletedEntity", "Tools", nil, .deletedEntity, "Tools"),
            ("$metadata#Tools/$link", "Tools", nil, .link, "Tools"),
            ("$metadata#Tools/$deletedLink", "Tools", nil, .deletedLink, "Tools"),
            ("$metadata#Collection($ref)", "Collection($ref)", nil, .plain, "$ref"),
            ("$metadata#Collection(Ws.Size)", "Collection(Ws.Size)", nil, .plain, "Ws.Size"),
            ("$metadata#Tools('a%28b''c')/Parts", "Tools('a(b''c')/Parts", nil, .plain, "Tools"),
            ("$metadata#Tools/Ws.PowerTool/$entity", "Tools/Ws.PowerTool", nil, .entity, "Tools"),
            ("$metadata", "", nil, .plain, ""),
        ] as [(String, String, String?, ContextURL.Kind, String)])
    func contextsAreTakenApart(
        text: String, path: String, selectList: String?, kind: ContextURL.Kind, root: String
    ) {
        let context = ContextURL(parsing: text)
        #expect(context.path == path)
        #expect(context.selectList == selectList)
        #expect(context.kind == kind)
        #expect(context.root == root)
    }

    @Test func contextsAreWritten() {
        #expect(
            ContextURL(
                base: "http://h/$metadata", path: "Tools", selectList: "Id,Title", kind: .entity
            )
            .text == "http://h/$metadata#Tools(Id,Title)/$entity")
        #expect(
            ContextURL(path: "Tools('a b#ü')/Parts").text
                == "$metadata#Tools('a%20b%23%C3%BC')/Parts")
        #expect(ContextURL(path: "").text == "$metadata")
    }

    @Test(arguments: [
        "#)", "#()", "#(", "#a)b(", "#''')", "#%", "#%zz", "#/$entity", "", "#Collection()",
    ])
    func strangeTextsDoNotTrap(text: String) {
        _ = ContextURL(parsing: text).root
    }
}
