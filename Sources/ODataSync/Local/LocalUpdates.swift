import ODataModel
import ODataStore
import ODataSyncPlan

/// Carries out updates inside one transaction, each with the related entities that go along because they are new or changed.
struct LocalUpdates {
    typealias Perform = (LocalWrite, WriteOptions) throws -> RowReference

    var writes: LocalWrites
    let graph: MetadataGraph
    let perform: Perform
    /// What was written, in order.
    var touched: [(object: ObjectIdentifier, row: RowReference)] = []

    init(_ writes: LocalWrites, _ graph: MetadataGraph, _ perform: @escaping Perform) {
        self.writes = writes
        self.graph = graph
        self.perform = perform
    }

    mutating func update(
        _ entity: LocalEntity, _ row: RowReference, _ write: LocalWrite, _ options: WriteOptions
    ) throws {
        _ = try perform(write, options)
        touched.append((entity.name.object, row))
        for relatives in entity.relatives {
            for child in relatives.entities {
                if child.isNew {
                    try create(child, row, relatives.navigation, options)
                } else {
                    let place = try writes.row(of: child.name)
                    try update(
                        child, place, try writes.change(of: child, place, mode: .merge), options)
                }
            }
        }
        for unbind in try writes.unbinds(of: entity) { _ = try perform(unbind, options) }
    }

    /// A new entity of a collection is created in it, one of a single-valued property in its set, and then linked.
    private mutating func create(
        _ child: LocalEntity, _ parent: RowReference, _ navigation: PropertyDefinition,
        _ options: WriteOptions
    ) throws {
        guard writes.rules.creates(navigation) else { return }
        let made = try perform(try writes.creation(of: child, in: graph), options)
        if !navigation.type.isCollection {
            _ = try perform(
                .updateLink(parent, navigation: navigation.name, target: made), options)
        }
        touched.append((child.name.object, made))
    }
}
