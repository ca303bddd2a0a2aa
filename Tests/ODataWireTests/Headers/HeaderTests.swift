import ErrorFixture
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct HeaderTextTests {
    @Test func tokensHoldWhatTheGrammarListsAndNothingElse() {
        let others = "!#$%&'*+-.^_`|~"
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            let isLetterOrDigit =
                ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar)
            let isListed = byte < 128 && (isLetterOrDigit || others.unicodeScalars.contains(scalar))
            #expect(HeaderText.isTokenByte(byte) == isListed, "\(byte)")
        }
    }

    @Test func namesMatchInLettersOfEitherCaseAndInThoseAlone() {
        #expect(HeaderFields.matches("Content-Length", "content-LENGTH"))
        // 32 apart, as letters of either case are.
        #expect(!HeaderFields.matches("a[b", "a{b"))
        #expect(!HeaderFields.matches("Content-Length", "Content-Lengt"))
        #expect(!HeaderFields.matches("content-type", "content-tide"))
    }
}

@Suite struct PreferencesTests {
    @Test func preferencesAreReadWithAndWithoutPrefix() {
        let old = Preferences(
            parsing: "return=minimal, odata.maxpagesize=500,odata.track-changes;x=1 , "
                + "odata.continue-on-error, odata.allow-entityreferences")
        let new = Preferences(
            parsing: "Return=\"minimal\", MAXPAGESIZE=500, track-changes, continue-on-error=true, "
                + "allow-entityreferences")
        #expect(old == new)
        #expect(old.returns == .minimal)
        #expect(old.maximumPageSize == 500)
        #expect(old.tracksChanges)
        #expect(old.continuesOnError == true)
        #expect(old.allowsEntityReferences)
        #expect(!old.respondsAsynchronously)
    }

    @Test func severalHeadersAreOneListAndTheFirstOfANameCounts() {
        var headers: HeaderFields = ["prefer": "return=representation"]
        headers.append(name: "Prefer", value: "respond-async, wait=10, return=minimal")
        headers.append(name: "Prefer", value: "include-annotations=\"display.*,-ui.*\", foo; bar=1")
        let preferences = Preferences(requestedBy: headers)
        #expect(preferences.returns == .representation)
        #expect(preferences.respondsAsynchronously)
        #expect(preferences.waitSeconds == 10)
        #expect(preferences.includedAnnotations == "display.*,-ui.*")
        #expect(preferences.others == [MediaType.Parameter(name: "foo", value: "")])
    }

    @Test(arguments: ["maxpagesize=0", "maxpagesize=-3", "maxpagesize=many", "", ",,;=,"])
    func senselessPreferencesAreIgnored(text: String) {
        #expect(Preferences(parsing: text).isEmpty)
    }

    @Test(arguments: ["odata.odata.x=1", "a b=1, x=1", "=\u{301}x=2, x=1", "x= \"1\" "])
    func whatIsReadIsTheSameWrittenAndReadAgain(text: String) {
        let preferences = Preferences(parsing: text)
        #expect(preferences.others == [MediaType.Parameter(name: "x", value: "1")])
        #expect(preferences.text() == "x=1")
        #expect(preferences.text().map { Preferences(parsing: $0) } == preferences)
    }

    @Test func aQuotationMarkUnderACombiningMarkIsStillQuoted() {
        let text = "a\"\u{301}b\\\u{301}"
        let quoted = HeaderText.quotedIfNeeded(text)
        #expect(Array(quoted.utf8) == Array("\"a\\\"\u{301}b\\\\\u{301}\"".utf8))
        #expect(Array(HeaderText.unquoted(quoted).utf8) == Array(text.utf8))
        #expect(HeaderText.trimmed(" \u{301}a \t"[...]) == "\u{301}a")
    }

    @Test func preferencesAreWritten() {
        var preferences = Preferences()
        #expect(preferences.text() == nil)
        preferences.returns = .representation
        preferences.maximumPageSize = 200
        preferences.tracksChanges = true
        preferences.continuesOnError = false
        preferences.includedAnnotations = "*"
        preferences.others = [MediaType.Parameter(name: "x", value: "a b")]
        #expect(
            preferences.text()
                == "return=representation, odata.maxpagesize=200, odata.track-changes, "
                + "odata.continue-on-error=false, odata.include-annotations=\"*\", x=\"a b\"")
        #expect(
            preferences.text(isPrefixed: false)
                == "return=representation, maxpagesize=200, track-changes, "
                + "continue-on-error=false, include-annotations=\"*\", x=\"a b\"")
    }
}

