import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// The JSON object that create and update are given.
struct EntityBody {
    let value: StructureValue
    private let document: CSDLDocument

    /// Reads `text` as a request body for the type; `-` stands for standard input.
    ///
    /// - Throws: bad input naming the member that does not fit.
    init(_ text: String, of type: StructureID, in set: EntitySetID?, document: CSDLDocument) throws
    {
        self.document = document
        let text = text == "-" ? Self.standardInput() : text
        let reader = EntityJSONReader(document.graph, dialect: .v4, isRequest: true)
        do {
            value = try reader.entity(Array(text.utf8), of: type, in: set)
        } catch let error as ODataError {
            throw CommandError.badInput("the entity: \(error)")
        }
    }

    private static func standardInput() -> String {
        var lines: [String] = []
        while let line = readLine(strippingNewline: false) { lines.append(line) }
        return lines.joined()
    }

    /// The type that the body was read for, or the derived one that it names.
    var entityType: EntityType { (document.model[value.type] as? EntityType) ?? .undefined }

    /// Sets what the body names; `find` gives the entities of references.
    ///
    /// - Throws: bad input when it names another key or another type than the entity has.
    func apply(
        to entity: EntityValue, isNew: Bool, find: (ResourceArgument) throws -> EntityValue
    ) throws {
        let definition = document.graph[value.type]
        guard entity.entityType.structureID == value.type else {
            throw CommandError.badInput(
                "@odata.type: expected \(entity.entityType.qualifiedName), the type of the entity, "
                    + "found \(definition.qualifiedName).")
        }
        let keys = Set(definition.key.map(\.path))
        for (slot, content) in value.slots.enumerated() {
            guard let content else { continue }
            let property = entity.entityType.properties[slot]
            if !isNew, keys.contains(property.name) {
                guard entity.odataValue(slot) == content else {
                    throw CommandError.badInput(
                        "\(property.name): expected the key of the entity, found another value.")
                }
                continue
            }
            entity.setDataValue(
                for: property,
                to: DataValue.of(content, property.definition.type, in: document.model))
        }
        let untyped = TypeReference(.primitive(.untyped))
        for (name, content) in value.dynamicValues {
            entity.setDynamicValue(name, DataValue.of(content, untyped, in: document.model))
        }
        for (name, references) in value.control.bindings {
            guard let slot = definition.slot(named: name) else { continue }
            for reference in references {
                let argument = try ResourceArgument(reference, in: document)
                try argument.requireEntity()
                entity.bindEntity(
                    try find(argument), to: entity.entityType.properties[slot])
            }
        }
    }
}
