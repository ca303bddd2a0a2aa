extension RequestDependencies {
    /// What dropping requests removes: they themselves, and later ones about entities that vanish with them. Other
    /// changes of the same entities stay. Requests in an attempt without answer stay, too.
    package static func discarding(
        _ ids: Set<Int64>, in requests: [QueuedRequest]
    ) -> Set<Int64> {
        var gone: Set<Int64> = []
        var vanished: Set<RowReference> = []
        for request in requests.sorted(by: QueuedRequest.comesBefore)
        where !request.state.isFrozen {
            let isAboutVanished =
                !vanished.isDisjoint(with: request.touchedRows)
                || !vanished.isDisjoint(with: request.referencedRows)
            guard ids.contains(request.id) || isAboutVanished else { continue }
            gone.insert(request.id)
            vanished.formUnion(request.createdRows)
        }
        return gone
    }
}
