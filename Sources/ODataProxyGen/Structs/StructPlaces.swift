import ODataModel
import ODataText

/// Where entities of a type are: what one struct stands for.
struct StructPlace: Sendable {
    enum Kind: Sendable, Hashable { case set, singleton, derived, contained }

    /// Tells places apart.
    struct Key: Sendable, Hashable {
        /// The set or the singleton, or the way from there to what is contained.
        var path: String
        var type: StructureID
    }

    var key: Key
    var kind: Kind
    /// The set or singleton at the beginning.
    var root: EntitySetID
    /// The navigation properties from there.
    var steps: [String] = []
    var name = ""
}

/// All places of a service, with their names.
///
/// `Entity.entitySet` is one place for each struct, because a `Ref` says with its type alone which table it leads to. The
/// first set of a type has the name of the type; every other place has a name of its own.
struct StructPlaces: Sendable {
    private(set) var all: [StructPlace] = []
    private let graph: MetadataGraph
    private var byKey: [StructPlace.Key: Int] = [:]
    private var byType: [StructureID: [Int]] = [:]
    private static let maximumDepth = 4

    /// - Throws: `limitExceeded` for types that are derived and contained in too many ways.
    init(_ graph: MetadataGraph) throws(ODataError) {
        self.graph = graph
        for index in graph.entitySets.indices {
            let set = graph.entitySets[index]
            let id = EntitySetID(index)
            try add(
                StructPlace(
                    key: .init(path: graph.pathName(of: id), type: set.type),
                    kind: set.isSingleton ? .singleton : .set, root: id), within: [])
        }
        for index in all.indices {
            byKey[all[index].key] = index
            byType[all[index].key.type, default: []].append(index)
        }
    }

    private mutating func add(
        _ place: StructPlace, within types: [StructureID]
    ) throws(ODataError) {
        guard all.count < ProxyGenerator.maximumElements else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(ProxyGenerator.maximumElements) places of entities, found more."
            )
        }
        all.append(place)
        guard place.kind != .derived else { return }
        for type in derived(place.key.type) {
            var other = place
            other.key.type = type
            other.kind = .derived
            try add(other, within: types)
        }
        let types = types + [place.key.type]
        guard types.count <= Self.maximumDepth else { return }
        for property in graph[place.key.type].properties {
            guard property.navigation?.containsTarget == true, let type = property.type.structure,
                !types.contains(type)
            else { continue }
            var other = place
            other.key = .init(path: place.key.path + "/" + property.name, type: type)
            other.kind = .contained
            other.steps.append(property.name)
            try add(other, within: types)
        }
    }

    /// All types that are derived from a type, those in between first.
    func derived(_ type: StructureID) -> [StructureID] {
        graph[type].derivedIDs.flatMap { [$0] + derived($0) }
    }

    subscript(_ path: String, _ type: StructureID) -> StructPlace? {
        byKey[.init(path: path, type: type)].map { all[$0] }
    }

    /// Where entities of exactly this type are.
    func places(of type: StructureID) -> [StructPlace] { (byType[type] ?? []).map { all[$0] } }

    // MARK: Names

    /// - Parameter types: The names so far; complex types take theirs in the order of the document, too.
    mutating func giveNames(
        prefix: String, _ types: inout NameScope, complex: (StructureID, String) -> Void
    ) {
        var first: [StructureID: Int] = [:]
        for kind in [StructPlace.Kind.set, .derived, .contained] {
            for (index, place) in all.enumerated()
            where place.kind == kind && first[place.key.type] == nil {
                first[place.key.type] = index
            }
        }
        for (index, type) in graph.structures.enumerated() where type.namespace != "Edm" {
            let id = StructureID(index)
            if type.kind == .complex {
                complex(id, types.give(SwiftName.type(type.name, prefix: prefix)).text)
            } else if let place = first[id] {
                all[place].name = types.give(SwiftName.type(type.name, prefix: prefix)).text
            }
        }
        for index in all.indices where all[index].name.isEmpty {
            all[index].name = types.give(ownName(all[index], prefix)).text
        }
    }

    private func ownName(_ place: StructPlace, _ prefix: String) -> String {
        let words = ([graph[place.root].name] + place.steps).map { SwiftName.type($0) }
        let type = place.kind == .derived ? SwiftName.type(graph[place.key.type].name) : ""
        return SwiftName.type(words.joined() + type, prefix: prefix)
    }
}
