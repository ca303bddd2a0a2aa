import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Where an entity is, for services that do not say so: by convention from its set and key (JSON Format 4.01, sections 4.5.9
/// and 4.5.10).
@Suite struct StrictLinkTests {
    @Test func entitiesOfAServiceThatSendsNoLinksHaveThemByConvention() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.online.loadMetadata()
            let tool = try place.entity("Tools", 3)
            #expect(tool.readLink == "Tools(3)" && tool.editLink == "Tools(3)")
            try place.sync.open()
            try place.sync.download()
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let local = try place.sync.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(3))),
                headers: .empty, options: .none
            ).requiredEntity()
            #expect(local.readLink == "Tools(3)" && local.editLink == "Tools(3)")
            let new = EntityValue.ofType(set.entityType).inSet(set)
            #expect(new.readLink == nil && new.editLink == nil)
        }
    }
}