@Suite struct MediaTypeTests {
    @Test func parametersAreReadWithoutRegardToCase() throws {
        let type = try #require(
            MediaType(
                parsing:
                    "Application/JSON; OData.Metadata=Minimal;IEEE754Compatible=true ;q=\"a;\\\"b\""
            ))
        #expect(type.name == "application/json")
        #expect(type.isJSON)
        #expect(type.metadataLevel == "minimal")
        #expect(type.isIEEE754Compatible)
        #expect(type["Q"] == "a;\"b")
        #expect(type["none"] == nil)
    }

    @Test func aTextWithoutTypeIsNone() {
        #expect(MediaType(parsing: "") == nil)
        #expect(MediaType(parsing: "json; a=b") == nil)
    }
}

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 GMT"),
        (1_935_390_600, "Thu, 01 May 2031 08:30:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func instantsAndTheirTexts(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test(arguments: [
        "", "Thu, 01 May 2031 08:30:00", "Fri, 01 May 2031 08:30:00 GMT",
        "Thu, 31 Feb 2031 08:30:00 GMT", "Thu, 01 May 2031 24:30:00 GMT",
        "Thursday, 01-May-31 08:30:00 GMT", "Thu, 01 May 2031 08:30:00 UTC",
        "Thu, 0x May 2031 08:30:00 GMT", "2031-05-01T08:30:00Z",
    ])
    func otherTextsAreNoDates(text: String) {
        #expect(HTTPDate.secondsSince1970(text) == nil)
    }

    @Test func extremeInstantsDoNotTrap() {
        #expect(HTTPDate.text(secondsSince1970: .max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.text(secondsSince1970: .min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}

@Suite struct RepeatabilityTests {
    private static let halfAPair =
        "Expected Repeatability-Request-ID and Repeatability-First-Sent together, found one of them."

    private let identity = RepeatabilityHeaders(
        requestID: "01234567-89ab-cdef-0123-456789abcdef", firstSentSeconds: 1_935_390_600)

    @Test func theOasisPairIsWrittenAndRead() throws {
        let headers = identity.headers()
        #expect(
            headers == [
                "Repeatability-Request-ID": "01234567-89ab-cdef-0123-456789abcdef",
                "Repeatability-First-Sent": "Thu, 01 May 2031 08:30:00 GMT",
            ])
        #expect(
            try RepeatabilityHeaders.read([
                "repeatability-request-id": "01234567-89ab-cdef-0123-456789abcdef",
                "repeatability-first-sent": "Thu, 01 May 2031 08:30:00 GMT",
                "Repeatability-Client-ID": "c",
            ])
                == RepeatabilityHeaders(
                    requestID: identity.requestID, firstSentSeconds: 1_935_390_600, clientID: "c"))
        #expect(try RepeatabilityHeaders.read(["If-Match": "*"]) == nil)
    }

    @Test func theSapPairHasNoDashes() {
        #expect(
            identity.headers(.sap) == [
                "RequestID": "0123456789ABCDEF0123456789ABCDEF",
                "RepeatabilityCreation": "2031-05-01T08:30:00",
            ])
    }

    @Test(
        arguments: [
            (["Repeatability-Request-ID": "1"] as HeaderFields, halfAPair),
            (
                ["Repeatability-First-Sent": "Thu, 01 May 2031 08:30:00 GMT"] as HeaderFields,
                halfAPair
            ),
            (
                [
                    "Repeatability-Request-ID": "1",
                    "Repeatability-First-Sent": "2031-05-01T08:30:00Z",
                ] as HeaderFields, "Expected an IMF-fixdate in Repeatability-First-Sent."
            ),
            (
                [
                    "Repeatability-Request-ID": "",
                    "Repeatability-First-Sent": "Thu, 01 May 2031 08:30:00 GMT",
                ] as HeaderFields, halfAPair
            ),
        ])
    func halfAPairOrABadDateIsRefused(headers: HeaderFields, sentence: String) {
        #expect(
            failure { try RepeatabilityHeaders.read(headers) }
                == Failure(.invalidPayload, sentence, status: 400))
    }

    @Test func theResultIsReadFromEitherHeader() {
        #expect(RepeatabilityResult(["repeatability-result": "accepted"]) == .accepted)
        #expect(RepeatabilityResult(["Repeatability-Result": "Rejected"]) == .rejected)
        #expect(RepeatabilityResult(["RepeatabilityResult": "accepted"]) == .accepted)
        #expect(RepeatabilityResult(["RepeatabilityResult": "unsupported"]) == nil)
        #expect(RepeatabilityResult([:]) == nil)
    }
}

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("W/\"3\"", "\"3\"", true), ("\"3\"", "\"3\"", true), ("W/\"3\"", "W/\"4\"", false),
        ("w/\"3\"", "W/\"3\"", true), ("W/3", "W/\"3\"", true), ("\"a\"", "\"A\"", false),
    ])
    func comparisonIsWeak(left: String, right: String, isSame: Bool) {
        #expect(EntityTag(left).matches(EntityTag(right)) == isSame)
    }

    @Test func conditionsAreListsOrAny() {
        let list = EntityTagCondition(parsing: "W/\"a,b\" , \"c\"")
        #expect(list == .tags([EntityTag("W/\"a,b\""), EntityTag("\"c\"")]))
        #expect(list.matches(EntityTag("\"a,b\"")))
        #expect(list.matches(EntityTag("W/\"c\"")))
        #expect(!list.matches(EntityTag("\"b\"")))
        #expect(!list.matches(nil))
        #expect(list.text == "W/\"a,b\", \"c\"")
        #expect(EntityTagCondition(parsing: " * ").matches(nil))
        #expect(!EntityTagCondition(parsing: "*").matches(nil, exists: false))
    }
}
