import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Functions and actions with every kind of result, at a service that takes exactly what the texts say (Protocol 4.01, 11.5).
@Suite struct StrictOperationTests {
    private func parameters(_ name: String, _ value: DataValue) -> ParameterList {
        ParameterList().with(name: name, value: value)
    }

    @Test func unboundFunctionsGiveEachKindOfResult() async throws {
        try await StrictPlace.run(.v4) { place in
            let data = try place.data()
            let total = try data.executeMethod(
                data.dataMethod(withName: "Total"),
                parameters: parameters(
                    "ids", IntList.fromArray([1, 3])))
            #expect(total?.toString() == "112.49")
            #expect(try data.executeMethod(data.dataMethod(withName: "Motto")) == nil)
            let sizes = try #require(
                try data.executeMethod(data.dataMethod(withName: "Sizes")) as? ComplexValueList)
            #expect(sizes.length == 2)
            let best = try data.executeQuery(
                DataQuery().invoke(
                    data.dataMethod(withName: "Best"),
                    parameters("kind", StringValue.of("it's a saw")))
            ).requiredEntity()
            #expect(place.text(best, "Title") == "Saw")
            #expect(best.entitySet.localName == "Tools")
            let none = try data.executeMethod(
                data.dataMethod(withName: "Best"),
                parameters: parameters("kind", StringValue.of("x")))
            #expect(none == nil)
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func functionsAreBoundToAnEntityAndToACollection() async throws {
        try await StrictPlace.run(.v4) { place in
            let data = try place.data()
            let tool = try place.entity("Tools", 1)
            let date = LocalDate.of(year: 2031, month: 5, day: 1)
            let worth = try data.executeQuery(
                DataQuery().bind(tool)
                    .invoke(data.dataMethod(withName: "Ws.Worth"), parameters("at", date))
            ).requiredBasic()
            #expect(worth.toString() == "12.50" || worth.toString() == "12.5")
            let cheapest = try data.executeQuery(
                DataQuery().bind(place.set("Tools"))
                    .invoke(
                        data.dataMethod(withName: "Ws.Cheapest"), parameters("count", IntValue(2)))
            ).entityList()
            #expect(cheapest.toArray().map { place.text($0, "Id") } == ["2", "1"])
            #expect(place.text(tool, "Title") == "Saw")
            #expect(
                place.service.lines.suffix(2) == [
                    "GET Tools(1)/Ws.Worth(at=2031-05-01)", "GET Tools/Ws.Cheapest(count=2)",
                ])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func actionsHaveTheirParametersInTheBody() async throws {
        try await StrictPlace.run(.v4) { place in
            let data = try place.data()
            #expect(try data.executeMethod(data.dataMethod(withName: "Reset")) == nil)
            let words = try data.executeQuery(
                DataQuery().invoke(
                    data.dataMethod(withName: "Recount"),
                    parameters("words", StringList.fromArray(["a"])))
            ).basicList()
            #expect(words.toArray().map { $0.toString() } == ["one", "two"])
            let type = place.online.metadata.complexType(withName: "Ws.Size")
            let size = ComplexValue.ofType(type)
            type.property(withName: "Height").setIntValue(in: size, to: 5)
            let resized = try #require(
                try data.executeMethod(
                    data.dataMethod(withName: "Resize"), parameters: parameters("size", size))
                    as? ComplexValue)
            #expect(type.property(withName: "Height").intValue(from: resized) == 5)
            let lent = try data.executeQuery(
                DataQuery().bind(try place.entity("Tools", 2))
                    .invoke(data.dataMethod(withName: "Ws.Lend"), parameters("days", IntValue(3)))
            ).requiredEntity()
            #expect(place.text(lent, "Id") == "2")
            #expect(lent.entityTag == "W/\"2\"")
            #expect(place.service.effects == ["Reset", "Recount", "Resize 5", "Lend Tools(2) 3"])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func importsOfV2AreWrappedInTheirNames() async throws {
        try await StrictPlace.run(.v2) { place in
            let data = try place.data()
            let count = try data.executeMethod(
                data.dataMethod(withName: "Count"),
                parameters: parameters("kind", StringValue.of("it's")))
            #expect(count?.toString() == "3")
            #expect(try data.executeMethod(data.dataMethod(withName: "Motto")) == nil)
            let words = try data.executeQuery(
                DataQuery().invoke(data.dataMethod(withName: "Words"))
            ).basicList()
            #expect(words.toArray().map { $0.toString() } == ["one", "two"])
            let best = try data.executeQuery(
                DataQuery().invoke(data.dataMethod(withName: "Best"))
            ).requiredEntity()
            #expect(best.entityType.qualifiedName == "Ws.PowerTool")
            let size = try data.executeMethod(
                data.dataMethod(withName: "Resize"), parameters: parameters("height", IntValue(9)))
            let height = (size as? ComplexValue).map {
                $0.complexType.property(withName: "Height").intValue(from: $0)
            }
            #expect(height == 9)
            #expect(place.service.effects == ["Resize 9"])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func entitiesAndCollectionsOfV2AreUnwrappedAndNothingIsNull() async throws {
        try await StrictPlace.run(.v2) { place in
            let data = try place.data()
            func read(_ name: String) throws -> QueryResult {
                try data.executeQuery(DataQuery().invoke(data.dataMethod(withName: name)))
            }
            let worst = try read("Worst").requiredEntity()
            #expect(place.text(worst, "Id") == "2" && worst.entityTag == "W/\"1\"")
            #expect(
                try read("Cheap").entityList().toArray().map { place.text($0, "Id") } == ["1", "2"])
            #expect(try read("Sizes").complexList().length == 2)
            #expect(try read("Lost").optionalEntity() == nil)
            place.service.remove(2)
            #expect(try read("Worst").optionalEntity() == nil)
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }
}
