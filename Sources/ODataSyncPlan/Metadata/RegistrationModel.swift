import ODataModel
import ODataText

/// Where a service keeps its clients: the set, and the slots of what names a client.
package struct RegistrationModel: Sendable {
    package let set: EntitySetID
    package let id: Int
    package let guid: Int

    /// - Throws: `unknownName` for a model without them.
    package init(_ graph: MetadataGraph) throws {
        guard let set = graph.entitySet(named: "ClientRegistrationSet"),
            let id = Self.slot("ClientID", .int64, of: graph[set].type, graph),
            let guid = Self.slot("ClientGUID", .guid, of: graph[set].type, graph)
        else {
            throw ODataError(
                .unknownName,
                "Expected ClientRegistrationSet with ClientID (Edm.Int64) and ClientGUID (Edm.Guid).",
                at: .path("ClientRegistrationSet"))
        }
        (self.set, self.id, self.guid) = (set, id, guid)
    }

    private static func slot(
        _ name: String, _ type: PrimitiveType, of owner: StructureID, _ graph: MetadataGraph
    ) -> Int? {
        guard let slot = graph[owner].slot(named: name),
            graph[owner].properties[slot].type.primitive == type
        else { return nil }
        return slot
    }
}
