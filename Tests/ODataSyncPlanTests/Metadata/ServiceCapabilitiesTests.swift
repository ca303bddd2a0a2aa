import ODataModel
import ODataSyncPlan
import Testing

@Suite struct ServiceCapabilitiesTests {
    private static let capabilities = "Org.OData.Capabilities.V1."

    private func graph(
        container: [AnnotationDefinition] = [], set: [AnnotationDefinition] = [],
        hasKey: Bool = true
    ) throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Tool",
                properties: [
                    PropertyDefinition(name: "Id", type: TypeReference(.primitive(.int32)))
                ], key: hasKey ? [KeyProperty(path: "Id")] : [])
        ]
        graph.containers = [.init(qualifiedName: "Ws.C", annotations: container)]
        graph.entitySets = [
            EntitySetDefinition(
                name: "Tools", container: "Ws.C", type: StructureID(0), annotations: set)
        ]
        try graph.freeze()
        return graph
    }

    private func record(_ term: String, _ property: String, _ value: Bool) -> AnnotationDefinition {
        AnnotationDefinition(
            term: Self.capabilities + term,
            value: .record(
                type: nil,
                properties: [AnnotationDefinition(term: property, value: .boolean(value))]))
    }

    @Test func aRecordThatSaysNothingElseSaysThatDeepUpdatesAreTaken() throws {
        func takes(_ properties: [AnnotationDefinition]?, _ version: ODataVersion = .v401) throws
            -> Bool
        {
            let support = properties.map {
                AnnotationDefinition(
                    term: Self.capabilities + "DeepUpdateSupport",
                    value: .record(type: nil, properties: $0))
            }
            var graph = try graph(container: support.map { [$0] } ?? [])
            graph.version = version
            return graph.takesDeepUpdates
        }
        let no = AnnotationDefinition(term: "Supported", value: .boolean(false))
        #expect(try takes([]))
        #expect(try !takes([no]))
        #expect(try !takes(nil))
        #expect(try !takes([], .v4))
    }

    @Test func whatIsNotSaidIsSupported() throws {
        let capabilities = ServiceCapabilities(try graph())
        #expect(capabilities.supportsBatch)
        #expect(capabilities.supportsRepeatability == nil)
        #expect(capabilities.unreadable.isEmpty)
        #expect(capabilities.tracksChanges.isEmpty)
    }

    @Test func batchIsRefusedInEitherSpelling() throws {
        let plain = AnnotationDefinition(
            term: Self.capabilities + "BatchSupported", value: .boolean(false))
        #expect(!ServiceCapabilities(try graph(container: [plain])).supportsBatch)
        let detailed = record("BatchSupport", "Supported", false)
        #expect(!ServiceCapabilities(try graph(container: [detailed])).supportsBatch)
    }

    @Test func setsThatCannotBeReadNameTheReason() throws {
        let closed = try graph(set: [record("ReadRestrictions", "Readable", false)])
        #expect(
            ServiceCapabilities(closed).unreadable["Tools"]
                == "the service says that it is not readable")
        let filtered = try graph(set: [record("FilterRestrictions", "RequiresFilter", true)])
        #expect(
            ServiceCapabilities(filtered).unreadable["Tools"]
                == "the service requires a filter for it")
        #expect(
            ServiceCapabilities(try graph(hasKey: false)).unreadable["Tools"]
                == "its type has no key")
    }

    @Test func changeTrackingIsReadFromSetThenContainer() throws {
        let all = record("ChangeTracking", "Supported", true)
        #expect(ServiceCapabilities(try graph(container: [all])).tracksChanges == ["Tools": true])
        let none = record("ChangeTracking", "Supported", false)
        let mixed = try graph(container: [all], set: [none])
        #expect(ServiceCapabilities(mixed).tracksChanges == ["Tools": false])
    }
}
