import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Carries out updates inside one transaction, each with the related entities that it holds and that are new or changed.
struct LocalUpdates {
    typealias Perform = (LocalWrite, WriteOptions) throws -> RowReference

    let writes: EntityWrites
    let perform: Perform
    /// Entities that need no other to take them along.
    private var planned: Set<ObjectIdentifier>
    /// What was written, in order.
    private(set) var touched: [(entity: EntityValue, row: RowReference)] = []

    init(
        _ writes: EntityWrites, besides named: Set<ObjectIdentifier>, perform: @escaping Perform
    ) {
        self.writes = writes
        self.perform = perform
        planned = named
    }

    mutating func update(
        _ entity: EntityValue, _ row: RowReference, _ write: LocalWrite, _ options: WriteOptions
    ) throws {
        _ = try perform(write, options)
        touched.append((entity, row))
        let relatives = entity.changedRelatives(besides: planned)
        planned.formUnion(relatives.flatMap(\.entities).map { ObjectIdentifier($0) })
        for (property, children) in relatives {
            for child in children {
                if child.isNew {
                    try create(child, of: entity, row, property, options)
                } else {
                    let place = try writes.row(of: child)
                    try update(child, place, try writes.update(child, mode: .merge), options)
                }
            }
        }
        for unbind in try writes.unbinds(of: entity) { _ = try perform(unbind, options) }
    }

    private mutating func create(
        _ child: EntityValue, of parent: EntityValue, _ row: RowReference, _ property: Property,
        _ options: WriteOptions
    ) throws {
        guard writes.rules.creates(property.definition) else { return }
        if property.definition.type.isCollection {
            let made = try perform(
                try writes.createRelated(child, in: parent, property), options)
            touched.append((child, made))
            return
        }
        if child.entitySet === EntitySet.undefined {
            child.entitySet = parent.entitySet.binding(property.name)
        }
        let made = try perform(try writes.create(child), options)
        _ = try perform(.updateLink(row, navigation: property.name, target: made), options)
        touched.append((child, made))
    }
}
