import ConformanceData
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct ConformancePayloadTests {
    /// The model of the V2 payloads, from a recorded service.
    private func referenceModel() throws -> MetadataGraph {
        let recording = try Conformance.json(
            "recorded/v2-olingo-basic.json", as: Recording.self)
        let exchange = recording.exchanges.first { $0.request.url.hasSuffix("$metadata") }
        return try CSDLReader.read(
            Array(try #require(exchange?.response.body).utf8), options: .runningService)
    }

    private func text(
        _ value: StructureValue?, _ name: String, _ graph: MetadataGraph
    ) -> String? {
        guard let value, let slot = graph[value.type].slot(named: name),
            case .scalar(let scalar) = value.slots[slot], scalar != .null
        else { return nil }
        return Lexical.text(scalar)
    }

    private func related(
        _ value: StructureValue, _ name: String, _ graph: MetadataGraph
    ) -> ODataValue? {
        graph[value.type].slot(named: name).flatMap { value.slots[$0] }
    }

    @Test func v2EntitiesHaveTheirContent() throws {
        let graph = try referenceModel()
        let bytes = try Conformance.bytes("payloads/v2/JsonEmployee.json")
        let inline = try Conformance.bytes("payloads/v2/JsonEmployeeInlineRoomBuilding.json")
        let set = try #require(graph.entitySet(named: "Employees"))
        let reader = EntityJSONReader(graph)
        let employee = try reader.entity(bytes, of: graph[set].type, in: set)
        #expect(text(employee, "EmployeeName", graph) == "Walter Winter")
        #expect(text(employee, "EntryDate", graph)?.hasPrefix("1999-01-01T00:00:00") == true)
        #expect(employee.control.mediaContentType == "image/jpeg")
        let location = try #require(related(employee, "Location", graph)?.structure)
        let city = try #require(related(location, "City", graph)?.structure)
        #expect(text(city, "CityName", graph) == "Heidelberg")
        let expanded = try reader.entity(inline, of: graph[set].type, in: set)
        let room = try #require(related(expanded, "ne_Room", graph)?.structure)
        let building = try #require(related(room, "nr_Building", graph)?.structure)
        #expect(text(building, "Name", graph) == "Building 1")
    }

    @Test func v2CollectionsHaveTheirContent() throws {
        let graph = try referenceModel()
        let teams = try Conformance.bytes("payloads/v2/JsonTeamsWithCountWithoutD.json")
        let building = try Conformance.bytes(
            "payloads/v2/JsonBuildingWithInlineRoomsAndNextLinkAndCount.json")
        let array = try Conformance.bytes("payloads/v2/JsonBuildingWithInlineRoomsClientCase.json")
        let empty = try Conformance.bytes("payloads/v2/JsonRoom_EmptyInlineEmployeesToTeam.json")
        let reader = EntityJSONReader(graph)
        let set = try #require(graph.entitySet(named: "Teams"))
        let page = try reader.page(teams, of: graph[set].type, in: set)
        #expect(page.count == 3)
        #expect(page.entities.map { text($0, "Name", graph) } == ["Team 2", "Team 3"])
        #expect(page.entities.map { text($0, "isScrumTeam", graph) } == ["true", "false"])
        let buildings = try #require(graph.entitySet(named: "Buildings"))
        for bytes in [building, array] {
            let value = try reader.entity(bytes, of: graph[buildings].type, in: buildings)
            let rooms = try #require(related(value, "nb_Rooms", graph)?.list)
            #expect(text(rooms.first?.structure, "Name", graph) == "Room 1")
            #expect(rooms.first?.structure?.control.etag == "W/\"1\"")
        }
        let counted = try reader.entity(building, of: graph[buildings].type, in: buildings)
        #expect(counted.control.counts["nb_Rooms"] == 1)
        #expect(counted.control.nextLinks["nb_Rooms"] != nil)
        let rooms = try #require(graph.entitySet(named: "Rooms"))
        let room = try reader.entity(empty, of: graph[rooms].type, in: rooms)
        #expect(related(room, "nr_Employees", graph) == .list([]))
        #expect(related(room, "nr_Building", graph) == nil)
    }

    @Test func v2RequestsMayBindByDeferredLinks() throws {
        let graph = try referenceModel()
        let bytes = try Conformance.bytes(
            "payloads/v2/JsonEmployeeContentOnlyWithAdditionalLink.json")
        let set = try #require(graph.entitySet(named: "Employees"))
        let value = try EntityJSONReader(graph, isRequest: true).entity(
            bytes, of: graph[set].type, in: set)
        #expect(
            value.control.bindings
                == ["ne_Manager": ["http://host:8080/ReferenceScenario.svc/Managers('1')"]])
        #expect(text(value, "Age", graph) == "52")
    }

    @Test func everyPrimitiveOfTheFormatDocumentIsRead() throws {
        let bytes = try Conformance.bytes("payloads/v4/entity.primitive.json")
        let types: [(String, PrimitiveType)] = [
            ("NullValue", .string), ("TrueValue", .boolean), ("FalseValue", .boolean),
            ("BinaryValue", .binary), ("IntegerValue", .sbyte), ("DoubleValue", .double),
            ("SingleValue", .single), ("DecimalValue", .decimal), ("StringValue", .string),
            ("DateValue", .date), ("DateTimeOffsetValue", .dateTimeOffset),
            ("DurationValue", .duration), ("TimeOfDayValue", .timeOfDay), ("GuidValue", .guid),
            ("Int64Value", .int64), ("GeographyPoint", .geographyPoint),
        ]
        var graph = MetadataGraph(version: .v4)
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "N", name: "Color", members: [.init(name: "Yellow", value: 3)])
        ]
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "N", name: "All",
                properties: types.map {
                    PropertyDefinition(name: $0.0, type: TypeReference(.primitive($0.1)))
                } + [
                    PropertyDefinition(
                        name: "ColorEnumValue", type: TypeReference(.enumeration(EnumerationID(0))))
                ])
        ]
        try graph.freeze()
        let value = try EntityJSONReader(graph, isRequest: true).entity(
            bytes, of: StructureID(0))
        let texts = types.map { text(value, $0.0, graph) }
        #expect(
            texts.dropLast() == [
                nil, "true", "false", "T0RhdGE=", "-128", "3.141592653589793", "INF", "34.95",
                "Say \"Hello\",\nthen go", "2012-12-03", "2012-12-03T07:16:23Z",
                "P12DT23H59M59.999999999999S", "07:59:59.999",
                "01234567-89ab-cdef-0123-456789abcdef", "0",
            ])
        #expect(text(value, "ColorEnumValue", graph) == "3")
        guard case .scalar(.geo(let point)) = value.slots[15] else {
            Issue.record("Expected a point.")
            return
        }
        #expect(point.shape == .point(.init(142.1, 64.1)))
    }

    @Test func fullMetadataOfAnotherServiceIsTolerated() throws {
        let bytes = try Conformance.bytes("payloads/v4/Products_5_InServerMode.json")
        let namespace = "Microsoft.Test.OData.Services.ODataWCFService"
        var graph = MetadataGraph(version: .v4)
        let property = { (name: String, type: PrimitiveType) in
            PropertyDefinition(name: name, type: TypeReference(.primitive(type)))
        }
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: namespace, name: "Product",
                properties: [
                    property("ProductID", .int32), property("Name", .string),
                    property("UnitPrice", .single), property("Time", .dateTimeOffset),
                    property("TimeBetweenLastTwoOrders", .duration),
                    property("Shop", .geographyPoint),
                    PropertyDefinition(
                        name: "Orders",
                        type: TypeReference(.structure(StructureID(1)), isCollection: true),
                        navigation: NavigationDefinition()),
                ], key: [KeyProperty(path: "ProductID")]),
            StructureDefinition(
                kind: .entity, namespace: namespace, name: "Orders",
                properties: [property("OrderId", .int32), property("Quantity", .int32)]),
        ]
        try graph.freeze()
        let product = try EntityJSONReader(graph).entity(bytes, of: StructureID(0))
        #expect(text(product, "ProductID", graph) == "5")
        #expect(text(product, "Name", graph) == "Cheetos")
        #expect(text(product, "Time", graph) == "1957-04-03T00:00:00Z")
        #expect(text(product, "TimeBetweenLastTwoOrders", graph) == "PT0.0000001S")
        #expect(product.control.mediaETag == "\"8zOOKKvgOtptr4gt8IrnapX3jds=\"")
        #expect(product.control.mediaContentType == "*/*")
        #expect(
            product.control.annotations["com.contoso.display.highlight"]
                == .scalar(.boolean(true)))
        let orders = try #require(related(product, "Orders", graph)?.list)
        #expect(orders.map { text($0.structure, "OrderId", graph) } == ["10", "20"])
        #expect(orders.first?.structure?.control.id == "Orders(10)")
    }
}
