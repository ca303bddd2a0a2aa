import ODataModel

/// What of a request is compared with what a service shows: strictly where one effect is looked for (``EffectComparison``),
/// leniently where a row is (``ContentComparison``).
extension MetadataGraph {
    /// The properties that were sent, but for what the service makes itself, streams and navigation properties.
    func comparedSlots(of sent: StructureValue) -> [Int] {
        sent.slots.indices.filter { slot in
            let property = self[sent.type].properties[slot]
            return sent.slots[slot] != nil && !property.isNavigation
                && property.type.primitive != .stream
                && !property.isMadeByService
        }
    }

    /// The value that `found`, of whatever type, has of a property of `sent`.
    func value(of slot: Int, of sent: StructureValue, in found: StructureValue) -> ODataValue {
        let name = self[sent.type].properties[slot].name
        guard let other = self[found.type].slot(named: name), other < found.slots.count else {
            return .null
        }
        return found.slots[other] ?? .null
    }
}
