import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import ShopFixture
import Testing

/// Values in JSON columns, and what the row alone tells of a dynamic property.
@Suite struct StoredJSONTests {
    private func json() throws -> StoredJSON { StoredJSON(graph: try Shop.graph()) }

    private func list(_ type: PrimitiveType) -> TypeReference {
        TypeReference(.primitive(type), isCollection: true)
    }

    @Test(arguments: [
        (PrimitiveType.string, #"["a","",null,"\"\\"]"#), (.int64, "[9223372036854775807,-1]"),
        (.decimal, "[12.5,0.000000000000000000001]"), (.boolean, "[true,false]"),
        (.double, #"[0.5,"INF","-INF"]"#), (.date, #"["2031-05-01"]"#),
        (.dateTimeOffset, #"["2031-05-01T10:30:00+02:00"]"#), (.duration, #"["PT1H"]"#),
        (.guid, #"["01234567-89ab-cdef-0123-456789abcdef"]"#), (.binary, #"["AQI="]"#),
        (.string, "[]"),
    ])
    func collectionsAreWrittenAsTheyWereRead(_ type: PrimitiveType, _ text: String) throws {
        let value = try json().value(text, type: list(type))
        #expect(try json().text(value, type: list(type)) == text)
    }

    @Test func aNumberInAStringIsReadAsTheNumber() throws {
        #expect(
            try json().value(#"["5"]"#, type: list(.int64)) == .list([.scalar(.integer(5))]))
    }

    @Test func structuresNameTheirTypeOnlyWhereItIsNotTheDeclaredOne() throws {
        let graph = try Shop.graph()
        let place = try #require(graph.structure(named: "Shop.Place"))
        let type = TypeReference(.structure(place))
        let text = #"{"Latitude":49.5,"Longitude":8.0}"#
        let value = try json().value(text, type: type)
        #expect(try json().text(value, type: type) == text)
        let untyped = TypeReference(.primitive(.untyped))
        #expect(
            try json().text(value, type: untyped)
                == ##"{"@odata.type":"#Shop.Place","Latitude":49.5,"Longitude":8.0}"##)
    }

    @Test(arguments: ["{}", "5", #""a""#])
    func anotherFormThanTheDeclaredIsRefused(_ text: String) throws {
        let json = try json()
        #expect(
            failure { try json.value(text, type: list(.string)) }
                == Failure(
                    .storage, "Expected JSON of the declared type in a column, found another form.")
        )
    }

    @Test func depthHasALimit() throws {
        let deep = (0..<70).reduce(ODataValue.scalar(.integer(1))) { inner, _ in .list([inner]) }
        let json = try json()
        #expect(
            failure { try json.text(deep, type: list(.int32)) }
                == Failure(.limitExceeded, "Expected at most 64 levels in a stored value."))
    }

    @Test func dynamicPropertiesHaveTheirTypeBesideThemWhereJSONDoesNotShowIt() throws {
        let date = try #require(CalendarDate("2031-05-01"))
        let values: [String: ODataValue] = [
            "A": .scalar(.date(date)), "B": .scalar(.string("x")), "C": .scalar(.integer(1)),
            "D": .null, "E": .list([.scalar(.boolean(true))]), "F": .scalar(.double(.infinity)),
        ]
        let text = try json().dynamicText(values)
        #expect(
            text
                == ##"{"A@odata.type":"#Date","A":"2031-05-01","B":"x","C":1,"D":null,"E":[true],"F@odata.type":"#Double","F":"INF"}"##
        )
        #expect(try json().dynamicValues(text) == values)
    }

    @Test(arguments: [
        ("Int64:5", OpenValue.scalar(.integer(5))), ("String:a:b", .scalar(.string("a:b"))),
        ("String:", .scalar(.string(""))), ("Boolean:true", .scalar(.boolean(true))),
        ("Shop.Grade:Gold", .members(type: "Shop.Grade", "Gold")), ("Json:[1]", .json("[1]")),
    ])
    func openValuesAreOneTextInSQL(_ text: String, _ value: OpenValue) {
        #expect(OpenValue(text) == value)
        #expect(value.text == text)
    }

    @Test(arguments: ["", "no colon", "Hex:1", "Hex:zz", "Date:2031-02-30", "Guid:x"])
    func whatIsNoOpenValueIsNone(_ text: String) { #expect(OpenValue(text) == nil) }

    @Test func bytesOfColumnsAreReadFromHexadecimalDigits() {
        #expect(OpenValue("Hex:01fF") == .scalar(.binary([1, 255])))
        #expect(OpenValue("Hex:") == .scalar(.binary([])))
    }

    @Test(arguments: [
        (["A"], "Int64:1"), (["B"], "String:x"), (["C", "D"], "Decimal:1.5"),
        (["T"], "Date:2031-05-01"),
        (["G"], "Shop.Grade:Gold"), (["L"], "Json:[1,2]"), (["N"], nil), (["Nobody"], nil),
        (["A", "B"], nil),
    ])
    func aPathOfNamesFindsAValue(_ names: [String], _ text: String?) {
        let object =
            ##"{"A":1,"B":"x","C":{"D":1.5},"T@odata.type":"#Date","T":"2031-05-01","G@type":"Shop.Grade","G":"Gold","L":[1,2],"N":null}"##
        #expect(OpenValue.find(names, in: object)?.text == text)
    }

    @Test func openValuesHaveOneOrder() throws {
        let ascending = [
            "Boolean:false", "Boolean:true", "Double:-INF", "Int64:-5", "Double:-0.5", "Int64:0",
            "Decimal:0.25", "Int64:9223372036854775807", "Double:INF", "Double:NaN", "String:",
            "String:B", "String:a", "Binary:AQ==", "Guid:00000000-0000-0000-0000-000000000001",
            "Date:1969-12-31", "Date:2031-05-01", "TimeOfDay:00:00:01",
            "DateTimeOffset:2031-05-01T00:00:00Z", "Duration:-PT1S", "Duration:PT1S",
        ]
        let keys = try ascending.map { try #require(OpenValue($0)?.orderKey) }
        for (index, pair) in zip(keys, keys.dropFirst()).enumerated() {
            #expect(pair.0.lexicographicallyPrecedes(pair.1), "\(ascending[index])")
        }
        #expect(OpenValue("Json:[]")?.orderKey == nil)
    }
}
