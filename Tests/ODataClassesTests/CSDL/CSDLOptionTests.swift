import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Synchronization
import ModelFixture
import Testing

/// What a parser reports, and what it makes of terms that nobody declares.
@Suite struct CSDLOptionTests {
    /// Keeps what is reported.
    private final class Listener: CSDLParser, @unchecked Sendable {
        var errors: [String] = []
        var warnings: [String] = []
        var traces: [String] = []
        override func logError(_ message: String) { errors.append(message) }
        override func logWarning(_ message: String) { warnings.append(message) }
        override func logTrace(_ message: String) { traces.append(message) }
    }

    private static let text = document(
        """
        <ComplexType Name="A"><Annotation Term="X.Y.Colour" String="red"/>
        <Annotation Term="X.Y.Flag"/><Annotation Term="Org.OData.Core.V1.Description" String="d"/>
        <Oddity/></ComplexType>
        """)
    private static let url = "https://h/folder/model.xml?key=secret"

    @Test func undefinedTermsAreMadeUpWhereAskedFor() throws {
        let parser = CSDLParser()
        let plain = try parser.parse(Self.text, url: "")
        #expect(plain.annotationTerms.isEmpty)
        parser.csdlOptions = CSDLOption.resolveUndefinedTerms
        let found = try parser.parse(Self.text, url: "")
        #expect(
            found.annotationTerms.keys().toArray()
                == ["X.Y.Colour", "X.Y.Flag", "Org.OData.Core.V1.Description"])
        #expect(found.annotationTerms.getRequired("X.Y.Colour").type === BasicType.string)
        #expect(found.annotationTerms.getRequired("X.Y.Flag").type === BasicType.boolean)
        // They are no part of what the document says.
        #expect(found.graph == plain.graph)
        #expect(CSDLWriter.xml(found.graph) == CSDLWriter.xml(plain.graph))
    }

    @Test func elementsAreTracedInTheirOrder() throws {
        let parser = Listener()
        _ = try parser.parse(Self.text, url: Self.url)
        #expect(parser.traces.isEmpty)
        parser.csdlOptions = CSDLOption.traceParsingOfElements
        _ = try parser.parse(Self.text, url: Self.url)
        #expect(
            parser.traces.map { String($0.split(separator: ": ").last ?? "") } == [
                "Edmx", "DataServices", "Schema N", "ComplexType A", "Annotation", "Annotation",
                "Annotation", "Oddity",
            ])
        #expect(parser.traces[3].hasPrefix("https://h/folder/model.xml: offset "))
    }

    @Test func reportsMayNameTheDocumentByItsLastPart() throws {
        let parser = Listener()
        _ = try parser.parse(Self.text, url: Self.url)
        #expect(parser.warnings.count == 1)
        #expect(parser.warnings[0].hasPrefix("https://h/folder/model.xml: "))
        parser.csdlOptions = CSDLOption.logWithUnqualifiedFileNames
        _ = try parser.parse(Self.text, url: Self.url)
        #expect(parser.warnings[1].hasPrefix("model.xml: "))
        #expect(parser.warnings[1].contains("Oddity"))
    }

    @Test func warningsAndErrorsAreReportedUnlessSwitchedOff() {
        func reports(_ options: Int, _ adjust: (Listener) -> Void = { _ in }) -> [Int] {
            let parser = Listener()
            parser.csdlOptions = options
            adjust(parser)
            _ = try? parser.parse(Self.text, url: "")
            #expect(
                failure { try parser.parse("<edmx>\n</edm>", url: "") }
                    == Failure(
                        CSDLError.self, .invalidMetadata,
                        "malformedText at line 2, column 1: Expected </edmx>, found </edm>."))
            return [parser.warnings.count, parser.errors.count]
        }
        #expect(reports(0) == [1, 1])
        #expect(reports(CSDLOption.disableLoggingOfErrors) == [1, 0])
        #expect(reports(CSDLOption.disableLoggingOfWarnings) == [0, 1])
        #expect(reports(0) { $0.logErrors = false } == [1, 0])
        #expect(reports(0) { $0.logWarnings = false } == [0, 1])
    }

    @Test func modesOfParametersAreKeptInV2() throws {
        let text = V2Shop.text.replacing(#"Mode="In""#, with: #"Mode="InOut""#)
        let document = try CSDLParser().parse(text, url: "")
        let parameter = document.dataMethod(withName: "Confirm").parameters.required("ID")
        #expect(parameter.mode == Parameter.modeInOut)
        #expect(CSDLWriter.xml(document.graph).contains(#"Mode="InOut""#))
        let plain = try CSDLParser().parse(V2Shop.text, url: "")
        #expect(
            plain.dataMethod(withName: "Confirm").parameters.required("ID").mode
                == Parameter.modeIn)
        #expect(ParameterList().with(name: "x", value: nil).required("x").mode == Parameter.modeIn)
    }
}
