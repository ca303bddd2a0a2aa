import ODataModel
import ODataSQL
import ODataText

/// Works out what a request does locally beside its own rows: foreign keys, links, and rows hidden with a delete: state →
/// effects (pure; what it asks of the state is ``LocalRows``).
package struct EffectPlanner {
    let state: any LocalRows
    /// Values of rows that the request being recorded creates, keys included.
    let created: [RowReference: StructureValue]
    package internal(set) var effects: [RequestEffect] = []
    /// The rows that foreign keys follow.
    package internal(set) var principals: Set<RowReference> = []

    /// Most rows that a delete reaches.
    let maximumVictims: Int

    var graph: MetadataGraph { state.mapping.graph }
    var keys: ForeignKeys { ForeignKeys(state.mapping) }

    package init(
        _ state: any LocalRows, created: [RowReference: StructureValue] = [:],
        maximumVictims: Int = 100_000
    ) {
        self.state = state
        self.created = created
        self.maximumVictims = maximumVictims
    }

    /// What the request does for a reason of its own.
    package mutating func add(_ effect: RequestEffect) { effects.append(effect) }

    // MARK: Links

    /// Relates `source` to `target` through a navigation property; a to-one relation replaces the one before.
    package mutating func link(
        _ source: RowReference, _ navigation: NavigationMapping, _ target: RowReference
    ) throws {
        let table = try state.mapping.existingTable(path: source.table)
        switch navigation.storage {
        case .columns(let pairs):
            if keys.isDependent(navigation, in: table) {
                try follow(principal: target, from: source, pairs.map { ($0.source, $0.target) })
            } else {
                try follow(principal: source, from: target, pairs.map { ($0.target, $0.source) })
            }
        case .linkTable(let index, let isReversed):
            let storage = state.mapping.linkTables[index]
            guard let forward = forwardPath(of: index, storage) else { return }
            let link = LinkReference(
                source: isReversed ? target : source, navigation: forward,
                target: isReversed ? source : target)
            try replaceToOne(link, storage)
            effects.append(.addLink(link))
        }
    }

    /// Removes the relation; every relation of the property when `target` is nil.
    package mutating func unlink(
        _ source: RowReference, _ navigation: NavigationMapping, _ target: RowReference?
    ) throws {
        let table = try state.mapping.existingTable(path: source.table)
        switch navigation.storage {
        case .columns(let pairs):
            if keys.isDependent(navigation, in: table) {
                try clear(source, pairs.map(\.source))
            } else if let target {
                try clear(target, pairs.map(\.target))
            }
        case .linkTable(let index, let isReversed):
            let storage = state.mapping.linkTables[index]
            guard let forward = forwardPath(of: index, storage) else { return }
            if let target {
                effects.append(
                    .removeLink(
                        LinkReference(
                            source: isReversed ? target : source, navigation: forward,
                            target: isReversed ? source : target)))
            } else if isReversed {
                let sourcePath = state.mapping[storage.source].path
                for id in try state.sources(of: source.id, in: storage) {
                    effects.append(
                        .removeLink(
                            LinkReference(
                                source: RowReference(table: sourcePath, id: id),
                                navigation: forward, target: source)))
                }
            } else {
                for link in try state.links(of: source, through: forward) {
                    effects.append(.removeLink(link))
                }
            }
        }
    }

    private mutating func replaceToOne(_ link: LinkReference, _ storage: LinkTableMapping) throws {
        if storage.isToOne {
            let old = try state.links(of: link.source, through: link.navigation)
            for old in old where old != link { effects.append(.removeLink(old)) }
        }
        if storage.isInverseToOne {
            for id in try state.sources(of: link.target.id, in: storage)
            where id != link.source.id {
                var old = link
                old.source.id = id
                effects.append(.removeLink(old))
            }
        }
    }

    func forwardPath(of index: Int, _ storage: LinkTableMapping) -> String? {
        state.mapping[storage.source].navigations.first {
            $0.storage == .linkTable(index, isReversed: false)
        }?.path
    }
}
