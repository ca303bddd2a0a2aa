import Foundation
import ODataModel
import ODataQuery
import ODataWire

/// The model of a service as a V2 document says it: the same types, with each property in the slot that it has in V4.
///
/// Types that V2 does not have become the nearest that it has: a date is a `DateTime` at midnight, a time of day a
/// `Time`, a duration its text.
struct V2Model: Sendable {
    let graph: MetadataGraph
    /// The metadata document.
    let document: [UInt8]

    /// - Parameters:
    ///   - original: metadata of V2 with the same types, whose own types of properties are said again.
    ///   - tracked: Whether clients can ask for the changes of a set.
    init(
        _ service: MetadataGraph, original: MetadataGraph? = nil,
        tracked: (EntitySetDefinition) -> Bool
    ) {
        var graph = service
        graph.version = .v2
        graph.attributeNamespaces["sap"] = "http://www.sap.com/Protocols/SAPData"
        for type in graph.structures.indices {
            graph.structures[type].annotations = []
            for slot in graph.structures[type].properties.indices {
                graph.structures[type].properties[slot].annotations = []
                // V2 knows scales that are numbers only.
                if case .fixed? = graph.structures[type].properties[slot].type.facets.scale {
                } else {
                    graph.structures[type].properties[slot].type.facets.scale = nil
                }
                if let own = original?.structures[type].properties[slot].type {
                    graph.structures[type].properties[slot].type = own
                    continue
                }
                let property = graph.structures[type].properties[slot].type
                guard case .primitive(let primitive) = property.kind,
                    let old = Self.replaced[primitive]
                else { continue }
                graph.structures[type].properties[slot].type.kind = .primitive(old)
            }
        }
        for position in graph.operations.indices {
            let isAction = graph.operations[position].isAction
            graph.operations[position].httpMethod = isAction ? "POST" : "GET"
            Self.makeOld(&graph.operations[position].returnType)
            for parameter in graph.operations[position].parameters.indices {
                var type: TypeReference? = graph.operations[position].parameters[parameter].type
                Self.makeOld(&type)
                if let type { graph.operations[position].parameters[parameter].type = type }
            }
        }
        for container in graph.containers.indices { graph.containers[container].annotations = [] }
        for set in graph.entitySets.indices {
            graph.entitySets[set].annotations =
                tracked(graph.entitySets[set])
                ? [AnnotationDefinition(term: "sap:change-tracking", value: .string("true"))] : []
        }
        self.graph = graph
        document = Array(Self.announced(CSDLWriter.xml(graph), of: graph).utf8)
    }

    /// The type that V2 has for a parameter or result, which has no facets there.
    private static func makeOld(_ type: inout TypeReference?) {
        if type?.isCollection == true { type?.isNullable = true }
        guard case .primitive(let primitive)? = type?.kind else { return }
        type?.kind = .primitive(replaced[primitive] ?? primitive)
        type?.facets = TypeFacetValues()
    }

    /// The document with what the container offers in an element of V4, as other services of V2 write theirs, too.
    private static func announced(_ document: String, of graph: MetadataGraph) -> String {
        guard let container = graph.containers.first?.qualifiedName,
            let end = document.ranges(of: "</Schema>").last
        else { return document }
        let element = """
            <Annotations xmlns="http://docs.oasis-open.org/odata/ns/edm" Target="\(container)">\
            <Annotation Term="\(Terms.repeatability)" Bool="true"/></Annotations>
            """
        return document.replacingCharacters(in: end, with: element + "</Schema>")
    }

    static let replaced: [PrimitiveType: PrimitiveType] = [
        .date: .dateTime, .timeOfDay: .time, .duration: .string,
    ]

    // MARK: Values

    /// A value with each scalar as the property of `target` holds it, and each entity reference put by `reference`.
    static func converted(
        _ value: StructureValue, to target: MetadataGraph, reference: (String) throws -> String
    ) rethrows -> StructureValue {
        var result = value
        let properties = target[value.type].properties
        for slot in value.slots.indices where slot < properties.count {
            result.slots[slot] = try value.slots[slot].map {
                try converted($0, as: properties[slot].type, in: target, reference)
            }
        }
        result.control.bindings = try value.control.bindings.mapValues { try $0.map(reference) }
        return result
    }

    static func converted(
        _ value: ODataValue, as type: TypeReference, in target: MetadataGraph,
        _ reference: (String) throws -> String
    ) rethrows -> ODataValue {
        switch value {
        case .structure(let inner):
            return .structure(try converted(inner, to: target, reference: reference))
        case .list(let items):
            return .list(try items.map { try converted($0, as: type, in: target, reference) })
        case .scalar(let scalar):
            guard case .primitive(let primitive) = type.kind, scalar != .null else { return value }
            if case .duration = scalar, primitive == .string {
                return .scalar(.string(Lexical.text(scalar)))
            }
            return .scalar(LiteralConversion.scalar(scalar, written: nil, as: primitive) ?? scalar)
        }
    }
}
