import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Answers that are ready later: 202 with a monitor, then the answer wrapped as `application/http` (Protocol 4.01, 11.6).
@Suite struct StrictAsyncTests {
    private var later: HTTPHeaders {
        let headers = HTTPHeaders()
        headers.setHeader(withName: "Prefer", value: "respond-async")
        return headers
    }

    @Test func readsAndChangesThatAreAcceptedAreWaitedFor() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.online.loadMetadata()
            let found = try place.online.executeQuery(
                DataQuery().from(place.set("Members")), headers: later, options: .none
            ).entityList()
            #expect(found.length == 2)
            #expect(
                place.service.lines == ["GET Members", "GET monitor-1", "GET monitor-1"])
            let set = place.set("Tools")
            let tool = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "Title").setStringValue(in: tool, to: "Plane")
            try place.online.createEntity(tool, headers: later, options: .none)
            #expect(place.text(tool, "Id") == "101")
            #expect(place.service.effects == ["create Tools(101)"])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func anErrorThatComesLaterIsTheErrorOfTheCall() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.online.loadMetadata()
            let tool = try place.entity("Tools", 1)
            place.service.rename(1, "theirs")
            tool.entityType.property(withName: "Title").setStringValue(in: tool, to: "mine")
            let error = #expect(throws: DataServiceError.self) {
                try place.online.updateEntity(tool, headers: later, options: .none)
            }
            #expect(error?.status == 412)
            #expect(place.service.title(1) == "theirs")
            #expect(place.service.lines.suffix(2) == ["GET monitor-1", "GET monitor-1"])
        }
    }
}
